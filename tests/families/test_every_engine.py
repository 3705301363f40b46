"""Every method on every engine: it works, or is refused before anything starts."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from papilio.cli.app import run
from papilio.policy.allowed import ALLOWED
from papilio.policy.family import Family
from seven_families import FAMILIES, policy_of, write_family

METHODS = [(family, method) for family in FAMILIES for method in ALLOWED[Family(family)].methods]
#: What a command says to be served by an engine.
ENGINES = {"local": [], "pieces": ["--memory", "600MiB"], "spark": ["--engine", "spark"]}
#: Engine -> methods that it serves; others it must refuse.
SERVED = {
    "local": {method for _, method in METHODS},
    "pieces": {
        "mondrian", "relaxed-mondrian", "hybrid", "bottom-up", "incognito", "union", "butterfly",
        "permutation",
    },
    "spark": {
        "mondrian", "relaxed-mondrian", "hybrid", "bottom-up", "incognito", "union", "butterfly",
        "projections", "permutation", "disguise",
    },
}  # fmt: skip


def make_memory_small(monkeypatch):
    """Let every table be larger than memory."""
    monkeypatch.setattr("papilio.workflow.out_of_core.memory._BASE", 1 << 40)
    monkeypatch.setattr("papilio.workflow.out_of_core.publish._PIECE_SHARE", 2e-5)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("family", "method"), METHODS)
def test_an_engine_works_or_refuses_at_once(family, method, engine, tmp_path, capsys, monkeypatch):
    if engine == "spark" and find_spec("pysail") is None:
        pytest.skip("needs pysail")
    if engine == "pieces":
        make_memory_small(monkeypatch)
    policy = {**policy_of(family), "method": method}
    if engine == "spark":
        # Columns with several values are for one machine; see tests/spark/test_refused_options.py.
        policy.get("columns", {}).pop("signs", None)
    file, _ = write_family(tmp_path, family, policy)
    before = {path.name for path in tmp_path.iterdir()}
    code = run(["publish", str(file), "-o", str(tmp_path / "out"), *ENGINES[engine]])
    said = capsys.readouterr()
    left = {path.name for path in tmp_path.iterdir()} - before
    if method in SERVED[engine]:
        assert (code, left) == (0, {"out"}), said.err
        assert run(["verify", str(tmp_path / "out"), "--original", str(file)]) == 0
    else:
        assert code == 2
        assert len(said.err.splitlines()) == 1
        assert left == set()
