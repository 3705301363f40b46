"""Which published rows may be the row somebody knows something of, cell by cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.column import Column
from papilio.data.hierarchy.build import leaf_codes
from papilio.data.hierarchy.flat import tree_of
from papilio.data.hierarchy.published_labels import nodes_of_labels
from papilio.measure.read_cells import read_ranges, read_sets
from papilio.release.manifest import PublishedColumn

#: From a row of the original to the published rows whose cell may be its value.
Covering = Callable[[int], NDArray[np.bool_]]


def equal_to(source: pl.Series) -> Covering:
    """Rows of the original itself that have the value of a row; NULL is a value."""
    codes = source.to_frame("v").select(pl.col("v").rank("dense").fill_null(0)).to_series()
    numbers = codes.to_numpy()
    return lambda row: numbers == numbers[row]


def covering(
    column: PublishedColumn, cells: pl.DataFrame, described: Column, source: pl.Series
) -> Covering:
    """Published rows whose cell covers the value that a row of the original has.

    Parameters
    ----------
    column, cells
        A generalised column and the published table.
    described, source
        The column of the original.
    """
    if column.cells == "range":
        return _ranges(column, cells, source)
    if column.cells == "node":
        return _nodes(cells.get_column(column.published[0]), described, source)
    return _sets(column, cells.get_column(column.published[0]), source)


def _ranges(column: PublishedColumn, cells: pl.DataFrame, source: pl.Series) -> Covering:
    ranges = read_ranges(column, cells, source.dtype)
    low, high = (_numbers(each) for each in (ranges.low, ranges.high))
    null, values = ranges.null.to_numpy(), _numbers(source)

    def fits(row: int) -> NDArray[np.bool_]:
        value = values[row]
        return null if np.isnan(value) else (low <= value) & (value <= high)

    return fits


def _numbers(series: pl.Series) -> NDArray[np.float64]:
    return series.to_physical().cast(pl.Float64).fill_null(np.nan).to_numpy()


def _nodes(cells: pl.Series, described: Column, source: pl.Series) -> Covering:
    tree = tree_of(described, source)
    nodes = nodes_of_labels(tree, cells.to_list())
    codes = leaf_codes(tree, source)
    return lambda row: (tree.first[nodes] <= codes[row]) & (codes[row] <= tree.last[nodes])


def _sets(column: PublishedColumn, cells: pl.Series, source: pl.Series) -> Covering:
    distinct = cells.unique(maintain_order=True)
    place: dict[Any, int] = {cell: number for number, cell in enumerate(distinct)}
    which = np.array([place[cell] for cell in cells.to_list()], np.int64)
    members = [set(each) for each in read_sets(column, distinct)]
    texts = source.cast(pl.String)

    def fits(row: int) -> NDArray[np.bool_]:
        value = texts[row]
        return np.array([value in each for each in members], bool)[which]

    return fits
