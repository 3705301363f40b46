"""What a witness is checked with: source rows of lines, values of columns, sums of rows.

Lines of a table must be made of different source rows, and of enough of them. Columns of the
original are arrays: numbers as they are, everything else as numbered values. Whether two tables
hold the same rows is told from one number each, in any order and in parts.

Every row becomes a number of 64 bits under random keys, and numbers are added up. Equal tables have
equal sums. Tables that differ, be it in one cell or in how often a row occurs, have equal sums with
a chance of about 2**-64, since whoever made them does not know the keys. This finds mistakes; it is
no signature against somebody who knows the keys.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.numbering import comparable, compared_as
from papilio.verify.opened import Opened, look_up

Rows = NDArray[np.integer[Any]]


def row_faults(opened: Opened, table: PublishedTable, rows: Rows | None, count: int) -> list[str]:
    """Say what is wrong with the source rows that the lines of a table are said to be made of.

    Parameters
    ----------
    opened, table
        The release, and the table in question.
    rows
        Source row of each line, in the order in which the lines were written.
    count
        Number of source rows.
    """
    if rows is None:
        return [f"nobody says what the lines of '{table.name}' are made of"]
    (lines,) = opened.row(f"SELECT count(*) FROM {sql.name(table.name)}")
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or len(rows) != lines:
        return [f"{lines} lines are published, and {len(rows)} are said to be"]
    if lines and not (int(rows.min()) >= 0 and int(rows.max()) < count):
        return ["lines are made of rows that the original does not have"]
    faults = []
    different = named(rows, count).sum()
    if different < lines:
        faults.append(f"{lines - different} lines repeat a row of the original")
    missing = count - different
    if missing > spare_rows(table, count):
        faults.append(f"{missing} of {count} rows of the original are missing")
    return faults


def named(rows: Rows, count: int) -> NDArray[np.bool_]:
    """Which of the source rows are named."""
    seen = np.zeros(count, bool)
    seen[rows] = True
    return seen


def spare_rows(table: PublishedTable, count: int) -> int:
    """Rows that may be left out: floor(share n) of n; all if nothing is said about it."""
    share = table.left_out_at_most
    if share == 1:
        return count
    return math.floor(Fraction(str(share)) * count) if 0 <= share < 1 else 0


_Words = NDArray[np.uint64]
#: Odd numbers and shifts of SplitMix64, which spread every bit over all bits.
_STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_LAST = 31


@dataclass(frozen=True)
class RowSum:
    """What is left of some rows.

    Attributes
    ----------
    rows
        How many.
    total
        Sum of their numbers, modulo 2**64.
    """

    rows: int = 0
    total: int = 0

    def __add__(self, other: RowSum) -> RowSum:
        return RowSum(self.rows + other.rows, (self.total + other.total) % (1 << 64))


def keys_needed(columns: int) -> int:
    """How many random keys tables of some columns take."""
    return 2 * columns + 1


def sum_rows(frame: pl.DataFrame, keys: _Words, unsigned_zero: Collection[str] = ()) -> RowSum:
    """Add up the rows of a table.

    Parameters
    ----------
    frame
        Some rows. Text may be ``String`` or any ``Enum``; other columns must have the same type in
        all tables that are compared.
    keys
        Random keys, :func:`keys_needed` of them, the same for all tables that are compared.
    unsigned_zero
        Columns in which minus zero is zero; elsewhere numbers differ if a bit does.

    Notes
    -----
    Cost: some ten operations per cell, and a hash per text, or per distinct one of an ``Enum``.
    """
    found = np.full(frame.height, keys[-1], np.uint64)
    for place, series in enumerate(frame.iter_columns()):
        own, missing = keys[2 * place : 2 * place + 2]
        words = _words(series, int(own), series.name in unsigned_zero) + own
        if series.null_count():
            words[series.is_null().to_numpy()] = missing
        found ^= words
        _mix(found)
    return RowSum(frame.height, int(found.sum(dtype=np.uint64)))


def _words(series: pl.Series, seed: int, unsigned_zero: bool) -> _Words:
    """A number of 64 bits for each value; anything where it is NULL."""
    if isinstance(series.dtype, pl.Enum):
        known = series.dtype.categories.hash(seed).to_numpy()
        codes = series.to_physical().fill_null(0).to_numpy()
        return known[codes] if len(known) else np.zeros(len(series), np.uint64)
    if series.dtype == pl.String:
        return series.hash(seed).to_numpy().copy()
    if series.dtype.is_float():
        numbers = series.cast(pl.Float64).fill_null(0.0).to_numpy()
        return (numbers + 0.0 if unsigned_zero else numbers).view(np.uint64)
    whole = series.to_physical().cast(pl.Int64).fill_null(0).to_numpy()
    return whole.view(np.uint64)


def _mix(words: _Words) -> None:
    for shift, odd in _STEPS:
        words ^= words >> np.uint64(shift)
        words *= np.uint64(odd)
    words ^= words >> np.uint64(_LAST)


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column of numbers.

    Attributes
    ----------
    values
        Value of each row, whole or floating; anything where it is NULL.
    null
        Where it is NULL; ``None`` if nowhere.
    """

    values: NDArray[Any]
    null: NDArray[np.bool_] | None

    def take(self, rows: NDArray[np.integer[Any]]) -> Numbers:
        """Give the rows with these numbers."""
        null = None if self.null is None else self.null[rows]
        return Numbers(self.values[rows], null)


@dataclass(frozen=True, eq=False)
class Coded:
    """A column whose distinct values are numbered.

    Attributes
    ----------
    codes
        Place of each row's value in ``distinct``; one past its end for NULL.
    distinct
        The values that occur, and perhaps others, without NULL.
    """

    codes: NDArray[np.integer[Any]]
    distinct: pl.Series


def numbers_of(column: pl.Series) -> Numbers:
    """Read a column of numbers, booleans (0 and 1) or moments (microseconds since 1970, UTC)."""
    if column.dtype.is_temporal():
        column = column.dt.epoch("us")
    if column.dtype == pl.Boolean:
        column = column.cast(pl.Int64)
    if not column.null_count():
        return Numbers(column.to_numpy(), None)
    return Numbers(column.fill_null(0).to_numpy(), column.is_null().to_numpy())


def coded(column: pl.Series) -> Coded:
    """Number the distinct values of a column.

    Cost: a sort of the distinct values and a search for each row; nothing where the column is a
    dictionary already.
    """
    if isinstance(column.dtype, pl.Enum):
        distinct, codes = column.dtype.categories, column.to_physical()
    else:
        distinct = column.drop_nulls().unique().sort()
        codes = distinct.search_sorted(column)
    if column.null_count():
        codes = pl.select(
            pl.when(column.is_null()).then(len(distinct)).otherwise(codes.cast(pl.Int64))
        ).to_series()
    return Coded(codes.to_numpy(), distinct)


def as_compared(column: PublishedColumn, distinct: pl.Series) -> tuple[NDArray[Any], NDArray[Any]]:
    """Distinct values as they are compared with cells, ascending, and the place of each in them."""
    if compared_as(column) == "category" and column.type == "category":
        found = np.array([*distinct.to_list(), None], object)[:-1]
    else:
        table = pl.DataFrame({column.name: distinct}).to_arrow()
        found = np.ma.getdata(look_up(table, f"SELECT {comparable(column)} AS v FROM {{}}"))
    return np.unique(found, return_inverse=True)
