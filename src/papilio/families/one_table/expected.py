"""The recipient's best guess: each published cell spread evenly over what it may be.

A range is spread over its whole numbers (days, microseconds), or evenly over its length where
numbers are not whole; a set over its members; a node over its leaves. NULL, where a cell may be
NULL, counts as one more value; beside numbers that are not whole, which cannot be counted, it gets
one half.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from papilio.data.hierarchy.published_labels import nodes_of_labels
from papilio.data.hierarchy.tree import Hierarchy
from papilio.document.bins import Bins, Weights, count_points
from papilio.measure.read_cells import Ranges, other_original


def spread_ranges(
    ranges: Ranges, rows: Weights, bins: Bins, *, whole: bool
) -> tuple[Weights, float]:
    """Rows expected in each bin, and rows expected to be NULL.

    Parameters
    ----------
    ranges
        Cells.
    rows
        Number of rows of each.
    bins
        Bins that cover all ranges.
    whole
        Whether only whole numbers are possible.

    Notes
    -----
    Cost: cells times bins.
    """
    known = ranges.low.is_not_null().to_numpy()
    low = bins.positions(ranges.low.drop_nulls())
    high = bins.positions(ranges.high.drop_nulls())
    null = ranges.null.to_numpy()[known]
    to_null = null * (1 / (high - low + 2) if whole else 0.5)
    weight = rows[known] * (1 - to_null)
    spread = _spread_whole if whole else _spread_real
    missing = float(rows[~known].sum() + (rows[known] * to_null).sum())
    return spread(low, high, weight, bins.edges), missing


def _spread_whole(low: Weights, high: Weights, weight: Weights, edges: Weights) -> Weights:
    """Share below an edge: (whole numbers of the range below it) / (all of them)."""
    count = high - low + 1
    below = [float(np.clip((edge - low) / count, 0, 1) @ weight) for edge in edges]
    return np.diff(below)


def _spread_real(low: Weights, high: Weights, weight: Weights, edges: Weights) -> Weights:
    """Share below an edge: (length of the range below it) / (its length); single values apart."""
    # A quarter of each number: the difference of the largest and smallest floats still is a float.
    low, high, edges = low / 4, high / 4, edges / 4
    single = low == high
    points = count_points(low[single], weight[single], edges)
    low, high, weight = low[~single], high[~single], weight[~single]
    below = [float(np.clip((edge - low) / (high - low), 0, 1) @ weight) for edge in edges]
    return points + np.diff(below)


def spread_sets(sets: list[list[str | None]], rows: Weights) -> dict[str | None, float]:
    """Rows expected for each label; ``None`` stands for NULL."""
    expected: dict[str | None, float] = {}
    for members, weight in zip(sets, rows.tolist(), strict=True):
        for member in members:
            expected[member] = expected.get(member, 0.0) + weight / len(members)
    return expected


def spread_nodes(labels: pl.Series, rows: Weights, tree: Hierarchy) -> Weights:
    """Rows expected for each leaf.

    Raises
    ------
    DataError
        If a label is not in the hierarchy.
    """
    found = nodes_of_labels(tree, labels).tolist()
    if -1 in found:
        raise other_original(labels.name, found.count(-1))
    expected = np.zeros(len(tree.leaves))
    for node, weight in zip(found, rows.tolist(), strict=True):
        first, beyond = tree.first[node], tree.last[node] + 1
        expected[first:beyond] += weight / (beyond - first)
    return expected
