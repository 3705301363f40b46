"""Tables of a release with groups: how they are called, and the help table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.kernels.ke_help import help_of_runs, help_rows


def permuted_names(name: str) -> tuple[str, str, str]:
    """Names of the tables: people, values and help table."""
    return name, f"{name}_values", f"{name}_help"


def group_name(names: Collection[str]) -> str:
    """Name of the group column: ``group``, with underscores until no column is called so."""
    taken = {name.casefold() for name in names}
    name = "group"
    while name in taken:
        name += "_"
    return name


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


@dataclass(frozen=True, eq=False)
class CellRuns:
    """Cells of some groups, equal ones once; groups stand one after the other.

    Attributes
    ----------
    groups
        Number of each group, as it is published.
    starts
        Where each group's cells start, then their number.
    lows, highs
        Ends of the cells; equal where cells are values.
    middles, inside
        Mean and variance inside each cell.
    copies
        How often each cell occurs.
    nulls
        How often NULL occurs in each group.
    """

    groups: NDArray[np.int64]
    starts: NDArray[np.int64]
    lows: NDArray[Any]
    highs: NDArray[Any]
    middles: NDArray[np.float64]
    inside: NDArray[np.float64]
    copies: NDArray[np.int64]
    nulls: NDArray[np.int64]


def help_lines(
    runs: CellRuns,
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    group: str,
    *,
    whole_sums: bool,
) -> pl.DataFrame:
    """Compute the lines of groups from ``first`` to ``last`` hits, each one's own.

    The same table as :func:`papilio.families.grouped.help_table.help_table`, in
    stretches that can be computed apart from each other.

    Parameters
    ----------
    runs
        The cells.
    first, last
        Numbers of hits of each group.
    group
        Name of the column with the number of the group.
    whole_sums
        Whether sums are whole numbers of 64 bits; the same for all stretches of a table. See
        :func:`papilio.families.grouped.help_table.sums_fit`.
    """
    which = np.repeat(np.arange(len(runs.groups)), np.diff(runs.starts))
    up, down = np.lexsort([runs.lows, which]), np.lexsort([_falling(runs.highs), which])
    total = int(np.maximum(last - first + 1, 0).sum())
    kinds: Sequence[Any] = (
        np.int64, np.int64 if whole_sums else np.float64, runs.lows.dtype, np.float64,
    )  # fmt: skip
    filled = [
        np.empty((total, len(names)), kind) for names, kind in zip(BLOCKS, kinds, strict=True)
    ]
    help_of_runs(
        runs.lows[up],
        runs.copies[up],
        runs.highs[down],
        runs.copies[down],
        runs.middles,
        runs.inside,
        runs.copies,
        runs.starts,
        runs.nulls,
        first,
        last,
        *filled,
    )
    columns = {
        name: np.ascontiguousarray(block[:, place])
        for names, block in zip(BLOCKS, filled, strict=True)
        for place, name in enumerate(names)
    }
    columns["group"] = runs.groups[columns["group"]]
    listed = [name for names in AGGREGATES.values() for name in names]
    return pl.DataFrame(columns).select("group", "hits", *listed).rename({"group": group})


def _falling(values: NDArray[Any]) -> NDArray[Any]:
    """Ranks by which larger values come first; negating could overflow."""
    _, ranks = np.unique(values, return_inverse=True)
    return np.asarray(-ranks)
