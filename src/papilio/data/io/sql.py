"""A SELECT over files, run by DuckDB in a process of its own.

The query gets what it needs and no more: the rows of the files it names, nothing else of the disk,
no network, no extensions, no variables of the Python program, and no temporary files, so that no
raw data is left on disk; but for a private folder where a table is larger than memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from papilio.data.io.arrow_frame import check_types, code_text
from papilio.data.source import SqlSource
from papilio.data.sql.limits import looking, running
from papilio.data.sql.process import Child, child
from papilio.errors import DataError

_WHERE = "the SQL source"


def load_sql(source: SqlSource, columns: Collection[str] | None) -> pa.Table:
    """Run the query; text columns are dictionary-coded as they arrive.

    Parameters
    ----------
    source
        The query and the folder of its files.
    columns
        Names to load; others are not computed.

    Raises
    ------
    DataError
        With the kind of fault and its line, but without DuckDB's own message, which repeats
        cells.

    Notes
    -----
    Cost: that of the query, half a second for its process, and all columns of its files, which
    are read whatever the query uses of them.
    """
    return load_sql_named(source, columns)[0]


def load_sql_named(
    source: SqlSource, columns: Collection[str] | None
) -> tuple[pa.Table, tuple[str, ...]]:
    """Run the query as :func:`load_sql` does; also the names of all of its columns.

    To ask for the names first would cost a process of its own.
    """
    heard: list[tuple[str, ...]] = []
    with child("rows", source, running(), columns) as started:
        batches, schema = _rows(started, heard.append)
        table = code_text(batches, schema)
    return table, heard[0]


def spool_sql(
    source: SqlSource, columns: Collection[str] | None, file: BinaryIO, *, memory: int, spill: Path
) -> None:
    """Run the query once and write what it returns to a Parquet file, batch by batch.

    Parameters
    ----------
    source, columns
        As for :func:`load_sql`.
    file
        An open file, which need not have a name.
    memory
        Bytes that DuckDB may use.
    spill
        A private folder for what does not fit.

    Raises
    ------
    DataError
        As :func:`load_sql`.
    """
    with child("rows", source, running(memory), columns, spill) as started:
        batches, schema = _rows(started)
        with pq.ParquetWriter(file, schema) as writer:
            for batch in batches:
                writer.write_batch(batch)


def sql_header(source: SqlSource) -> tuple[str, ...]:
    """Column names of the result; the query is bound but not run."""
    with child("header", source, looking()) as started:
        return started.names()


def file_names(sql: str) -> tuple[str, ...]:
    """Names of the files a statement reads, as they are written.

    Raises
    ------
    DataError
        If it does not parse, is not a single SELECT, or computes the name of a file.
    """
    names = _file_names(sql)
    if isinstance(names, DataError):
        raise DataError(str(names), reason=names.reason)
    return names


@lru_cache(maxsize=64)
def _file_names(sql: str) -> tuple[str, ...] | DataError:
    """Names, or what is wrong; both are remembered, for pages ask again and again."""
    with child("files", SqlSource(sql, Path()), looking()) as started:
        try:
            return started.names()
        except DataError as error:
            return error.with_traceback(None)


def _rows(
    started: Child, tell: Callable[[tuple[str, ...]], object] = len
) -> tuple[Iterator[pa.RecordBatch], pa.Schema]:
    """Rows as they come, and their types."""
    reader = started.rows()
    check_types(reader.schema, reader.schema.names, _WHERE)
    return started.all_of(reader, tell), reader.schema
