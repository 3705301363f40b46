"""Count the lines of ``src`` for ``docs/decisions/size.md``.

``python tools/size.py`` prints the two tables of that page and the figures of its last paragraph.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "src/papilio"
#: Folders with a line of their own in the table.
SHOWN = 8
KINDS = ("code", "imports", "docstrings", "comments", "blank")
_SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def kinds_of_lines(text: str) -> Counter[str]:
    """How many lines of a file are what; a blank line of a docstring belongs to it."""
    kinds = [_alone(line) for line in text.splitlines()]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            _mark(kinds, node, "imports")
        elif isinstance(node, _SCOPES) and ast.get_docstring(node) is not None:
            _mark(kinds, node.body[0], "docstrings")
    return Counter(kinds)


def _alone(line: str) -> str:
    if not line.strip():
        return "blank"
    return "comments" if line.lstrip().startswith("#") else "code"


def _mark(kinds: list[str], node: ast.stmt, kind: str) -> None:
    last = node.end_lineno or node.lineno
    kinds[node.lineno - 1 : last] = [kind] * (last - node.lineno + 1)


def main() -> None:
    """Print what the page shows."""
    found = {
        path: kinds_of_lines(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCES.rglob("*.py"))
    }
    heights = [each.total() for each in found.values()]
    every = sum(found.values(), Counter[str]())
    print(f"{sum(heights):,} lines in {len(found)} files\n")
    for kind in KINDS:
        print(f"| {kind} | {every[kind]:,} | {round(100 * every[kind] / sum(heights))}% |")
    print(f"\ncode and imports: {every['code'] + every['imports']:,}\n")
    folders: dict[str, list[Counter[str]]] = defaultdict(list)
    for path, each in found.items():
        folders["/".join(path.relative_to(SOURCES).parts[:-1][:1])].append(each)
    ordered = sorted(folders.items(), key=lambda item: -sum(each.total() for each in item[1]))
    shown = [(f"`{name}/`", each) for name, each in ordered[:SHOWN]]
    rest = [each for _, some in ordered[SHOWN:] for each in some]
    for name, some in [*shown, ("the rest", rest)]:
        lines = sum(each.total() for each in some)
        code = sum(each["code"] + each["imports"] for each in some)
        print(f"| {name} | {len(some)} | {lines:,} | {code:,} |")
    few = sum(height <= 300 for height in heights)
    print(f"\n{few} files have at most 300 lines, the longest {max(heights)}")


if __name__ == "__main__":
    main()
