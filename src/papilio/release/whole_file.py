"""One text file, written whole or not at all."""

from __future__ import annotations

import secrets
from pathlib import Path

from papilio.errors import OutputError
from papilio.release.disk import disk_faults


def write_whole(path: Path, text: str) -> None:
    """Write a file that must not exist yet.

    Raises
    ------
    OutputError
        If it exists, its folder does not, or the disk refuses; nothing is left behind.
    """
    check_new(path)
    draft = path.absolute().parent / f".papilio-{secrets.token_hex(8)}"
    with disk_faults(path):
        try:
            draft.write_text(text, encoding="utf-8")
            check_new(path)
            draft.rename(path)
        finally:
            draft.unlink(missing_ok=True)


def check_new(path: Path) -> None:
    """Refuse a file that exists or whose folder does not."""
    with disk_faults(path):
        if path.exists() or path.is_symlink():
            raise OutputError(
                f"{path} exists already; name a file that does not, or remove it first",
                reason="target-exists",
            )
        if not path.absolute().parent.is_dir():
            raise OutputError(
                f"{path.parent} is not a directory; create it first", reason="no-parent"
            )
