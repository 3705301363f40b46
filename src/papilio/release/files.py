"""The files of a release, each looked at before anything reads it.

A release may come from anybody. A file of it is a regular file inside its directory, is what the
manifest says by its SHA-256, and says nothing of itself that a reader would wrongly believe. It is
read by name afterwards; that it is still the same then is told by its stamp.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from papilio.errors import RefusedError, ReleaseError
from papilio.release.manifest import Manifest, PublishedFile
from papilio.release.parquet.footer import read_footer
from papilio.release.parquet.pages import check_pages
from papilio.release.read_table import read_header


def check_parquet(file: int, size: int) -> None:
    """Refuse a Parquet file that says more, or other things, than its rows.

    Afterwards all readers see the same rows, skip none of them, and need no more memory than the
    size of the file allows. Whether the rows are what the manifest says is not checked here.

    Cost: the footer and the heads of the pages; one pass over the values if the file says anything
    about them, which those of Papilio do not.

    Parameters
    ----------
    file, size
        Descriptor and length of the file.

    Raises
    ------
    RefusedError
        With what is wrong.
    """
    footer = read_footer(file, size)
    check_pages(file, size, footer)
    if footer.has_statistics:
        from papilio.release.parquet.statistics import check_statistics

        check_statistics(file, footer)


#: Device, inode, size, and times of the last change of content and of entry.
Stamp: TypeAlias = tuple[int, int, int, int, int]
#: What is wrong with a file that is not there, or not the one that was listed.
MISSING, CHANGED = "is missing", "changed"
#: Largest file of a release that carries no table, in bytes.
LARGEST_TEXT = 64 << 20
# Not waiting matters for pipes, which are refused once they are open.
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True)
class Seen:
    """What a file looked like.

    Attributes
    ----------
    stamp
        By which it is known again; ``None`` if it could not be opened.
    fault
        What is wrong with it, as the end of a sentence that begins with its name.
    """

    stamp: Stamp | None = None
    fault: str | None = None

    @property
    def readable(self) -> bool:
        """Whether it may be read; what changed may, by those who say so."""
        return self.fault in (None, CHANGED)


def look_at(directory: Path, file: PublishedFile) -> Seen:
    """Look at a file of a release.

    Cost: its SHA-256, some 1 GB a second, and what :func:`check_parquet` takes.
    """
    try:
        opened = os.open(directory / file.name, _FLAGS)
    except (OSError, ValueError) as error:
        return Seen(fault=_why(error))
    try:
        status = os.fstat(opened)
        return Seen(_stamp(status), _fault(opened, status, file))
    except OSError:
        return Seen(fault="cannot be read")
    finally:
        os.close(opened)


def read_text(path: Path, most: int) -> str:
    """Read a text file of a release that is not listed: its manifest.

    Raises
    ------
    OSError, ValueError
        If it is not a regular file of at most so many bytes in UTF-8.
    """
    opened = os.open(path, _FLAGS)
    try:
        status = os.fstat(opened)
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            raise ValueError("not a file of such a size")
        with os.fdopen(os.dup(opened), "rb") as file:
            return file.read(most).decode("utf-8")
    finally:
        os.close(opened)


def look_at_all(directory: Path, manifest: Manifest) -> dict[str, Seen]:
    """Look at every file that a manifest lists."""
    return {file.name: look_at(directory, file) for file in manifest.files}


def checked_files(directory: Path, manifest: Manifest) -> dict[str, Stamp]:
    """Check every file that a manifest lists, and give the stamps of all.

    Raises
    ------
    ReleaseError
        If one is missing, is not a regular file, has another SHA-256, or is not what a release may
        have.
    """
    stamps = {}
    for name, seen in look_at_all(directory, manifest).items():
        if seen.stamp is None or seen.fault is not None:
            raise _refusal(directory, name, seen.fault or MISSING)
        stamps[name] = seen.stamp
    return stamps


def check_unchanged(directory: Path, stamps: Mapping[str, Stamp]) -> None:
    """Refuse files that are not those any more that were checked.

    Raises
    ------
    ReleaseError
        If one is another, or was written to. A write that falls into the same tick of the file
        system's clock is not seen.
    """
    for name in changed_since(directory, stamps):
        if not (directory / name).is_file():
            raise _refusal(directory, name, MISSING)
        raise ReleaseError(
            f"{directory}: file {name} changed while it was read; read the release again when "
            "nothing writes to it",
            reason="changed-while-reading",
        )


def changed_since(directory: Path, stamps: Mapping[str, Stamp]) -> list[str]:
    """Names of files that are not those any more that were looked at."""
    return [name for name, stamp in stamps.items() if _stamp_of(directory / name) != stamp]


def _refusal(directory: Path, name: str, fault: str) -> ReleaseError:
    if fault == MISSING:
        return ReleaseError(f"{directory}: file {name} is missing", reason="missing-file")
    if fault == CHANGED:
        return ReleaseError(
            f"{directory}: file {name} is not the one that release.json lists; get the release "
            "anew, or see papilio verify",
            reason="changed-file",
        )
    return ReleaseError(
        f"{directory}: file {name} {fault}; see docs/release-format.md", reason="unreadable-table"
    )


def _why(error: OSError | ValueError) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.ENOENT, errno.ENOTDIR):
        return MISSING
    return "is a link" if number == errno.ELOOP else "cannot be read"


def _fault(opened: int, status: os.stat_result, file: PublishedFile) -> str | None:
    if not stat.S_ISREG(status.st_mode):
        return "is not a file"
    if file.table is None and status.st_size > LARGEST_TEXT:
        return f"is larger than {LARGEST_TEXT >> 20} MiB"
    try:
        if file.table is not None:
            _check_table(opened, status.st_size, file.name)
    except RefusedError as error:
        return str(error)
    return None if _sha256(opened) == file.sha256 else CHANGED


def _check_table(opened: int, size: int, name: str) -> None:
    if Path(name).suffix == ".csv":
        read_header(opened)
    else:
        check_parquet(opened, size)


def _sha256(opened: int) -> str:
    with os.fdopen(os.dup(opened), "rb") as file:
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()


def _stamp(status: os.stat_result) -> Stamp:
    times = (status.st_mtime_ns, status.st_ctime_ns)
    return (status.st_dev, status.st_ino, status.st_size, *times)


def _stamp_of(path: Path) -> Stamp | None:
    try:
        return _stamp(path.lstat())
    except OSError:
        return None
