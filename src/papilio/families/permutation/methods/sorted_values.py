"""A sensitive column whose rows stand in the order of their values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.families.permutation.methods.value_counts import ValueCounts


@dataclass(frozen=True, eq=False)
class SortedValues(ValueCounts):
    """Rows in the order of their values.

    Attributes
    ----------
    rows
        Row numbers by ascending value; rows that are NULL are not among them. ``starts`` says
        where those of each value begin.
    nulls
        Numbers of the rows that are NULL.
    """

    rows: NDArray[np.int32]
    nulls: NDArray[np.int32]


def sort_values(series: pl.Series) -> SortedValues:
    """Sort the rows of a numeric column by value. Cost: one stable sort of the column."""
    missing = series.is_null().to_numpy()
    nulls = np.flatnonzero(missing).astype(np.int32)
    known = None if not len(nulls) else np.flatnonzero(~missing).astype(np.int32)
    values = series.drop_nulls().to_numpy()
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    begins = np.flatnonzero(ascending[1:] != ascending[:-1]) + 1
    starts = np.concatenate([[0] * (len(values) > 0), begins, [len(values)]]).astype(np.int64)
    rows = order.astype(np.int32) if known is None else known[order]
    return SortedValues(ascending[starts[:-1]], starts, rows, nulls)
