"""The help table of a permuted release: what aggregates over so many rows of a group can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.kernels.ke_help import help_rows

#: Published columns of the help table after group and hits, by the aggregate they are about.
AGGREGATES = {
    "count": ("count_lo", "count_hi"),
    "sum": ("sum_lo", "sum_hi", "sum_mean", "sum_var"),
    "min": ("min_lo", "min_hi"),
    "max": ("max_lo", "max_hi"),
    "avg": ("avg_lo", "avg_hi"),
}

_WHOLE = ("group", "hits", "count_lo", "count_hi")
_SUMS = ("sum_lo", "sum_hi")
_ENDS = ("min_lo", "min_hi", "max_lo", "max_hi")
_REAL = ("avg_lo", "avg_hi", "sum_mean", "sum_var")
#: Columns as kernels fill them: whole numbers, sums, ends of cells, real numbers.
BLOCKS = (_WHOLE, _SUMS, _ENDS, _REAL)


def help_table(
    lows: pl.Series,
    highs: pl.Series,
    inside: NDArray[np.float64],
    cells: NDArray[np.int64],
    rows: NDArray[np.int64],
    group: str,
) -> pl.DataFrame:
    """Compute the help table of groups of cells that are values, intervals or NULL.

    Parameters
    ----------
    lows, highs
        Ends of each cell, group after group; equal where cells are values, NULL where they are.
    inside
        Variance inside each cell; 0 for values.
    cells
        Number of cells of each group.
    rows
        Number of people of each group, at most as many.
    group
        Name of the column with the number of the group.

    Notes
    -----
    Formulas in docs/papers.md and ``docs/release-format.md``. Cost: sorting each group's cells, and
    14 numbers per person.
    """
    missing = lows.is_null().to_numpy()
    which = np.repeat(np.arange(len(cells)), cells)[~missing]
    nulls = cells - np.bincount(which, minlength=len(cells))
    starts = np.concatenate([[0], np.cumsum(cells - nulls)]).astype(np.int64)
    low, high = _ascending(lows, which), _ascending(highs, which)
    total = int(rows.sum())
    whole = np.empty((total, len(_WHOLE)), np.int64)
    sums = np.empty((total, len(_SUMS)), _type_of_sums(low, high, rows))
    ends = np.empty((total, len(_ENDS)), low.dtype)
    real = np.empty((total, len(_REAL)))
    middles = _middles(lows, highs)
    help_rows(low, high, middles, inside[~missing], starts, nulls, rows, whole, sums, ends, real)
    columns = {
        name: np.ascontiguousarray(block[:, place])
        for names, block in zip(BLOCKS, (whole, sums, ends, real), strict=True)
        for place, name in enumerate(names)
    }
    listed = [name for names in AGGREGATES.values() for name in names]
    frame = pl.DataFrame(columns).select("group", "hits", *listed)
    return frame.rename({"group": group})


def _ascending(ends: pl.Series, which: NDArray[np.int64]) -> NDArray[Any]:
    """Known ends, ascending inside each group."""
    values = ends.drop_nulls().to_numpy()
    return np.asarray(values[np.lexsort([values, which])])


def _type_of_sums(low: NDArray[Any], high: NDArray[Any], rows: NDArray[np.int64]) -> Any:
    """Whole numbers are summed up as such, unless a sum might not fit 64 bits."""
    if low.dtype != np.int64:
        return np.float64
    largest = max(abs(int(end)) for ends in (low, high) for end in (ends.min(), ends.max()))
    return np.int64 if sums_fit(largest, int(rows.max())) else np.float64


def sums_fit(largest: int, rows: int) -> bool:
    """Whether sums of so many whole numbers, none larger than this, fit 64 bits."""
    return largest * rows < 2**63


def _middles(lows: pl.Series, highs: pl.Series) -> NDArray[np.float64]:
    """Means of known cells; halved before adding, so that nothing overflows."""
    low, high = (ends.drop_nulls().to_numpy().astype(np.float64) for ends in (lows, highs))
    return low if lows is highs else low / 2 + high / 2
