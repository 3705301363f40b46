"""How the values of each quasi-identifier are distributed, before and after.

Before: the original. After: the recipient's best guess, each published cell spread evenly over
what it may be. Both are computed from the distinct cells of a column and the number of rows that
have them.

A range is spread over its whole numbers (days, microseconds), or evenly over its length where
numbers are not whole; a set over its members; a node over its leaves. NULL, where a cell may be
NULL, counts as one more value; beside numbers that are not whole, which cannot be counted, it gets
one half.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from papilio.data.hierarchy.build import leaf_codes, tree_of
from papilio.data.hierarchy.paths import comparable
from papilio.data.hierarchy.published_labels import nodes_of_labels
from papilio.data.hierarchy.tree import Hierarchy
from papilio.data.table import Column, Role, Table
from papilio.document.bins import Bins, Weights, bins_over, count_points
from papilio.document.text import MISSING, shown
from papilio.measure.read_cells import Ranges, other_original, read_ranges, read_sets
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release


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


#: Labels shown on their own; the rest are put together as :data:`OTHER`.
MOST_LABELS = 20


OTHER = "other values"


_ROWS = "papilio rows"


@dataclass(frozen=True)
class Bar:
    """One value, or one bin of values.

    Attributes
    ----------
    label
        Which, in words.
    before, after
        Share of the rows.
    low, high
        Where a bin begins and ends on the axis; ``None`` for labels and for missing values.
    """

    label: str
    before: float
    after: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Distribution:
    """Distribution of one column.

    Attributes
    ----------
    column
        Its name.
    axis
        ``"number"``, ``"date"`` (bins) or ``"label"``.
    bars
        Shares; each of before and after sums to 1. Missing values, if any, come last.
    """

    column: str
    axis: str
    bars: tuple[Bar, ...]

    @property
    def moved(self) -> float:
        r"""Total variation distance: :math:`\frac{1}{2} \sum |before - after|`, 0 if they agree."""
        return sum(abs(bar.before - bar.after) for bar in self.bars) / 2


def distributions(release: Release, original: Table) -> tuple[Distribution, ...]:
    """Compare the quasi-identifiers of a release with those of the original.

    Raises
    ------
    DataError
        If a column has published labels that the original does not know.

    Notes
    -----
    Cost: a grouping of the rows by each column, then distinct cells times bins.
    """
    published = release.manifest.table(original.name)
    frame = release.frames[original.name]
    described = {column.name: column for column in original.columns}
    return tuple(
        _distribution(column, described[column.name], original.frame, frame)
        for column in published.columns
        if column.role == Role.QUASI
    )


def _distribution(
    column: PublishedColumn, described: Column, original: pl.DataFrame, frame: pl.DataFrame
) -> Distribution:
    source = original.get_column(column.name)
    cells = frame.group_by(list(column.published), maintain_order=True).len(_ROWS)
    if column.cells == "range":
        return _of_ranges(column, source, cells)
    if column.cells == "node":
        return _of_nodes(column, described, source, cells)
    return _of_sets(column, described, source, cells)


def _of_ranges(column: PublishedColumn, source: pl.Series, cells: pl.DataFrame) -> Distribution:
    ranges = read_ranges(column, cells, source.dtype)
    ends = [each.drop_nulls().rename("") for each in (source, ranges.low, ranges.high)]
    extremes = pl.concat([end for each in ends for end in (each.bottom_k(1), each.top_k(1))])
    rows = _floats(cells.get_column(_ROWS))
    if extremes.is_empty():
        return _of_labels(column.name, {None: float(len(source))}, {None: rows.sum()}, None)
    bins = bins_over(extremes)
    after, after_null = spread_ranges(ranges, rows, bins, whole=not source.dtype.is_float())
    counts = source.value_counts(name=_ROWS)
    before, before_null = _points(counts.get_column(column.name), _floats(counts[_ROWS]), bins)
    return _of_bins(column.name, bins, source.dtype, (before, before_null), (after, after_null))


def _points(values: pl.Series, weights: Weights, bins: Bins) -> tuple[Weights, float]:
    """Weight in each bin, and weight of NULL."""
    null = values.is_null().to_numpy()
    positions = bins.positions(values.drop_nulls())
    return count_points(positions, weights[~null], bins.edges), float(weights[null].sum())


def _of_nodes(
    column: PublishedColumn, described: Column, source: pl.Series, cells: pl.DataFrame
) -> Distribution:
    tree = tree_of(described, source)
    rows = _floats(cells.get_column(_ROWS))
    after = spread_nodes(cells.get_column(column.published[0]), rows, tree)
    before = np.bincount(leaf_codes(tree, source), minlength=len(after)).astype(float)
    dtype = comparable(source).dtype
    leaves = pl.Series(tree.leaves, dtype=pl.String)
    values = _typed(leaves, dtype) if described.type.ordered else None
    if values is not None:
        bins = bins_over(values.drop_nulls())
        both = (_points(values, weights, bins) for weights in (before, after))
        return _of_bins(column.name, bins, dtype, *both)
    old, new = (dict(zip(tree.leaves, each.tolist(), strict=True)) for each in (before, after))
    return _of_labels(column.name, old, new, None)


def _typed(leaves: pl.Series, dtype: pl.DataType) -> pl.Series | None:
    """Leaves as numbers or dates, if all of them are."""
    parsed = (
        leaves.str.to_date(strict=False) if dtype == pl.Date else leaves.cast(dtype, strict=False)
    )
    readable = parsed.null_count() == leaves.null_count() < len(leaves)
    return parsed if readable else None


def _of_sets(
    column: PublishedColumn, described: Column, source: pl.Series, cells: pl.DataFrame
) -> Distribution:
    rows = _floats(cells.get_column(_ROWS))
    after = spread_sets(read_sets(column, cells.get_column(column.published[0])), rows)
    counts = source.cast(pl.String).value_counts(name=_ROWS)
    labels = counts.get_column(column.name).to_list()
    before = dict(zip(labels, _floats(counts[_ROWS]).tolist(), strict=True))
    strangers = len(after.keys() - before.keys() - set(described.domain or ()))
    if strangers:
        raise other_original(column.name, strangers)
    return _of_labels(column.name, before, after, described.domain)


def _of_bins(
    name: str,
    bins: Bins,
    dtype: pl.DataType,
    before: tuple[Weights, float],
    after: tuple[Weights, float],
) -> Distribution:
    """Make bars of the weights in bins and of missing values."""
    (old, old_null), (new, new_null) = before, after
    old_rows, new_rows = old.sum() + old_null, new.sum() + new_null
    parts = zip(bins.labels, old / old_rows, new / new_rows, bins.axis, bins.axis[1:], strict=False)
    bars = [Bar(label, *map(float, numbers)) for label, *numbers in parts]
    if old_null or new_null:
        bars.append(Bar(MISSING, old_null / old_rows, new_null / new_rows))
    # One bin has no axis to lie on, and the span of the largest floats is no number.
    drawable = (
        len(bins.labels) > 1 and bins.axis[-1] / 2 - bins.axis[0] / 2 < np.finfo(float).max / 2
    )
    axis = "date" if dtype.is_temporal() else "number"
    return Distribution(name, axis if drawable else "label", tuple(bars))


def _of_labels(
    name: str,
    before: Mapping[str | None, float],
    after: Mapping[str | None, float],
    order: tuple[str, ...] | None,
) -> Distribution:
    """Make bars of the weights of labels: in the given order, or the most frequent first."""
    known = {label for label in (*before, *after) if label is not None}.union(order or ())
    frequent = sorted(known, key=lambda label: (-before.get(label, 0.0), label))
    kept = frequent[:MOST_LABELS]
    if order is not None:
        kept.sort(key=lambda label: order.index(label) if label in order else len(order))
    groups: list[tuple[str, list[str | None]]] = [(shown(label), [label]) for label in kept]
    rest: list[str | None] = [*frequent[MOST_LABELS:]]
    if rest:
        groups.append((OTHER, rest))
    if None in before or None in after:
        groups.append((MISSING, [None]))
    rows = sum(before.values()), sum(after.values())
    bars = [
        Bar(
            text, *(_weight(each, group) / n for each, n in zip((before, after), rows, strict=True))
        )
        for text, group in groups
    ]
    return Distribution(name, "label", tuple(bars))


def _weight(weights: Mapping[str | None, float], labels: list[str | None]) -> float:
    return sum(weights.get(label, 0.0) for label in labels)


def _floats(counts: pl.Series) -> Weights:
    return counts.cast(pl.Float64).to_numpy()
