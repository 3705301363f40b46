"""Lines of the help table from how often each cell occurs in each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.families.permutation.methods.help_table import AGGREGATES, BLOCKS
from papilio.kernels.ke_help_runs import help_of_runs


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

    The same table as :func:`papilio.families.permutation.methods.help_table.help_table`, in
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
        :func:`papilio.families.permutation.methods.help_table.sums_fit`.
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
