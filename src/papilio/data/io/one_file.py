"""One file of any kind."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

import pyarrow as pa

from papilio.data.io.csv_file import load_csv
from papilio.data.io.csv_layout import read_layout
from papilio.data.io.kinds import FileKind, kind_of
from papilio.data.io.parquet_file import load_parquet, parquet_header
from papilio.data.io.unchanged import unchanged
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
