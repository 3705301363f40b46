"""A text file of a project that is written again and again, whole or not at all."""

from __future__ import annotations

from pathlib import Path

from papilio.errors import OutputError
from papilio.release.whole_file import put_in_place


def replace_text(path: Path, text: str, what: str) -> None:
    """Write a file, in the place of the one that may be there; readers see the old or the new one.

    Parameters
    ----------
    path, text
        The file and what it shall say.
    what
        What it is, for the message.

    Raises
    ------
    OutputError
        If the disk refuses; then the old file is as it was.
    """
    try:
        put_in_place(path, text.encode(), check=_anything)
    except OSError as error:
        raise OutputError(
            f"the {what} cannot be written ({error.strerror})", reason="cannot-write"
        ) from None


def _anything(path: Path) -> None:
    """Take what is there, whatever it is: it is replaced."""
    del path
