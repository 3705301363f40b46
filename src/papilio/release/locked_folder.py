"""A folder of one run, which says by a lock whether that run still lives.

The operating system gives a lock back when its process ends, however it ends. So a folder whose
lock nobody holds was left by a run that was killed and may be removed; one whose lock is held
belongs to a run that lives, in this process or in another.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
    :func:`papilio.release.locked_folder.remove_leftovers` looks at the parent.

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
        with _opened(path) as folder, _is_locked(folder):
            return False
    except BlockingIOError:
        return True
    except OSError:
        return False


def _remove_dead(path: Path) -> Leftover | None:
    with suppress(OSError), _opened(path) as folder, _is_locked(folder):
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
def _is_locked(folder: int) -> Iterator[None]:
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
