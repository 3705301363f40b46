"""Code blocks of a page: find them, run them, compare what they print with what the page shows.

Conventions of the pages:

- A ``console`` block holds commands, each after ``$``, and below each what it prints. A command
  that fails ends its output with ``[exit 1]``.
- A ``python`` block is run. A ``text`` block straight after it is what it prints; without one it
  prints nothing. The blocks of a page share their names, one after the other.
- A line ``...`` in an output stands for any lines.
- ``<!-- not run -->`` above a block keeps it from being run. Blocks of other languages are not run.

A page runs in a copy of ``examples/one-table``, so every page may use its files; a page of another
example runs in a copy of that.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from papilio.cli.app import run as papilio

_FENCE = re.compile(
    r"(?P<note><!-- not run -->\n+)?^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.M | re.S
)
EXAMPLE = Path(__file__).parents[2] / "examples" / "one-table"
#: Width of the terminal that the shown tables assume.
WIDTH = "100"


@dataclass(frozen=True)
class Block:
    """One code block.

    Attributes
    ----------
    language, body
        What stands after the fence, and inside.
    start, end
        Where the body stands in the page.
    line
        Line of the fence, for messages.
    follows
        Whether only blank lines part it from the block before.
    skipped
        Whether it is marked as not run.
    """

    language: str
    body: str
    start: int
    end: int
    line: int
    follows: bool
    skipped: bool


@dataclass(frozen=True)
class Shown:
    """What a page shows as an output, what the output really is, and where it stands."""

    shown: str
    real: str
    start: int
    end: int
    line: int

    @property
    def agrees(self) -> bool:
        """Whether they are the same, but for blanks at the end of lines and for ``...``."""
        return bool(_pattern(self.shown).fullmatch(_tidy(self.real)))


def blocks_of(page: str) -> list[Block]:
    """Find the code blocks of a page."""
    found: list[Block] = []
    last = 0
    for match in _FENCE.finditer(page):
        found.append(
            Block(
                language=match["language"],
                body=match["body"],
                start=match.start("body"),
                end=match.end("body"),
                line=page.count("\n", 0, match.start("language")) + 1,
                follows=not page[last : match.start()].strip(),
                skipped=match["note"] is not None,
            )
        )
        last = match.end()
    return found


def run_in_copy(path: Path) -> list[Shown]:
    """Run all blocks of a page in a copy of its example and collect their outputs."""
    example = path.parent if path.parent.parent == EXAMPLE.parent else EXAMPLE
    with TemporaryDirectory() as folder:
        place = Path(folder, example.name)
        shutil.copytree(example, place, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        with chdir(place):
            return run_page(path.read_text(encoding="utf-8"))


def run_page(page: str) -> list[Shown]:
    """Run all blocks of a page in the working directory and collect their outputs."""
    found = blocks_of(page)
    names: dict[str, Any] = {"__name__": "page"}
    outputs: list[Shown] = []
    with _environment():
        for block, after in zip_longest(found, found[1:]):
            if block.skipped:
                continue
            if block.language == "console":
                outputs += _run_console(block)
            elif block.language == "python":
                output = after if after and after.language == "text" and after.follows else None
                outputs.append(_run_python(block, output, names))
    return outputs


def refresh(page: str, outputs: list[Shown]) -> str:
    """Return the page with every output that does not agree replaced by the real one."""
    for each in sorted(outputs, key=lambda each: each.start, reverse=True):
        if not each.agrees:
            page = page[: each.start] + _tidy(each.real) + page[each.end :]
    return page


def _run_console(block: Block) -> Iterator[Shown]:
    for match in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.body, re.M):
        start = block.start + match.start(2)
        line = block.line + block.body.count("\n", 0, match.start()) + 1
        yield Shown(match[2], _run_command(match[1]), start, block.start + match.end(2), line)


def _run_command(command: str) -> str:
    arguments = shlex.split(command)
    if arguments[0] != "papilio":
        done = subprocess.run(  # the pages are ours
            command, shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        return done.stdout + (f"[exit {done.returncode}]\n" if done.returncode else "")
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        code = papilio(arguments[1:])
    return output.getvalue() + (f"[exit {code}]\n" if code else "")


def _run_python(block: Block, output: Block | None, names: dict[str, Any]) -> Shown:
    printed = io.StringIO()
    source = "\n" * block.line + block.body
    with redirect_stdout(printed):
        exec(compile(source, f"block in line {block.line}", "exec"), names)
    where = output or Block("", "", block.end, block.end, block.line, True, False)
    return Shown(where.body, printed.getvalue(), where.start, where.end, where.line)


@contextmanager
def _environment() -> Iterator[None]:
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = WIDTH
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def _tidy(text: str) -> str:
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return "".join(line + "\n" for line in lines)


def _pattern(shown: str) -> re.Pattern[str]:
    lines = _tidy(shown).splitlines()
    parts = [r"(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in lines]
    return re.compile("".join(parts))
