"""Generalised cells read back: what each may be. See ``docs/release-format.md``."""

from __future__ import annotations

import json
from dataclasses import dataclass

import polars as pl

from papilio.errors import DataError
from papilio.release.manifest import PublishedColumn

_OR_NULL = " or NULL"


@dataclass(frozen=True, eq=False)
class Ranges:
    """Cells of a column of ranges.

    Attributes
    ----------
    low, high
        Smallest and largest possible value, typed as in the original; NULL where there is none.
    null
        Whether the cell may be NULL.
    """

    low: pl.Series
    high: pl.Series
    null: pl.Series


def read_ranges(column: PublishedColumn, cells: pl.DataFrame, dtype: pl.DataType) -> Ranges:
    """Read ranges.

    Parameters
    ----------
    column
        A column whose ``cells`` are ``range``.
    cells
        A frame with its published columns.
    dtype
        Type of the column in the original.
    """
    if column.text:
        return _text_ranges(cells.get_column(column.published[0]), dtype)
    low, high, *null = (cells.get_column(name) for name in column.published)
    return Ranges(low.cast(dtype), high.cast(dtype), null[0] if null else low.is_null())


def _text_ranges(cells: pl.Series, dtype: pl.DataType) -> Ranges:
    null = cells.str.ends_with(_OR_NULL).fill_null(value=True)
    # Neither a number nor a date contains ", ".
    parts = cells.str.strip_suffix(_OR_NULL).str.strip_chars("[]").str.split(", ")
    first, last = parts.list.first(), parts.list.last()
    return Ranges(_parse(first, dtype), _parse(last, dtype), null)


def _parse(values: pl.Series, dtype: pl.DataType) -> pl.Series:
    if dtype == pl.Date:
        return values.str.to_date()
    if isinstance(dtype, pl.Datetime):
        # Hours and minutes follow a blank; a time zone, where there is one, is UTC.
        naive = values.str.head(26).str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us")
        return naive.dt.replace_time_zone(dtype.time_zone)
    return values.cast(dtype)


def other_original(column: str, cells: int) -> DataError:
    """Make the error for published cells that the original does not know."""
    return DataError(
        f"column '{column}': {cells} published cells are unknown to the original; use the data "
        "the release was made from",
        reason="other-original",
    )


def read_sets(column: PublishedColumn, cells: pl.Series) -> list[list[str | None]]:
    """Read sets: the values each cell may have, booleans as ``true`` and ``false``.

    Cost: one pass in Python over ``cells``; pass distinct ones.
    """
    read = _text_members if column.text else _json_members
    return [read(cell) for cell in cells]


def _json_members(cell: str) -> list[str | None]:
    return [str(v).lower() if isinstance(v, bool) else v for v in json.loads(cell)]


def _text_members(cell: str) -> list[str | None]:
    """Read ``{a, "b, c", NULL}``."""
    rest, members = cell[1:-1], list[str | None]()
    while rest:
        if rest.startswith('"'):
            value, end = json.JSONDecoder().raw_decode(rest)
        else:
            value, _, _ = rest.partition(", ")
            end = len(value)
            value = None if value == "NULL" else value
        members.append(value)
        rest = rest[end:].removeprefix(", ")
    return members
