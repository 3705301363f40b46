"""Reading a table from any source."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import polars as pl

from papilio.data.io.files import file_header, is_folder, list_folder, load_file, load_folder
from papilio.data.io.frames import to_frame
from papilio.data.io.kinds import FileKind, kind_of
from papilio.data.io.postgres import postgres_header, read_postgres
from papilio.data.io.sql import load_sql_named, sql_header
from papilio.data.source import FileSource, PostgresSource, Source, SqlSource
from papilio.data.table import Column, ColumnType, Table
from papilio.data.types import column_type, convert
from papilio.errors import DataError


@dataclass(frozen=True, eq=False)
class Raw:
    """A table as it was read, before its columns have roles and types.

    Attributes
    ----------
    name
        Name of the table, taken from its source.
    frame
        The values. Text columns of a source are ``Enum`` over their sorted distinct values.
    typed
        Whether the source knows types; if not (CSV, TSV), all columns are text.
    """

    name: str
    frame: pl.DataFrame
    typed: bool


def read(source: Source, columns: Collection[str] | None = None) -> Raw:
    """Read a table.

    Parameters
    ----------
    source
        Where it is.
    columns
        Columns to load, ``None`` for all; the result has them in the order of the source. What
        is not asked for is never held as a column.

    Raises
    ------
    DataError
        With one line that says what is wrong and where, without cells of the data.
    """
    if isinstance(source, SqlSource):
        return read_sql(source, columns)[0]
    if isinstance(source, FileSource):
        frame, typed = _read_files(source, columns)
    else:
        frame, typed = read_postgres(source, columns), True
    return _filled(source, frame, typed)


def read_sql(source: SqlSource, columns: Collection[str] | None) -> tuple[Raw, tuple[str, ...]]:
    """Read what a query returns, and the names of all of its columns; see :func:`read`."""
    table, names = load_sql_named(source, columns)
    return _filled(source, to_frame(table), typed=True), names


def _filled(source: Source, frame: pl.DataFrame, typed: bool) -> Raw:
    if frame.height == 0:
        raise empty_table(source)
    return Raw(source.name, frame, typed)


def empty_table(source: Source) -> DataError:
    """Return the error for a source without rows."""
    return DataError(
        f"{_place(source)}: the table is empty; it needs at least one row", reason="empty-table"
    )


def header(source: Source) -> tuple[str, ...]:
    """List the column names of a source without reading its rows.

    Raises
    ------
    DataError
        If the source cannot be opened, or has blank or duplicate names.
    """
    if isinstance(source, SqlSource):
        return sql_header(source)
    if isinstance(source, PostgresSource):
        return postgres_header(source)
    path = source.path
    return file_header(list_folder(path, source.allowed)[0][0] if is_folder(path) else path)


def _read_files(source: FileSource, columns: Collection[str] | None) -> tuple[pl.DataFrame, bool]:
    if is_folder(source.path):
        table, kind = load_folder(source.path, columns, source.allowed)
    else:
        table = load_file(source.path, columns)
        kind = kind_of(source.path)
    typed = kind is FileKind.PARQUET
    return to_frame(table, source.null, strip=not typed), typed


def _place(source: Source) -> str:
    if isinstance(source, FileSource):
        return str(source.path)
    return source.address if isinstance(source, PostgresSource) else "the SQL source"


def load_table(
    raw: Raw,
    wanted: Mapping[str, ColumnType | None],
    describe: Callable[[str, ColumnType], Column],
) -> Table:
    """Give every column its type and description.

    Parameters
    ----------
    raw
        What was read.
    wanted
        Columns of the table, in order, with the type each must have or ``None``.
    describe
        Called with a column's name and type; returns what the column is.

    Raises
    ------
    DataError
        If there are no rows, or a column does not have the wanted type.
    """
    if raw.frame.height == 0:
        raise DataError("the table is empty; it needs at least one row", reason="empty-table")
    series, columns = [], []
    for name, kind in wanted.items():
        converted = convert(raw.frame.get_column(name), kind, raw.typed)
        series.append(converted)
        columns.append(describe(name, kind or column_type(converted, typed=True)))
    return Table(raw.name, pl.DataFrame(series), tuple(columns))
