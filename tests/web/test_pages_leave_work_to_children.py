"""What takes long happens in child processes: pages do not even know how to do it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import papilio.web

WEB = Path(papilio.web.__file__).parent
#: Reading and reckoning; only what runs in a child may use them.
HEAVY = {"polars", "duckdb", "numpy", "pyarrow", "pandas", "scipy", "numba", "altair", "vl_convert"}
#: Functions that look at a policy alone.
LIGHT = {"choice_of", "choices_for"}


def imported(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", each.name) for each in node.names)


def test_only_verbs_do_work() -> None:
    wrong = []
    for path in sorted(WEB.rglob("*.py")):
        if path.parent.name == "verbs":
            continue
        for module, name in imported(path):
            verb = module.startswith("papilio.workflow.") and not name[:1].isupper()
            if module.split(".")[0] in HEAVY or (verb and name not in LIGHT):
                wrong.append(f"{path.relative_to(WEB)}: {module} {name}")
    assert wrong == []


def test_the_verbs_themselves_are_seen_to_do_work() -> None:
    """Guards the test above: what it looks for is there where it may be."""
    found = [
        module
        for path in (WEB / "verbs").glob("*.py")
        for module, name in imported(path)
        if module.startswith("papilio.workflow.") and not name[:1].isupper()
    ]
    assert len(found) > 3
