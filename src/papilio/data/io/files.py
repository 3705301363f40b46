"""One file of any kind, or a folder of files of one kind with equal columns."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

import pyarrow as pa

from papilio.data.io.confine import confined
from papilio.data.io.csv_faults import read_layout
from papilio.data.io.csv_file import load_csv
from papilio.data.io.frames import choose_columns
from papilio.data.io.kinds import ACCEPTED, FileKind, kind_of, unchanged
from papilio.data.io.parquet_file import load_parquet, parquet_header
from papilio.errors import DataError


def load_file(path: Path, columns: Collection[str] | None) -> pa.Table:
    """Read a file of any kind; see the module of its kind."""
    kind = check_file(path)
    with unchanged(path):
        return load_parquet(path, columns) if kind is FileKind.PARQUET else load_csv(path, columns)


def file_header(path: Path) -> tuple[str, ...]:
    """Column names of a file of any kind."""
    kind = check_file(path)
    return parquet_header(path) if kind is FileKind.PARQUET else read_layout(path).names


def check_file(path: Path) -> FileKind:
    """Tell the kind of a file that can be read."""
    if not _is_there(path):
        raise DataError(f"{path}: no such file or folder", reason="missing-file")
    if not path.is_file():
        raise DataError(f"{path}: not a file that can be read as a table", reason="not-a-file")
    if not os.access(path, os.R_OK):
        raise DataError(f"{path}: reading the file is not permitted", reason="unreadable-file")
    return kind_of(path)


def is_folder(path: Path) -> bool:
    """Whether a path leads to a folder; a name that no file can have does not."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        # No file can have such a name.
        return False


def load_folder(
    path: Path, columns: Collection[str] | None, allowed: Collection[Path] | None = None
) -> tuple[pa.Table, FileKind]:
    """Read all files of a folder, in the order of their names.

    Names that begin with ``.`` or ``_`` are left out, as other programs do. Anything else that is
    not a readable file is refused rather than skipped: a file that is left out by mistake would
    be people left out by mistake.

    Raises
    ------
    DataError
        If the folder holds no file, files of several kinds, files with different columns or
        types, or links to files outside of it and ``allowed``.
    """
    files, kind = list_folder(path, allowed)
    names = file_header(files[0])
    choose_columns(names, columns, str(path))
    parts = []
    with unchanged(path):
        for file in files:
            check_equal(names, file)
            parts.append(load_file(file, columns))
    return _join([part.select(parts[0].column_names) for part in parts], path), kind


def list_folder(path: Path, allowed: Collection[Path] | None = None) -> tuple[list[Path], FileKind]:
    """List the files of a folder and tell their kind.

    Raises
    ------
    DataError
        If there is none, they are of several kinds, or one is a link that leads out of the folder
        and ``allowed``, where ``None`` allows any place.
    """
    files = sorted(entry for entry in path.iterdir() if not entry.name.startswith((".", "_")))
    if not files:
        raise DataError(f"{path}: the folder has no files; {ACCEPTED}", reason="empty-folder")
    found = {kind_of(file) for file in files}
    if len(found) > 1:
        raise DataError(
            f"{path}: the folder has files of several kinds ({', '.join(sorted(found))}); "
            "files of one kind are accepted",
            reason="mixed-kinds",
        )
    for file in files:
        confined(file.name, path, allowed)
    return files, found.pop()


def check_equal(names: tuple[str, ...], file: Path) -> None:
    """Refuse a file that has other columns than the first of its folder."""
    if set(file_header(file)) != set(names):
        raise DataError(
            f"{file}: its columns differ from those of the first file of the folder; all files "
            "need the same columns",
            reason="unequal-columns",
        )


def _join(parts: list[pa.Table], path: Path) -> pa.Table:
    try:
        return pa.concat_tables(parts, promote_options="permissive")
    except pa.ArrowException:
        raise unequal_types(path) from None


def unequal_types(path: Path) -> DataError:
    """Return the error for files whose columns cannot be put together."""
    return DataError(
        f"{path}: a column has different types in different files; all files need the same types",
        reason="unequal-types",
    )
