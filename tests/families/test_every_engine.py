"""Every method on every engine: it works, or is refused before anything starts.

What an engine made is not what a stricter policy promises.
"""

from __future__ import annotations

from importlib.util import find_spec
from itertools import product

import pytest

from missing import missing
from papilio.cli.app import run
from seven_families import BY_NAME, make_memory_small, policy_of, write_family

#: What a command says to be served by an engine.
ENGINES = {"local": [], "pieces": ["--memory", "600MiB"], "spark": ["--engine", "spark"]}


def _cases():
    """Every method on every engine; what takes Spark some seconds is for make test-all.

    Before that, tests/spark publishes with every family.
    """
    for (name, family), engine in product(BY_NAME.items(), ENGINES):
        for method in family.methods:
            marks = [pytest.mark.long] if engine == "spark" and engine in method.engines else []
            case = f"{name}-{method.name}-{engine}"
            yield pytest.param(name, method, engine, marks=marks, id=case)


def _stricter(family):
    """A demand that the release of the family's order does not meet."""
    return {"target": {"pay": "zipf"}} if "k" not in BY_NAME[family].demands else {"k": 4}


@pytest.mark.parametrize(("family", "method", "engine"), list(_cases()))
def test_an_engine_works_or_refuses_at_once(family, method, engine, tmp_path, capsys, monkeypatch):
    if engine == "spark" and find_spec("pysail") is None:
        missing("pysail is not installed")
    if engine == "pieces":
        make_memory_small(monkeypatch)
    policy = {**policy_of(family), "method": method.name}
    if engine != "local":
        # Columns with several values need the whole table; see tests/spark/test_refused_options.py.
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
