"""A release that is being written: a hidden sibling of its target, which gets the name at the end.

Tables are written into it as Parquet or CSV files, whole or in parts, by whoever makes them: one
after the other from memory, piece by piece from disk, or by the workers of an engine. Until
:func:`seal` the target does not exist; whatever goes wrong before removes everything.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from papilio.errors import OutputError
from papilio.release.locked_folder import HIDDEN, locked_folder
from papilio.release.manifest import Manifest, PublishedFile
from papilio.release.scratch import check_target, disk_faults, target_exists

#: What file systems say that cannot be asked for a folder.
_NOT_FOR_FOLDERS = (errno.EINVAL, errno.ENOTSUP)


def flush_tree(folder: Path) -> None:
    """Wait until all files of a folder, and the folder itself, are on the disk.

    A power cut after it finds them whole. Cost: the disk's, once for each file.

    Raises
    ------
    OSError
        If the disk refuses.
    """
    for path in sorted(folder.iterdir()):
        flush_file(path)
    flush_folder(folder)


def flush_file(path: Path) -> None:
    """Wait until a file is on the disk."""
    _flush(path, os.O_RDONLY)


def flush_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the file system can tell."""
    try:
        _flush(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        if error.errno not in _NOT_FOR_FOLDERS:
            raise


def _flush(path: Path, flags: int) -> None:
    opened = os.open(path, flags)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def write_whole(path: Path, text: str) -> None:
    """Write a file that must not exist yet.

    Raises
    ------
    OutputError
        If it exists, its folder does not, or the disk refuses; nothing is left behind.
    """
    check_new(path)
    with disk_faults(path):
        put_in_place(path, text.encode(), check=check_new)


def put_in_place(
    path: Path, content: bytes, *, check: Callable[[Path], None], mode: int | None = None
) -> None:
    """Write a file in a hidden folder beside its place, and move it there once it is on the disk.

    Readers see what was there before, or all of the new file; so does everybody after a power cut.

    Parameters
    ----------
    path, content
        The file and what it shall hold.
    check
        Called with the path before the file is moved there; raising keeps it from appearing.
    mode
        Who may do what with the file; left out, what the umask says.

    Raises
    ------
    OSError
        If the disk refuses; then nothing has changed.
    """
    with locked_folder(path.absolute().parent, HIDDEN) as hidden:
        draft = hidden.path / "file"
        draft.write_bytes(content)
        if mode is not None:
            draft.chmod(mode)
        flush_file(draft)
        check(path)
        draft.replace(path)
    flush_folder(path.absolute().parent)


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


MANIFEST = "release.json"


FORMATS = ("parquet", "csv")


#: Looks at the finished directory before it gets its name; raising keeps it from appearing.
Inspection: TypeAlias = Callable[[Path], None]


@contextmanager
def draft_of(directory: Path) -> Iterator[Path]:
    """Make an empty folder for the files of a release, beside its target, and remove it afterwards.

    It lies inside a hidden one that nobody else can enter, because a directory made for all takes
    its mode from the umask, which can be asked for only by changing it. ``draft.parent`` is that
    private folder. It is for what comes from the release alone: if the run is killed it stays
    until the next one that writes to the same parent folder.

    Raises
    ------
    OutputError
        If the target exists, its parent does not, or the disk refuses at any moment inside.
    """
    check_target(directory)
    with disk_faults(directory), locked_folder(directory.absolute().parent, HIDDEN) as private:
        draft = private.path / "release"
        draft.mkdir()
        yield draft


def part_file(table: str, number: int, format: str = "parquet") -> str:  # noqa: A002
    """Name of one of several files of a table; parts are numbered from 1."""
    return f"{table}.{number:05d}.{format}"


def table_file(table: str, format: str = "parquet") -> str:  # noqa: A002
    """Name of the only file of a table."""
    return f"{table}.{format}"


def seal(
    draft: Path,
    directory: Path,
    manifest: Manifest,
    hierarchies: Mapping[str, str],
    inspect: Inspection | None = None,
) -> Path:
    """Complete a draft whose tables are written, and give it its name.

    Writes the hierarchy files, adds up the SHA-256 of every file in small pieces, writes
    ``release.json``, has the whole inspected, waits until it is on the disk, and renames. Must be
    called inside :func:`draft_of`.

    Parameters
    ----------
    draft
        What :func:`draft_of` gave. Files of a table ``patients`` are ``patients.parquet``, or
        ``patients.00001.parquet`` and so on; or the same with ``csv``.
    directory
        The target, as given to :func:`draft_of`.
    manifest
        What the release says, with the true number of rows of each table and without files.
    hierarchies
        Texts that go with it, by file name.
    inspect
        Called with the complete draft before it is renamed.

    Raises
    ------
    OutputError
        If a table has no file or a file has no table, or the target was made in the meantime.
    """
    _check_clash(draft, hierarchies)
    owners = _owners(draft, manifest)
    for file, text in hierarchies.items():
        (draft / file).write_text(text, encoding="utf-8")
    files = tuple(
        PublishedFile(path.name, _sha256(path), owners.get(path.name))
        for path in sorted(draft.iterdir())
    )
    complete = replace(manifest, files=files).to_json()
    (draft / MANIFEST).write_text(complete, encoding="utf-8")
    if inspect is not None:
        inspect(draft)
    flush_tree(draft)
    _rename(draft, directory)
    _confirm(directory)
    return directory


def _check_clash(draft: Path, hierarchies: Mapping[str, str]) -> None:
    clash = sorted(path.name for path in draft.iterdir() if path.name in (*hierarchies, MANIFEST))
    if clash:
        raise name_clash(clash[0].rpartition(".")[0])


def name_clash(table: str) -> OutputError:
    """Return the error for a table that is called like another file of its release."""
    return OutputError(
        f"the table '{table}' has the name of a file of its release; give it another with "
        "'name' in the policy's source",
        reason="name-clash",
    )


def _owners(draft: Path, manifest: Manifest) -> dict[str, str]:
    """Table of each file."""
    tables = [table.name for table in manifest.tables]
    found = {path.name: _owner(path.name, tables) for path in draft.iterdir()}
    stray = sorted(name for name, table in found.items() if table is None)
    if stray:
        raise OutputError(
            f"{len(stray)} files of the draft belong to no table of the release; "
            "nothing was written",
            reason="stray-file",
        )
    owners = {name: table for name, table in found.items() if table is not None}
    empty = [table for table in tables if table not in owners.values()]
    if empty:
        raise OutputError(
            f"no file of the table '{empty[0]}' was written; nothing was written",
            reason="no-table-file",
        )
    return owners


def _owner(file: str, tables: list[str]) -> str | None:
    """Table a file belongs to; a table called as the file is goes before one it is a part of."""
    stem, _, format = file.rpartition(".")  # noqa: A001
    if format not in FORMATS:
        return None
    if stem in tables:
        return stem
    part = re.fullmatch(r"(.*)\.\d{5,}", stem, re.DOTALL)
    return part[1] if part is not None and part[1] in tables else None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _rename(draft: Path, directory: Path) -> None:
    # Renaming would silently replace an empty directory made in the meantime.
    check_target(directory)
    try:
        draft.rename(directory)
    except OSError as error:
        if error.errno in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
            raise target_exists(directory) from None
        raise


def _confirm(directory: Path) -> None:
    """Wait until the name is on the disk as well."""
    try:
        flush_folder(directory.absolute().parent)
    except OSError as error:
        raise OutputError(
            f"{directory} was written, but the disk does not confirm it ({error.strerror}); check "
            "the disk and verify the release",
            reason="not-confirmed",
        ) from None
