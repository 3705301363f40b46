"""Families, kinds and methods are named in their folders, and by nobody else; how large all is."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import papilio
from papilio.families import families

SOURCES = Path(papilio.__file__).parent
#: Whoever judges what families make knows their kinds by itself.
HOMES = ("families", "verify")
#: Keys of a policy, and of a folder, that are called as a kind or a method is.
KINDS = {family.kind for family in families()}
METHODS = {method.name for family in families() for method in family.methods}
KEYS = {family.data for family in families() if family.data} | {
    key for family in families() for key in family.keys
}


@cache
def _nodes(path: Path) -> list[ast.Constant | ast.ImportFrom]:
    """Texts and imports of a file, which is parsed once for all tests."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Constant | ast.ImportFrom)]


def _strings(path: Path) -> list[tuple[int, str]]:
    return [
        (node.lineno, node.value)
        for node in _nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def _outside() -> list[Path]:
    return [
        path
        for path in sorted(SOURCES.rglob("*.py"))
        if path.relative_to(SOURCES).parts[0] not in HOMES
    ]


def test_no_kind_and_no_method_is_named_outside():
    named = (KINDS | METHODS) - KEYS
    found = [
        f"{path.relative_to(SOURCES)}:{line} {text}"
        for path in _outside()
        for line, text in _strings(path)
        if text in named
    ]
    assert found == []


FOLDERS = {each.parent.name for each in SOURCES.glob("families/*/family.py")}


def _named_families(path: Path) -> set[str]:
    """Folders and kinds of families that a file imports from, lies in, or names."""
    parts = path.relative_to(SOURCES).parts
    found = FOLDERS & set(parts[1:2]) if parts[0] == "families" else set()
    for node in _nodes(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("papilio.families"):
            words = [*(node.module or "").split(".")[2:3], *(name.name for name in node.names)]
            found |= FOLDERS & set(words)
    names = {family.name: family.name.replace("-", "_") for family in families()}
    # Families of one kind are not told apart by it.
    kinds = {family.kind: names[family.name] for family in reversed(families())}
    for _, text in _strings(path):
        if text in (names | kinds) and text not in KEYS:
            found.add((names | kinds)[text])
    return found


def test_few_files_name_several_families():
    """The table of families, the verifier's, and what it compares for two kinds of groups."""
    several = {
        str(path.relative_to(SOURCES))
        for path in sorted(SOURCES.rglob("*.py"))
        if len(_named_families(path)) > 1
    }
    assert several == {"families/__init__.py", "verify/kinds.py", "verify/promise/permuted.py"}


def test_the_house_is_no_larger_than_was_decided():
    """``docs/decisions/size.md``: as many files as somebody can know, none too long to read."""
    heights = [len(path.read_text("utf-8").splitlines()) for path in SOURCES.rglob("*.py")]
    assert len(heights) <= 600
    assert max(heights) <= 600
