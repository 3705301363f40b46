"""A source and what the policy says of its columns to a :class:`~papilio.data.table.Table`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl

from papilio.data.io.read import Raw
from papilio.data.table import Column, ColumnType, Table
from papilio.data.types import column_type, convert
from papilio.errors import DataError


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
