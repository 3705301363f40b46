"""The private place for what a run must put on disk meanwhile, away from what is published.

What Papilio writes itself goes to files without names (:func:`unnamed_file`): they are deleted as
they are opened, and the operating system frees them when the run ends, however it ends. Libraries
that insist on names write to a folder of the run (:func:`scratch_folder`), which is removed at its
end, or, if it is killed, at the next start of any command (:func:`clear`).

It does not protect against other programs of the same user while the run lives, nor against
somebody who reads the raw disk later: blocks that were freed are not overwritten.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

import polars as pl

from papilio.errors import OutputError
from papilio.release.locked_folder import (
    HIDDEN,
    Leftover,
    LockedFolder,
    locked_folder,
    remove_leftovers,
)


@contextmanager
def disk_faults(target: Path) -> Iterator[None]:
    """Say what the disk refused in one line."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        number = _error_number(error)
        if number is None and not isinstance(error, OSError):
            raise
        if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise OutputError(
                f"{target}: the disk is full; nothing was written", reason="disk-full"
            ) from None
        raise OutputError(
            f"{target} cannot be written ({os.strerror(number or errno.EIO)}); nothing was written",
            reason="cannot-write",
        ) from None


def _error_number(error: Exception) -> int | None:
    """Number of the operating system's error; Polars tells it in its message only."""
    told = getattr(error, "errno", None)
    found = re.search(r"\(os error (\d+)\)", str(error)) if told is None else None
    return told if found is None else int(found[1])


def check_target(directory: Path) -> None:
    """Refuse a target that exists or whose parent folder does not."""
    with disk_faults(directory):
        if directory.exists() or directory.is_symlink():
            raise target_exists(directory)
        if not directory.absolute().parent.is_dir():
            raise OutputError(
                f"{directory.parent} is not a directory; create it first", reason="no-parent"
            )


def target_exists(directory: Path) -> OutputError:
    """Return the error for a target that is there already."""
    return OutputError(
        f"{directory} exists already; name a directory that does not, or remove it first",
        reason="target-exists",
    )


#: Names a folder with enough room, if the usual place has not.
VARIABLE = "PAPILIO_SCRATCH"
_RUN = "run-"


@contextmanager
def scratch_folder() -> Iterator[LockedFolder]:
    """Make a folder for this run that nobody else can enter, and remove it afterwards.

    Raises
    ------
    OutputError
        If there is no place for it that is private and can be written.
    """
    place = scratch_place()
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(locked_folder(place, _RUN))
        except OSError as error:
            raise _unusable(place, error) from None
        yield folder


def unnamed_file(folder: Path) -> BinaryIO:
    """Open a file for reading and writing that has no name, and is gone when it is closed."""
    return cast("BinaryIO", tempfile.TemporaryFile(dir=folder))


def path_of(file: BinaryIO) -> Path:
    """Give a path by which libraries in this process can open a file without a name."""
    return Path(f"/dev/fd/{file.fileno()}")


def clear(*parents: Path) -> tuple[Leftover, ...]:
    """Remove what killed runs left in the place, and unfinished work of theirs in some folders.

    Runs that live keep what is theirs. To be called when something starts; what is returned is for
    the user to know.

    Parameters
    ----------
    parents
        Folders that releases or other files are written to.
    """
    try:
        place = scratch_place()
    except OutputError:
        # Whatever is there is not ours; who needs the place will say so.
        found: tuple[Leftover, ...] = ()
    else:
        found = remove_leftovers(place, _RUN)
    return found + tuple(each for parent in parents for each in remove_leftovers(parent, HIDDEN))


def scratch_place() -> Path:
    """Make sure of the place that folders of runs lie in, which is private to the user.

    It is a folder inside the one that :data:`VARIABLE` names; else inside the user's folder for the
    state of programs, which is on a disk where the one for temporary files often is memory; and
    if there is none, inside the folder for temporary files.

    Raises
    ------
    OutputError
        If it cannot be made, is a link, belongs to somebody else, or others can enter it.
    """
    said = os.environ.get(VARIABLE)
    if said:
        return _told(Path(said).expanduser().absolute())
    try:
        base = state_folder()
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _private(base)
    except (OSError, RuntimeError):
        # Some users have no folder of their own.
        return _told(Path(tempfile.gettempdir()))


def state_folder() -> Path:
    """Name the user's folder for what a program keeps between its runs; it need not exist.

    Raises
    ------
    RuntimeError
        If the user has no folder of their own.
    """
    from platformdirs import user_state_path

    return user_state_path("papilio", appauthor=False)


def _told(base: Path) -> Path:
    try:
        return _private(base)
    except OSError as error:
        raise _unusable(base, error) from None


def _private(base: Path) -> Path:
    """Make a folder inside another one, or take it if it is there and private."""
    place = base / f"papilio-scratch-{os.geteuid()}"
    with suppress(FileExistsError):
        place.mkdir(mode=0o700)
    found, around = place.lstat(), base.stat()
    private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    # Where everybody may rename everything, a folder can be exchanged after it was looked at.
    exchangeable = around.st_mode & stat.S_IWOTH and not around.st_mode & stat.S_ISVTX
    if not private or found.st_uid != os.geteuid() or exchangeable:
        raise OutputError(
            f"{place} is not a folder that only you can enter and rename; remove it, or name a "
            f"folder of your own in {VARIABLE}",
            reason="scratch-not-private",
        )
    return place


def _unusable(place: Path, error: OSError) -> OutputError:
    return OutputError(
        f"{place}: temporary files cannot be written there ({error.strerror}); name a folder of "
        f"your own, with enough room, in {VARIABLE}",
        reason="scratch-unusable",
    )
