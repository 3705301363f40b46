"""What work that was ended from outside leaves behind."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

#: How hidden folders and files of unfinished work begin, and where in a project they lie.
_DRAFTS = (".papilio-", ".report")
_PLACES = ("releases", "reports", "state")
_SCRATCH = ".scratch-"


def remove_leftovers(folder: Path) -> None:
    """Remove unfinished releases and reports of a project.

    Call it only while nothing that writes is under way for the project: what is being written
    looks the same.

    Parameters
    ----------
    folder
        Folder of the project.
    """
    for place in _PLACES:
        _remove_hidden(folder / place, _DRAFTS)


def remove_scratch(folder: Path) -> None:
    """Remove what spilt to disk; to be called before the first job of a server."""
    _remove_hidden(folder, (_SCRATCH,))


def scratch_of(folder: Path) -> Path:
    """Place of a new hidden folder in a project for whatever spills to disk."""
    return folder / f"{_SCRATCH}{secrets.token_hex(8)}"


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it; nothing happens if it is not there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _remove_hidden(folder: Path, prefixes: tuple[str, ...]) -> None:
    if folder.is_dir():
        for each in folder.iterdir():
            if each.name.startswith(prefixes):
                remove(each)
