"""What commands print: tables and bars for people, JSON for programs.

Everything on standard output goes through :func:`say`. When the reader of a pipe has gone, the
rest is dropped and the command goes on, so that its exit code still tells how it went.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from papilio.errors import OutputError, shown

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress

    from papilio.attack.lights import Light, Lights
    from papilio.verify.verdict import Verdict


#: An option of every command that reads a policy.
Allow: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--allow",
        exists=True,
        metavar="FOLDER",
        help="A folder, or a file, outside of the policy's own folder that the policy may name "
        "nevertheless; can be given several times.",
    ),
]


def clear_leftovers(*parents: Path) -> None:
    """Remove what is left in the private place, and unfinished work in folders; say what it was.

    Parameters
    ----------
    parents
        Folders that something is written to, or was.
    """
    from papilio.release.scratch import clear

    for leftover in clear(*parents):
        tell_leftover(str(leftover))


def tell_leftover(line: str) -> None:
    """Say what was removed, on standard error; where nobody listens it is removed all the same."""
    with contextlib.suppress(OSError):
        typer.echo(f"papilio: {line}", err=True)


_STYLE = {"holds": "green", "violated": "bold red", "not checked": "yellow"}


def say(text: str) -> None:
    """Print a line, or several.

    Raises
    ------
    OutputError
        If standard output cannot be written, other than that nobody reads it any more.
    """
    with _standard_output():
        typer.echo("\n".join(map(shown, text.split("\n"))))


@contextmanager
def _standard_output() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        drop_output()
    except OSError as error:
        drop_output()
        raise OutputError(
            f"standard output cannot be written ({error.strerror})", reason="cannot-write"
        ) from None


def drop_output() -> None:
    """Make standard output lead nowhere, also for what Python still holds back."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def print_json(content: Any) -> None:
    """Print plain data as JSON."""
    say(json.dumps(content, indent=2, ensure_ascii=False))


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print a table; numbers are aligned right."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for index, name in enumerate(header):
        numbers = bool(rows) and all(isinstance(row[index], (int, float)) for row in rows)
        table.add_column(name, justify="right" if numbers else "left")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(shown(str(cell))) for cell in row))
    _print(table)


def print_verdict(verdict: Verdict, about: str = "release") -> None:
    """Print every finding and the verdict on the release, or the table, as a whole."""
    from rich.text import Text

    rows = [
        (
            _about(finding.claim, finding.recipient, finding.column),
            finding.demanded,
            finding.measured,
            Text(finding.status.value, style=_STYLE[finding.status.value]),
        )
        for finding in verdict.findings
    ]
    print_table("Verdict", ("claim", "demanded", "measured", "status"), rows)
    status = verdict.status.value
    sentence = Text(f"The {about} as a whole: ")
    _print(sentence + Text(status, style=_STYLE[status]))


def width() -> int:
    """Columns of the terminal, or those that are taken where there is none."""
    from rich.console import Console

    return Console().width


def print_content(content: RenderableType) -> None:
    """Print anything that Rich can lay out for the width of the terminal."""
    _print(content)


def _print(content: RenderableType) -> None:
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    with _standard_output():
        Plain(highlight=False, soft_wrap=False).print(content)


def _about(claim: str, recipient: str | None, column: str | None) -> str:
    about = claim if column is None else f"{claim}: {column}"
    return about if recipient is None else f"{about} for {recipient}"


_COLOURS = {"green": "green", "grey": "bright_black", "amber": "yellow", "red": "bold red"}
#: Least width of a sentence about a light.
_LEAST = 40


def print_lights(lights: Lights) -> None:
    """Print the three lights: colour, what they are about, whom it concerns, what would help."""
    for light in lights:
        mark = f"{light.colour.sign} {light.colour:<6}"
        title = f"{light.title[:1].upper()}{light.title[1:]}"
        _print_beside(mark, f"{title}: {light.colour.face}. {light.sentence}", light)
        for remedy in light.remedies[:2]:
            _print_beside("  try   ", remedy.line)
        for said in light.otherwise[:2]:
            _print_beside("  do    ", said)


def _print_beside(mark: str, text: str, light: Light | None = None) -> None:
    from rich.text import Text

    style = "cyan" if light is None else _COLOURS[light.colour]
    lines = wrap(shown(text), max(_LEAST, width() - len(mark) - 1), break_long_words=False)
    for number, line in enumerate(lines):
        begin = mark if not number else " " * len(mark)
        whole = Text(begin, style=style, overflow="ignore", no_wrap=True)
        _print(whole.append(f" {line}", style="default"))


class Bar:
    """A bar on standard error that shows how far a command is."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("starting", total=1.0)

    def __call__(self, stage: str, share: float) -> None:
        """Show a stage and the share of the work that is done."""
        self._bar.update(self._task, description=stage, completed=share)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Take the bar away for a while, so that something can be asked."""
        self._bar.stop()
        try:
            yield
        finally:
            self._bar.start()


@contextmanager
def progress_bar() -> Iterator[Bar | None]:
    """Yield a function that moves a bar on standard error, or ``None`` where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<14}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield Bar(bar)
