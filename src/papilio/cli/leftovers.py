"""What runs that were killed left behind, removed when a command starts."""

from __future__ import annotations

import contextlib
from pathlib import Path

import typer


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
