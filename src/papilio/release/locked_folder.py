"""A folder of one run, which says by a lock whether that run still lives.

The operating system gives a lock back when its process ends, however it ends. So a folder whose
lock nobody holds was left by a run that was killed, and :mod:`papilio.release.leftovers` may remove
it; one whose lock is held belongs to a run that lives, in this process or in another.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

#: How the names of hidden folders begin in which something is written beside its place.
HIDDEN = ".papilio-"
LOCK = "papilio.lock"
#: What the lock file says; a folder without it is somebody else's.
MARK = b"A run of papilio holds the lock of this file. If none does, papilio removes the folder.\n"


@dataclass(frozen=True)
class LockedFolder:
    """A folder that only its owner can enter.

    Attributes
    ----------
    path
        Where it lies.
    lock
        The open lock file. A child process that gets it holds the lock as well, until it ends.
    """

    path: Path
    lock: int


@contextmanager
def locked_folder(parent: Path, prefix: str) -> Iterator[LockedFolder]:
    """Make a private folder with a name by chance, and remove it with all that is in it afterwards.

    What is in it when the process is killed stays until
    :func:`papilio.release.leftovers.remove_leftovers` looks at the parent.

    Parameters
    ----------
    parent
        Where it is made; on a file system of several machines, all of them must see its locks.
    prefix
        How its name begins.

    Raises
    ------
    OSError
        If the disk refuses.
    """
    folder = None
    while folder is None:
        path = parent / f"{prefix}{secrets.token_hex(8)}"
        mine = True
        # A signal may come between any two steps, so that what removes the folder stands around
        # what makes it.
        try:
            try:
                path.mkdir(mode=0o700)
            except OSError:
                mine = False
                raise
            folder = _locked(path)
            if folder is not None:
                yield folder
        finally:
            if mine:
                _remove(path, folder)


def _locked(path: Path) -> LockedFolder | None:
    """Lock a folder; ``None`` if somebody who cleans up took it in between."""
    try:
        lock = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except (FileNotFoundError, FileExistsError):
        return None
    if _taken(path, lock):
        return LockedFolder(path, lock)
    os.close(lock)
    return None


def _taken(path: Path, lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.write(lock, MARK)
        return os.path.samestat(os.fstat(lock), (path / LOCK).stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def _remove(path: Path, folder: LockedFolder | None) -> None:
    try:
        shutil.rmtree(path, ignore_errors=True)
    except KeyboardInterrupt:
        # Whoever asks twice shall not get half a clean-up.
        shutil.rmtree(path, ignore_errors=True)
        raise
    finally:
        if folder is not None:
            os.close(folder.lock)
