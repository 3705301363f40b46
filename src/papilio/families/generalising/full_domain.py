"""Full-domain generalisation: all rows of a column are published at one level of its hierarchy.

A generalisation is a vector with one level a column. Level 0 publishes values as they are, the last
level the root. A column without a hierarchy has a flat one of two levels: its values, and ``*``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import polars as pl

from papilio.data.encode import EncodedTable
from papilio.data.hierarchy.build import flat
from papilio.data.hierarchy.published_labels import published_labels
from papilio.data.hierarchy.tree import Hierarchy
from papilio.data.table import Column
from papilio.families.classes import Classes
from papilio.families.generalising.cells import Cells
from papilio.kernels.codes import Codes
from papilio.release.manifest import PublishedColumn

#: A generalisation: the level of each column, in the order of the table.
Vector: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class FullDomain:
    """A full-domain generalisation of a table.

    Attributes
    ----------
    levels
        The level of each column.
    minimal
        All vectors that are acceptable while none below them is, by height (the sum of the
        levels), then by the levels from the first column on. ``levels`` is one of them.
    classes
        The rows that are published, by class. Rows are in one class exactly if they have the same
        nodes at these levels.
    suppressed
        How many rows are left out.
    checked
        For how many vectors classes were counted.
    lattice
        How many vectors there are.
    """

    levels: Vector
    minimal: tuple[Vector, ...]
    classes: Classes
    suppressed: int
    checked: int
    lattice: int


def trees_of(table: EncodedTable) -> tuple[Hierarchy, ...]:
    """Hierarchies of the columns, flat ones where there are none."""
    return tuple(each.hierarchy or flat(each.values) for each in table.columns)


def full_domain_cells(
    table: EncodedTable,
    levels: Sequence[int],
    classes: Classes,
    published: Sequence[Codes] | None = None,
) -> dict[str, Cells]:
    """Cells of all columns: for each class the label its rows have at the level of the column.

    The manifest says how to read a label, as for any hierarchy, and adds the ``level``. A file of
    paths has one cell for each level, from the value at level 0 to the root, so that the label of
    a value is the cell number ``level`` of its line, counted from 0.

    Parameters
    ----------
    table
        The table; columns without a hierarchy are published by their flat one.
    levels
        The level of each column.
    classes
        Rows that have the same nodes at these levels, class after class.
    published
        For each column, the codes that published rows have, where the table holds only some of
        them.
    """
    starts = classes.starts[:-1]
    rows = classes.rows
    return {
        column.column.name: _cells(
            column.column,
            tree,
            level,
            table.codes[rows, index] if published is None else published[index],
            table.codes[rows[starts], index],
            index,
        )
        for index, (column, tree, level) in enumerate(
            zip(table.columns, trees_of(table), levels, strict=True)
        )
    }


def _cells(
    source: Column,
    tree: Hierarchy,
    level: int,
    leaves: Codes,
    shown: Codes,
    index: int,
) -> Cells:
    # Rows may be left out, and labels must not tell of them.
    named = published_labels(tree, leaves, source.name, ordered=source.type.ordered)
    labels = pl.Series(source.name, named, dtype=pl.String)
    reading, files = dict(tree.reading), {}
    if reading.get("paths"):
        file = f"hierarchy_{index + 1}.csv"
        reading, files = {"paths": file}, {file: level_paths_text(tree)}
    published = PublishedColumn(
        source.name,
        source.role.value,
        source.type.value,
        "node",
        (source.name,),
        hierarchy={**reading, "level": level},
    )
    return Cells(published, (labels.gather(tree.levels[level][shown]),), files)


def level_paths_text(tree: Hierarchy) -> str:
    """Write one line per leaf: its label at each level, from the value itself to the root.

    All lines have the same length; a label that stands for a leaf on several levels is repeated.
    The NULL leaf has no line: in a release NULL stands for itself.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for leaf, nodes in zip(tree.leaves, tree.levels.T.tolist(), strict=True):
        if leaf is not None:
            writer.writerow([tree.labels[node] for node in nodes])
    return text.getvalue()
