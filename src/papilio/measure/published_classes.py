"""The classes of a release and how much of its domain each of their cells covers.

All measures of loss start here. Domains come from the original, so a release is measured against
what its owner had, not against what is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import share_of_width
from papilio.data.hierarchy.build import tree_of
from papilio.data.hierarchy.published_labels import nodes_of_labels
from papilio.data.table import Column, Role, Table
from papilio.measure.read_cells import other_original, read_ranges, read_sets
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release


@dataclass(frozen=True, eq=False)
class PublishedClasses:
    """Classes of rows with equal published quasi-identifiers.

    Attributes
    ----------
    sizes
        Rows of each class.
    loss
        Per quasi-identifier, the share of the domain each class's cell covers: 0 for a single
        value, 1 for the whole domain. A range covers (max - min) / (range of the column); a set
        (values - 1) / (values of the column - 1); a node (leaves - 1) / (all leaves - 1). NULL
        beside other values counts as the whole domain in a range, and as one more value or leaf
        elsewhere. The loss on a column that is constant in the original is 0.
    span
        The same with values in a global order: (rank of the last - rank of the first) / (ranks - 1)
        for sets; equal to ``loss`` for ranges and nodes.
    """

    sizes: NDArray[np.int64]
    loss: dict[str, NDArray[np.float64]]
    span: dict[str, NDArray[np.float64]]


def published_classes(release: Release, original: Table) -> PublishedClasses:
    """Find the classes of a release of one table.

    Parameters
    ----------
    release
        A generalised release with ``cells: bounds`` or ``cells: text``.
    original
        The table it was made from.

    Raises
    ------
    DataError
        If a label is not one of the original's.
    """
    published = release.manifest.table(original.name)
    frame = release.frames[original.name]
    quasi = [column for column in published.columns if column.role == Role.QUASI]
    names = [name for column in quasi for name in column.published]
    classes = frame.group_by(names, maintain_order=True).len("papilio rows")
    columns = {column.name: column for column in original.columns}
    loss, span = {}, {}
    for column in quasi:
        source = original.frame.get_column(column.name)
        loss[column.name], span[column.name] = _measure(
            column, columns[column.name], source, classes
        )
    return PublishedClasses(
        classes.get_column("papilio rows").to_numpy().astype(np.int64), loss, span
    )


def _measure(
    column: PublishedColumn, described: Column, source: pl.Series, classes: pl.DataFrame
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if column.cells == "range":
        loss = _range_loss(column, source, classes)
        return loss, loss
    if column.cells == "node":
        loss = _node_loss(described, source, classes.get_column(column.name))
        return loss, loss
    return _set_loss(column, described, source, classes.get_column(column.name))


def _range_loss(
    column: PublishedColumn, source: pl.Series, classes: pl.DataFrame
) -> NDArray[np.float64]:
    numbers = source.to_physical().cast(pl.Float64)
    ranges = read_ranges(column, classes, source.dtype)
    low, high = (_floats(each) for each in (ranges.low, ranges.high))
    span = _number(numbers.min()), _number(numbers.max())
    width = np.nan_to_num(share_of_width(low, high, span))
    mixed = ranges.null.to_numpy() & ~np.isnan(low)
    return np.where(mixed, 1.0, width)


def _floats(values: pl.Series) -> NDArray[np.float64]:
    return values.to_physical().cast(pl.Float64).fill_null(np.nan).to_numpy()


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _node_loss(described: Column, source: pl.Series, cells: pl.Series) -> NDArray[np.float64]:
    tree = tree_of(described, source)
    distinct = cells.unique()
    nodes, missing = nodes_of_labels(tree, distinct), distinct.is_null().to_numpy()
    strangers = int(((nodes < 0) & ~missing).sum())
    if strangers:
        raise other_original(described.name, strangers)
    losses = np.where(missing, 0.0, tree.loss[nodes])
    return cells.replace_strict(distinct, losses, return_dtype=pl.Float64).to_numpy()


def _set_loss(
    column: PublishedColumn, described: Column, source: pl.Series, cells: pl.Series
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    occurring = source.cast(pl.String).unique().to_list()
    has_null = [None] if None in occurring else []
    known = described.domain or sorted(value for value in occurring if value is not None)
    rank = {value: place for place, value in enumerate([*has_null, *known])}
    scale = max(len(rank) - 1, 1)
    distinct = cells.unique()
    members = read_sets(column, distinct)
    strangers = sum(not rank.keys() >= set(each) for each in members)
    if strangers:
        raise other_original(described.name, strangers)
    sets = [[rank[value] for value in each] for each in members]
    loss = [(len(ranks) - 1) / scale for ranks in sets]
    span = [(max(ranks) - min(ranks)) / scale for ranks in sets]
    return (
        cells.replace_strict(distinct, loss, return_dtype=pl.Float64).to_numpy(),
        cells.replace_strict(distinct, span, return_dtype=pl.Float64).to_numpy(),
    )


@dataclass(frozen=True)
class ClassSizes:
    """Sizes of the classes.

    Attributes
    ----------
    classes, rows
        How many there are.
    smallest, median, largest
        Over classes.
    average
        Rows per class.
    histogram
        Number of classes of each size that occurs.
    """

    classes: int
    rows: int
    smallest: int
    median: float
    largest: int
    average: float
    histogram: dict[int, int]


def class_sizes(classes: PublishedClasses) -> ClassSizes:
    """Summarise the sizes of the classes of a release."""
    sizes: NDArray[np.int64] = classes.sizes
    values, counts = np.unique(sizes, return_counts=True)
    return ClassSizes(
        classes=len(sizes),
        rows=int(sizes.sum()),
        smallest=int(sizes.min()),
        median=float(np.median(sizes)),
        largest=int(sizes.max()),
        average=float(sizes.mean()),
        histogram={int(v): int(c) for v, c in zip(values, counts, strict=True)},
    )
