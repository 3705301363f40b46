"""Every method on every engine: it works, or is refused before anything starts.

What an engine made is not what a stricter policy promises.
"""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from papilio.cli.app import run
from papilio.families import families
from seven_families import BY_NAME, make_memory_small, policy_of, write_family

METHODS = [(family.name, method) for family in families() for method in family.methods]
#: What a command says to be served by an engine.
ENGINES = {"local": [], "pieces": ["--memory", "600MiB"], "spark": ["--engine", "spark"]}


def _stricter(family):
    """A demand that the release of the family's order does not meet."""
    return {"target": {"pay": "zipf"}} if "k" not in BY_NAME[family].demands else {"k": 4}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("family", "method"), METHODS, ids=lambda each: getattr(each, "name", each)
)
def test_an_engine_works_or_refuses_at_once(family, method, engine, tmp_path, capsys, monkeypatch):
    if engine == "spark" and find_spec("pysail") is None:
        pytest.skip("needs pysail")
    if engine == "pieces":
        make_memory_small(monkeypatch)
    policy = {**policy_of(family), "method": method.name}
    if engine == "spark":
        # Columns with several values are for one machine; see tests/spark/test_refused_options.py.
        policy.get("columns", {}).pop("signs", None)
    file, _ = write_family(tmp_path, family, policy)
    before = {path.name for path in tmp_path.iterdir()}
    code = run(["publish", str(file), "-o", str(tmp_path / "out"), *ENGINES[engine]])
    said = capsys.readouterr()
    left = {path.name for path in tmp_path.iterdir()} - before
    if engine in method.engines:
        assert (code, left) == (0, {"out"}), said.err
        assert run(["verify", str(tmp_path / "out"), "--original", str(file)]) == 0
        write_family(
            tmp_path, family, {**policy, "privacy": {**policy["privacy"], **_stricter(family)}}
        )
        assert run(["verify", str(tmp_path / "out"), "--original", str(file)]) == 1
    else:
        assert code == 2
        assert len(said.err.splitlines()) == 1
        assert left == set()
