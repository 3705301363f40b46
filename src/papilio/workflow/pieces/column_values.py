"""What occurs in a column that is never held as a whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """The distinct values of a column, and how often each occurs.

    Attributes
    ----------
    values
        Distinct values as they were read; NULL may be one of them.
    counts
        Rows that have each value.
    first
        The first of these rows, from 0, for messages; ``None`` if nobody knows.
    complete
        Whether all values are here. If there were too many, ``values`` are numbers or dates of the
        column's final type that stand for all of them, with the smallest and the largest; or
        nothing at all, of a column of text.
    """

    values: pl.Series
    counts: NDArray[np.int64]
    first: NDArray[np.int64] | None = None
    complete: bool = True


def summed(values: pl.Series, counts: NDArray[np.int64]) -> tuple[pl.Series, NDArray[np.int64]]:
    """Distinct values and their counts, where some values may have become equal."""
    frame = pl.DataFrame({"value": values, "count": counts})
    found = frame.group_by("value").agg(pl.col("count").sum()).sort("value", nulls_last=False)
    return found.get_column("value").alias(values.name), found.get_column("count").to_numpy()
