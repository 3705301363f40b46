"""Columns of the original as arrays: numbers as they are, everything else as numbered values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.manifest import PublishedColumn
from papilio.verify.numbering import comparable, compared_as
from papilio.verify.opened import look_up


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
