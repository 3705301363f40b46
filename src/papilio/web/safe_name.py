"""Names of files and folders that come from outside, checked in one place."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from papilio.errors import DataError

#: Longest name in bytes; file systems take 255, and hidden drafts add to it.
LONGEST = 120
_NAME = re.compile(r"[\w][\w .,()+@=-]*")
_FREE = re.compile(r"[^\w.-]+")


def safe_name(text: str) -> str:
    """Give a name back if it is one plain name of a file or folder.

    It starts with a letter, a digit or ``_``, so it is neither hidden nor ``..``; it holds no
    separator, no control character, and does not end in a space or a dot.

    Raises
    ------
    DataError
        If it is not such a name. The message does not repeat it.
    """
    bare = unicodedata.normalize("NFC", text)
    fits = _NAME.fullmatch(bare) is not None and len(bare.encode()) <= LONGEST
    if not fits or bare != bare.rstrip(" ."):
        raise DataError(
            "a name of a file or folder is not accepted; it starts with a letter, a digit or _, "
            f"has no / or \\ in it, and is at most {LONGEST} bytes long",
            reason="bad-name",
        )
    return bare


def make_safe(text: str, otherwise: str) -> str:
    """Make a safe name of any text by leaving out what may not stand in one."""
    kept = _FREE.sub("-", unicodedata.normalize("NFC", text)).strip("-._ ")
    short = kept.encode()[:80].decode(errors="ignore").rstrip("-._ ")
    return short or otherwise


def inside(folder: Path, *names: str) -> Path:
    """Give the path of something in a folder.

    Every name must be safe, and the path must still lie in the folder after links in it are
    followed, so a link out of the workspace leads nowhere.

    Raises
    ------
    DataError
        If a name is not safe or the path leads out of the folder.
    """
    path = folder.joinpath(*(safe_name(name) for name in names))
    if not path.resolve().is_relative_to(folder.resolve()):
        raise DataError(
            "this name leads out of the folder it belongs to; only files inside are given out",
            reason="outside",
        )
    return path
