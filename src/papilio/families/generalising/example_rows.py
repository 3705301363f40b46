"""A few rows of the original beside published rows that cover them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any

import polars as pl

from papilio.data.hierarchy.build import leaf_codes, tree_of
from papilio.data.hierarchy.published_labels import nodes_of_labels
from papilio.data.table import Column, Table
from papilio.document.text import cell_text, value_text
from papilio.measure.read_cells import read_ranges, read_sets
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release


@dataclass(frozen=True)
class ExampleRow:
    """One row, as text ready to show, by the names of the source's columns.

    Attributes
    ----------
    before
        The original row.
    after
        A published row that covers it.
    """

    before: dict[str, str]
    after: dict[str, str]


def example_rows(release: Release, original: Table, count: int) -> list[ExampleRow]:
    """Show rows before and after.

    The originals are taken at equal distances; beside each is put the first published row, in the
    order of its cells, that covers it: every generalised cell covers the original value, every
    other cell equals it. The published row need not have been made from that original row; in a
    class, nobody can tell.

    Parameters
    ----------
    release
        A generalised release.
    original
        The table it was made from.
    count
        How many rows; fewer come back if the original has fewer or the release covers fewer.

    Notes
    -----
    Cost: ``count`` passes over the release.
    """
    published = release.manifest.table(original.name).columns
    frame = release.frames[original.name]
    described = {column.name: column for column in original.columns}
    chosen = _spaced(original.frame, count)
    conditions = [
        _conditions(column, described[column.name], frame, original.frame, chosen)
        for column in published
    ]
    examples = []
    for number, before in enumerate(chosen.iter_rows(named=True)):
        covering = frame.filter(reduce(and_, [each[number] for each in conditions]))
        if covering.height:
            after = covering.unique().sort(by=frame.columns).head(1)
            examples.append(_example(published, before, after, original))
    return examples


def _spaced(frame: pl.DataFrame, count: int) -> pl.DataFrame:
    """Rows at equal distances, away from the ends."""
    number = min(count, frame.height)
    return frame[[(2 * place + 1) * frame.height // (2 * number) for place in range(number)]]


def _conditions(
    column: PublishedColumn,
    described: Column,
    frame: pl.DataFrame,
    original: pl.DataFrame,
    chosen: pl.DataFrame,
) -> list[pl.Series]:
    """For each chosen row, which published rows may be it as far as one column tells."""
    values = chosen.get_column(column.name)
    if column.cells == "value":
        cells = frame.get_column(column.published[0])
        return [_equal(cells, values[[place]]) for place in range(len(values))]
    if column.cells == "range":
        return _in_range(column, frame, values)
    cells = frame.get_column(column.published[0])
    distinct = cells.unique()
    if column.cells == "node":
        allowed = _labels_over(described, original.get_column(column.name), values, distinct)
    else:
        sets = list(zip(distinct, read_sets(column, distinct), strict=True))
        wanted = values.cast(pl.String)
        allowed = [[cell for cell, members in sets if value in members] for value in wanted]
    return [cells.is_in(each, nulls_equal=True) for each in allowed]


def _equal(cells: pl.Series, value: pl.Series) -> pl.Series:
    # What is no such value, as NaN is no whole number, is nobody's.
    typed = cells.cast(pl.String if _is_text(value.dtype) else value.dtype, strict=False)
    return typed.eq_missing(value.cast(typed.dtype))


def _is_text(dtype: pl.DataType) -> bool:
    return isinstance(dtype, pl.Enum | pl.Categorical | pl.String)


def _in_range(column: PublishedColumn, frame: pl.DataFrame, values: pl.Series) -> list[pl.Series]:
    ranges = read_ranges(column, frame, values.dtype)
    return [
        ranges.null
        if value is None
        else ((ranges.low <= value) & (ranges.high >= value)).fill_null(value=False)
        for value in values
    ]


def _labels_over(
    described: Column, source: pl.Series, values: pl.Series, labels: pl.Series
) -> list[list[str | None]]:
    """Published labels that cover each value."""
    tree = tree_of(described, source)
    nodes = nodes_of_labels(tree, labels)
    known = labels.filter(pl.Series(nodes >= 0)).to_list()
    first, last = (each[nodes[nodes >= 0]] for each in (tree.first, tree.last))
    covered = ((first <= leaf) & (leaf <= last) for leaf in leaf_codes(tree, values))
    return [
        [label for label, covers in zip(known, each, strict=True) if covers] for each in covered
    ]


def _example(
    published: tuple[PublishedColumn, ...],
    before: dict[str, Any],
    after: pl.DataFrame,
    original: Table,
) -> ExampleRow:
    schema = original.frame.schema
    return ExampleRow(
        {column.name: value_text(before[column.name]) for column in published},
        {column.name: cell_text(column, after, schema[column.name]) for column in published},
    )
