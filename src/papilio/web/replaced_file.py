"""A text file of a project that is written again and again, whole or not at all."""

from __future__ import annotations

import secrets
from pathlib import Path

from papilio.errors import OutputError


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
    hidden = path.parent / f".papilio-{secrets.token_hex(8)}"
    try:
        hidden.write_text(text, encoding="utf-8")
        hidden.replace(path)
    except OSError as error:
        raise OutputError(
            f"the {what} cannot be written ({error.strerror})", reason="cannot-write"
        ) from None
    finally:
        hidden.unlink(missing_ok=True)
