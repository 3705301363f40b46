"""Whatever a policy says, a command ends quickly, with a release or with one line per fault.

A few hundred policies by default, ten times as many in ``make test-all``; ``PAPILIO_FUZZ=40000``
tries as many.
"""

from __future__ import annotations

import os
import random
import shutil

import pytest
from policy_mutations import mutated

from opened_files import watched
from papilio.cli.app import run
from seven_families import FAMILIES, policy_of, write_family
from sizes import tries
from work_cost import measured

pytestmark = pytest.mark.searches

#: Policies that are tried, over all families.
EXAMPLES = tries(105, 2100, "PAPILIO_FUZZ")
#: Processor time and bytes that none may take.
SECONDS, BYTES = 20, 2 << 30

TREE = "A,north,*\nB,north,*\nC,south,*\n"


@pytest.mark.parametrize("family", FAMILIES)
def test_no_policy_ends_in_a_defect(family, tmp_path, capfd):
    outside = tmp_path / "outside" / "people.csv"
    outside.parent.mkdir()
    outside.write_text("name,age,town,ill\nann,30,A,flu\nbob,40,B,none\n")
    with watched(outside.parent) as watch:
        _try_policies(family, tmp_path, capfd, outside)
        assert not watch.events(), "a policy opened a file outside of its folder"


def _try_policies(family, tmp_path, capfd, outside):
    first, faults = int(os.environ.get("PAPILIO_FUZZ_FIRST", "0")), []
    for number in range(first, first + -(-EXAMPLES // len(FAMILIES))):
        chance = random.Random(f"{family} {number}")
        text = mutated(policy_of(family), [policy_of(each) for each in FAMILIES], chance)
        folder = tmp_path / "one"
        folder.mkdir()
        file, _ = write_family(folder, family)
        (folder / "tree.csv").write_text(TREE)
        text = text.replace("{outside}", str(outside))
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            _try(f"{family} {number}", file, folder / "out", capfd)
        except AssertionError as fault:
            faults.append(str(fault))
        shutil.rmtree(folder)
    assert not faults, "\n".join(faults)


def _try(name, file, out, capfd):
    with measured() as cost:
        code = run(["publish", str(file), "-o", str(out)])
    said = capfd.readouterr()
    where = f"{name}: {code} {said.err}"
    assert code in (0, 1, 2), where
    assert cost.seconds() < SECONDS, where
    assert max(cost.memory(), cost.memory_of_children()) < BYTES, where
    assert "Traceback" not in said.err + said.out, where
    assert (code == 0) == out.exists(), where
    lines = said.err.splitlines()
    assert all(line.startswith("papilio: ") for line in lines), where
    assert bool(lines) == (code != 0) or code == 0, where
    _check_signs(said.err + said.out, where)


def _check_signs(said, where):
    """Nothing that a terminal obeys, or that turns what is read around, comes through."""
    obeyed = [sign for sign in said if not sign.isprintable() and sign not in "\n"]
    assert not obeyed, f"{where}: U+{ord(obeyed[0]):04X}"
