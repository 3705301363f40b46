"""What work that was ended from outside leaves behind."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

from papilio.release.leftovers import Leftover, is_held, size_of
from papilio.web.project import PARTS

#: How hidden folders and files of unfinished work begin, and where in a project they lie.
_DRAFTS = (".papilio-", ".report")
_PLACES = ("releases", "reports", "state")
_SCRATCH = ".scratch-"


def remove_leftovers(folder: Path) -> None:
    """Remove unfinished releases and reports of a project.

    Call it only while no run is under way for the project: what a run is writing looks the same.
    Files that pages are just saving are told by their locks, and stay.

    Parameters
    ----------
    folder
        Folder of the project.
    """
    for place in _PLACES:
        _remove_hidden(folder / place, _DRAFTS)


def remove_everything_left(folder: Path) -> list[Leftover]:
    """Remove also broken uploads and what spilt to disk; to be called before a server's first job.

    Returns
    -------
    list of Leftover
        What was there.
    """
    return [
        *_remove_hidden(folder, (_SCRATCH, *_DRAFTS)),
        *(each for place in PARTS for each in _remove_hidden(folder / place, _DRAFTS)),
    ]


def scratch_of(folder: Path) -> Path:
    """Place of a new hidden folder in a project for whatever spills to disk."""
    return folder / f"{_SCRATCH}{secrets.token_hex(8)}"


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it; nothing happens if it is not there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _remove_hidden(folder: Path, prefixes: tuple[str, ...]) -> list[Leftover]:
    if not folder.is_dir():
        return []
    hidden = [path for path in folder.iterdir() if path.name.startswith(prefixes)]
    return [_removed(path) for path in hidden if not is_held(path)]


def _removed(path: Path) -> Leftover:
    size = size_of(path)
    remove(path)
    return Leftover(path, size, removed=not os.path.lexists(path))
