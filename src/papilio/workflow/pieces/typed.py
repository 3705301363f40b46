"""Rows as they were read to rows of the types that the whole table has."""

from __future__ import annotations

import polars as pl

from papilio.data.column import Column, ColumnType
from papilio.data.text_values import read_as
from papilio.data.types import convert, plain_text, rows_after
from papilio.workflow.pieces.meanings import Meanings


def typed_frame(
    raw: pl.DataFrame, meanings: Meanings, *, skipped: int = 0, labels: bool = False
) -> pl.DataFrame:
    """Give rows the types of their table.

    Parameters
    ----------
    raw
        Some rows as they were read, with at least the published columns. Text from a source
        without types has no blanks around it, and NULL instead of nothing.
    meanings
        The table.
    skipped
        Rows of the table before these, for messages.
    labels
        Leave text that was read as ``Enum`` what it is, which is faster to encode.

    Returns
    -------
    polars.DataFrame
        The published columns, in the order of the policy, text as ``String``.

    Raises
    ------
    DataError
        If a value that was not looked at before does not fit, such as an infinite number.
    """
    return pl.DataFrame(
        [
            found if labels else plain_text(found)
            for column in meanings.columns
            for found in [_typed(raw.get_column(column.name), column, meanings, skipped)]
        ]
    )


def _typed(series: pl.Series, column: Column, meanings: Meanings, skipped: int) -> pl.Series:
    final = meanings.types[column.name]
    if isinstance(series.dtype, pl.String | pl.Enum | pl.Categorical):
        # All texts of the column were looked at before, and fit.
        return series if column.type is ColumnType.CATEGORY else _read(series, final)
    seen = rows_after(skipped, len(series))
    found = convert(series, column.type, meanings.typed, seen)
    return plain_text(found).cast(final)


def _read(series: pl.Series, dtype: pl.DataType) -> pl.Series:
    if not isinstance(series.dtype, pl.Enum):
        return read_as(plain_text(series), dtype)
    values = read_as(series.dtype.categories.cast(pl.String), dtype)
    return values.gather(series.to_physical()).alias(series.name)
