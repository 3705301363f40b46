"""Classes to published cells: the smallest cell that covers what a class holds.

A numeric or date column becomes its smallest and largest value, a column with a hierarchy the
label of the smallest common node, any other column the sorted list of the values that occur.
NULL follows :mod:`papilio.data.types`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn
from papilio.data.hierarchy.paths import paths_text
from papilio.data.hierarchy.published_labels import published_labels
from papilio.data.table import ColumnType
from papilio.kernels.attributes import RANGE, TREE
from papilio.kernels.class_cells import class_ranges, class_sets
from papilio.kernels.codes import Codes
from papilio.release.cell_text import range_text, set_json, set_text
from papilio.release.manifest import PublishedColumn


@dataclass(frozen=True, eq=False)
class Cells:
    """The published cells of one column, one entry per class.

    Attributes
    ----------
    column
        How they are read.
    series
        The published columns.
    hierarchy_file
        Name and text of the file of paths a reader needs, if any.
    """

    column: PublishedColumn
    series: tuple[pl.Series, ...]
    hierarchy_file: Mapping[str, str] = field(default_factory=dict)


def cells_of(
    column: EncodedColumn,
    codes: Codes,
    attribute: int,
    starts: NDArray[np.int64],
    *,
    text: bool,
    complete: bool = True,
) -> Cells:
    """Cells of one column for all classes.

    Parameters
    ----------
    column
        What the codes mean.
    codes
        Codes of all columns, one line per row, the rows of a class next to each other.
    attribute
        The place of the column in ``codes``.
    starts
        First line of each class, then the number of lines.
    text
        Write readable text in one column instead of bounds.
    complete
        Whether every row of the table is published, here or in another piece. If not, the labels
        of an automatic hierarchy, and whether anything is NULL, are told by ``codes`` alone.
    """
    if column.kind == TREE:
        return _nodes(column, codes, attribute, starts, complete=complete)
    if column.kind == RANGE:
        return _ranges(column, codes, attribute, starts, text=text, complete=complete)
    return _sets(column, codes, attribute, starts, text=text)


def _published(
    column: EncodedColumn, cells: str, names: tuple[str, ...], **more: Any
) -> PublishedColumn:
    source = column.column
    return PublishedColumn(source.name, source.role.value, source.type.value, cells, names, **more)


def _ranges(
    column: EncodedColumn,
    codes: Codes,
    attribute: int,
    starts: NDArray[np.int64],
    *,
    text: bool,
    complete: bool,
) -> Cells:
    name = column.column.name
    low, high, null = class_ranges(codes, attribute, starts, int(column.has_null))
    smallest = column.values.gather(low).alias(f"{name}_min")
    largest = column.values.gather(high).alias(f"{name}_max")
    may_be_null = pl.Series(f"{name}_null", null)
    if text:
        readable = range_text(smallest, largest, may_be_null).alias(name)
        return Cells(_published(column, "range", (name,), text=True), (readable,))
    nulls = column.has_null if complete else bool(null.any())
    series = (smallest, largest, may_be_null) if nulls else (smallest, largest)
    return Cells(_published(column, "range", tuple(each.name for each in series)), series)


def _nodes(
    column: EncodedColumn,
    codes: Codes,
    attribute: int,
    starts: NDArray[np.int64],
    *,
    complete: bool,
) -> Cells:
    tree = column.hierarchy
    assert tree is not None  # noqa: S101 - a TREE column has one by definition
    name = column.column.name
    low, high, _ = class_ranges(codes, attribute, starts, 0)
    named = tree.labels
    if not complete:
        ordered = column.column.type.ordered
        named = published_labels(tree, codes[:, attribute], name, ordered=ordered)
    labels = pl.Series(name, named, dtype=pl.String)
    series = labels.gather(tree.common_ancestors(low, high))
    reading = dict(tree.reading)
    files = {}
    if reading.get("paths"):
        file = f"hierarchy_{attribute + 1}.csv"
        reading, files = {"paths": file}, {file: paths_text(tree)}
    return Cells(_published(column, "node", (name,), hierarchy=reading), (series,), files)


def _sets(
    column: EncodedColumn, codes: Codes, attribute: int, starts: NDArray[np.int64], *, text: bool
) -> Cells:
    name = column.column.name
    values = _json_values(column)
    first, members = class_sets(codes, attribute, starts, len(values))
    write = set_text if text else set_json
    distinct, which = _distinct_sets(first, members, len(values))
    written = pl.Series(name, [write([values[code] for code in each]) for each in distinct])
    return Cells(_published(column, "set", (name,), text=text), (written.gather(which),))


def _json_values(column: EncodedColumn) -> list[str | bool | None]:
    values = column.values.to_list()
    if column.column.type is ColumnType.BOOLEAN:
        return [None if value is None else value == "true" for value in values]
    return values


def _distinct_sets(
    first: NDArray[np.int64], members: NDArray[np.int32], size: int
) -> tuple[list[list[int]], NDArray[np.int64]]:
    """Distinct sets of codes, and which of them each class has."""
    if size <= 64:
        bits = np.left_shift(np.uint64(1), members.astype(np.uint64))
        masks = np.bitwise_or.reduceat(bits, first[:-1])
        distinct, which = np.unique(masks, return_inverse=True)
        return [[b for b in range(size) if int(mask) >> b & 1] for mask in distinct], which
    known: dict[bytes, int] = {}
    which = np.empty(len(first) - 1, np.int64)
    for number in range(len(which)):
        key = members[first[number] : first[number + 1]].tobytes()
        which[number] = known.setdefault(key, len(known))
    return [np.frombuffer(key, np.int32).tolist() for key in known], which
