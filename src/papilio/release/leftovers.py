"""What killed runs left behind: found by its lock, named, and removed."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from papilio.release.locked_folder import LOCK, MARK

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Leftover:
    """A folder that a killed run left.

    Attributes
    ----------
    path
        Where it lay.
    size
        Bytes of the files in it.
    removed
        Whether it is gone now.
    """

    path: Path
    size: int
    removed: bool

    def __str__(self) -> str:
        from rich.filesize import decimal

        found = f"{self.path}, {decimal(self.size)}"
        if self.removed:
            return f"removed what a run that was killed left behind: {found}"
        return f"a run that was killed left something behind: {found}; it cannot be removed"


def remove_leftovers(parent: Path, prefix: str) -> tuple[Leftover, ...]:
    """Remove folders of :func:`papilio.release.locked_folder.locked_folder` whose runs are dead.

    A folder is one of these if it is no link, belongs to the user, has a name as they have, and a
    lock file that says so; or nothing else than an empty one, since a run may be killed before it
    writes it. Links in it are removed and not followed. Folders of runs that live stay.

    Parameters
    ----------
    parent
        Where they lie; nothing happens if it cannot be looked at.
    prefix
        How their names begin.
    """
    name = re.compile(re.escape(prefix) + "[0-9a-f]{16}")
    try:
        found = sorted(path for path in parent.iterdir() if name.fullmatch(path.name))
    except (OSError, ValueError):
        return ()
    removed = (_remove_dead(path) for path in found)
    return tuple(leftover for leftover in removed if leftover is not None)


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files of a folder; links are not followed."""
    try:
        total = 0 if path.is_dir() else path.lstat().st_size
    except OSError:
        return 0
    for folder, _, files in os.walk(path):
        for file in files:
            with suppress(FileNotFoundError):
                total += Path(folder, file).lstat().st_size
    return total


def is_held(path: Path) -> bool:
    """Tell whether a folder belongs to a run that lives."""
    try:
        with _opened(path) as folder, _locked(folder):
            return False
    except BlockingIOError:
        return True
    except OSError:
        return False


def _remove_dead(path: Path) -> Leftover | None:
    with suppress(OSError), _opened(path) as folder, _locked(folder):
        if not _is_ours(folder):
            return None
        size = size_of(path)
        shutil.rmtree(path, ignore_errors=True)
        return Leftover(path, size, removed=not os.path.lexists(path))
    return None


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """Open a folder of the user; a link is none."""
    folder = os.open(path, _FOLDER)
    try:
        if os.fstat(folder).st_uid != os.geteuid():
            raise PermissionError
        yield folder
    finally:
        os.close(folder)


@contextmanager
def _locked(folder: int) -> Iterator[None]:
    """Hold the lock of a folder; whoever is just making it notices, and makes another."""
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
    if os.listdir(folder) == []:
        flags |= os.O_CREAT
    lock = os.open(LOCK, flags, 0o600, dir_fd=folder)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(lock)


def _is_ours(folder: int) -> bool:
    lock = os.open(LOCK, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        said = os.read(lock, len(MARK) + 1)
    finally:
        os.close(lock)
    return said == MARK or (MARK.startswith(said) and os.listdir(folder) == [LOCK])
