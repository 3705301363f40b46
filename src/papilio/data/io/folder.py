"""A folder of files of one kind with equal columns, read as one table."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pyarrow as pa

from papilio.data.io.columns import choose_columns
from papilio.data.io.confine import confined
from papilio.data.io.kinds import ACCEPTED, FileKind, kind_of
from papilio.data.io.one_file import file_header, load_file
from papilio.data.io.unchanged import unchanged
from papilio.errors import DataError


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
