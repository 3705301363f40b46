"""The help table of a disguised release: what aggregates over so many rows of a group can be."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.families.permutation.methods.help_table import help_table


def disguised_help(
    lows: pl.Series,
    highs: pl.Series,
    mean: NDArray[np.float64],
    variance: NDArray[np.float64],
    cells: NDArray[np.int64],
    rows: NDArray[np.int64],
    group: str,
) -> pl.DataFrame:
    """Compute the help table of groups that publish subdomains.

    Bounds are those of a permuted release whose cells are intervals; there may be more cells than
    rows. Mean and variance of a sum are those of a value that follows the target inside its
    subdomain (docs/papers.md): h mu and h S2 (N - h) / (N - 1) + (h / N) sum of v_i.

    Parameters
    ----------
    lows, highs
        Ends of each subdomain, group after group.
    mean, variance
        Mean and variance inside each subdomain.
    cells, rows
        Number of subdomains and of rows of each group.
    group
        Name of the column with the number of the group.
    """
    table = help_table(lows, highs, variance, cells, rows, group)
    which = np.repeat(np.arange(len(cells)), cells)
    centre = np.bincount(which, mean) / cells
    spread = np.bincount(which, (mean - centre[which]) ** 2) / cells
    inside = np.bincount(which, variance) / cells
    hits = table.get_column("hits").to_numpy()
    size, of = np.repeat(cells, rows), np.repeat(np.arange(len(rows)), rows)
    drawn = spread[of] * (size - hits) / np.maximum(size - 1, 1)
    return table.with_columns(
        pl.Series("sum_mean", hits * centre[of]),
        pl.Series("sum_var", hits * (drawn + inside[of])),
    )
