"""Parquet files."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from papilio.data.io.frames import check_names, check_types, choose_columns, text_columns
from papilio.data.io.unpacked import check_parquet_size
from papilio.errors import DataError


def load_parquet(path: Path, columns: Collection[str] | None) -> pa.Table:
    """Read a file; text columns are dictionary-coded.

    Parameters
    ----------
    path
        A ``.parquet`` file.
    columns
        Names to load; the pages of others are not read.

    Raises
    ------
    DataError
        If the file is broken, or a column to load has an unsupported type.

    Notes
    -----
    Dictionary pages are taken over as they are: about 0.02 s per million rows of eight text
    columns, against 0.16 s if the text is expanded.
    """
    schema = parquet_schema(path, columns)
    try:
        with pq.ParquetFile(path, read_dictionary=text_columns(schema)) as file:
            # A name with a dot also stands for a path into a struct; select() drops the latter.
            return file.read(columns=schema.names).select(schema.names)
    except (pa.ArrowException, OSError):
        raise _broken(path) from None


def stream_parquet(
    path: Path, columns: Collection[str] | None, rows: int
) -> Iterator[pa.RecordBatch]:
    """Read a file in batches of at most ``rows`` rows; see :func:`load_parquet`."""
    schema = parquet_schema(path, columns)
    try:
        with pq.ParquetFile(path, read_dictionary=text_columns(schema)) as file:
            for batch in file.iter_batches(rows, columns=schema.names):
                yield batch.select(schema.names)
    except (pa.ArrowException, OSError):
        raise _broken(path) from None


def parquet_schema(path: Path, columns: Collection[str] | None) -> pa.Schema:
    """Types of the columns to load, in the order of the file.

    Raises
    ------
    DataError
        If the file is broken, unpacks to far more than its size, or a column has an unsupported
        type.
    """
    schema = _schema(path)
    chosen = choose_columns(check_names(schema.names, str(path)), columns, str(path))
    check_types(schema, chosen, str(path))
    try:
        check_parquet_size(path, set(chosen))
    except (pa.ArrowException, OSError):
        raise _broken(path) from None
    return pa.schema([schema.field(name) for name in chosen])


def parquet_header(path: Path) -> tuple[str, ...]:
    """Column names, from the footer."""
    return check_names(_schema(path).names, str(path))


def _schema(path: Path) -> Any:
    try:
        return pq.read_schema(path)
    except (pa.ArrowException, OSError):
        raise _broken(path) from None


def _broken(path: Path) -> DataError:
    if path.exists() and path.stat().st_size == 0:
        return DataError(f"{path}: the file is empty", reason="empty-file")
    return DataError(
        f"{path}: not a Parquet file, or a broken or incomplete one", reason="broken-file"
    )
