"""Write the parts of the documentation that come from the code; ``make docs`` runs it.

Generated pages are written anew. In pages written by hand, the outputs of commands and of Python
blocks are replaced where they are no longer what the page shows; see ``generators/blocks.py``.
"""

from __future__ import annotations

from pathlib import Path

from generators.blocks import refresh, run_in_copy
from generators.command_line import command_line
from generators.decisions import decisions
from generators.picture import picture
from generators.policy_reference import policy_reference
from generators.python_reference import python_reference

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent


#: What makes each generated file.
GENERATED = {
    FOLDER / "policy-reference.md": policy_reference,
    FOLDER / "command-line.md": command_line,
    FOLDER / "python-reference.md": python_reference,
    FOLDER / "decisions" / "README.md": decisions,
    FOLDER / "images" / "before-and-after.svg": picture,
}


def written() -> list[Path]:
    """List the pages written by hand."""
    every = [*ROOT.glob("*.md"), *FOLDER.rglob("*.md"), *(ROOT / "examples").glob("*/*.md")]
    return sorted(set(every) - set(GENERATED))


def main() -> None:
    """Write all of them."""
    for path, make in GENERATED.items():
        _write(path, make())
    for path in written():
        page = path.read_text(encoding="utf-8")
        _write(path, refresh(page, run_in_copy(path)))


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
