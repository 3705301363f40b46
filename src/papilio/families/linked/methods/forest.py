"""Rows of linked tables as trees; equal trees are stored once.

Rows of all tables are numbered through, the person table first. A *node* is a tree up to equality:
a label (the codes of the quasi-identifiers of a row) and the multiset of the nodes below it. Nodes
are numbered table by table, the last table first, and inside a table by label and size, so that
neighbours are alike and children in ascending order stand table by table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, encode
from papilio.data.roles import Role
from papilio.data.snowflake import Snowflake
from papilio.families.linked.methods.labels import Labels, labels_of
from papilio.kernels.intern_trees import intern_trees

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
ForestArrays: TypeAlias = tuple[
    Ints, Ints, Ints, Ints, Ints, Ints, Ints, Floats, Ints, Ints, Ints, Ints, Ints, Floats
]


@dataclass(frozen=True, eq=False)
class Forest:
    """The trees of all people.

    Attributes
    ----------
    tables
        The quasi-identifiers of each table as codes.
    labels
        What the codes of all tables cost.
    row_base
        Number of the first row of each table, then the number of all rows.
    row_node
        Node of each row.
    row_start, row_child
        Rows below row ``r``: ``row_child[row_start[r] : row_start[r + 1]]``, in the order of the
        children of its node.
    table, label, start, child, burden
        The nodes; see :mod:`papilio.kernels.tree_pairing`.
    count
        Rows of the tree of each node.
    example
        A row of each node.
    """

    tables: tuple[EncodedTable, ...]
    labels: Labels
    row_base: Ints
    row_node: Ints
    row_start: Ints
    row_child: Ints
    table: Ints
    label: Ints
    start: Ints
    child: Ints
    burden: NDArray[np.float64]
    count: Ints
    example: Ints

    @property
    def people(self) -> int:
        """Number of people."""
        return int(self.row_base[1])

    @property
    def room(self) -> int:
        """Largest number of rows of a person's tree."""
        return int(self.count[self.row_node[: self.people]].max())

    @property
    def arrays(self) -> ForestArrays:
        """Rows, nodes and labels in the order in which kernels take them."""
        rows = (self.row_node, self.row_start, self.row_child)
        nodes = (self.table, self.label, self.start, self.child, self.burden)
        return (*rows, *nodes, *self.labels.arrays)


def forest_of(snowflake: Snowflake) -> Forest:
    """Turn rows into trees and number the distinct ones.

    Notes
    -----
    Cost: a sort of the rows of each table.
    """
    tables = tuple(encode(t.table, t.table.with_role(Role.QUASI)) for t in snowflake.tables)
    labels = labels_of(tables)
    heights = [each.height for each in snowflake.tables]
    row_base = np.concatenate([[0], np.cumsum(heights)]).astype(np.int64)
    row_start, row_child = _children(snowflake, row_base)
    row_node = np.full(row_base[-1], -1, np.int64)
    parts: list[tuple[Ints, Ints, NDArray[np.float64], Ints]] = []
    nodes = 0
    for place in reversed(range(len(tables))):
        rows = np.arange(row_base[place], row_base[place + 1])
        _sort_children(rows, row_start, row_child, row_node)
        ranks = _label_ranks(tables[place], heights[place])
        found = _intern(rows, ranks, row_start, row_child, row_node, parts, nodes)
        number, example, burden, count = _in_order(found, rows, ranks, labels, place)
        row_node[rows] = number + nodes
        parts.append((np.full(len(example), place), example, burden, count))
        nodes += len(example)
    table, example, burden, count = (np.concatenate([part[i] for part in parts]) for i in range(4))
    start, child = _of_nodes(example, row_start, row_child, row_node)
    label = np.concatenate(
        [
            labels.of(part[0][0], tables[part[0][0]].codes[part[1] - row_base[part[0][0]]])
            for part in parts
        ]
    )
    return Forest(
        tables, labels, row_base, row_node, row_start, row_child,
        table.astype(np.int64), label, start, child, burden.astype(float), count, example,
    )  # fmt: skip


def _children(snowflake: Snowflake, row_base: Ints) -> tuple[Ints, Ints]:
    """Rows below each row, in no particular order yet."""
    above = [
        each.up + row_base[snowflake.above(place)]
        for place, each in enumerate(snowflake.tables)
        if place
    ]
    parents = np.concatenate([np.empty(0, np.int64), *above])
    order = np.argsort(parents, kind="stable")
    counts = np.bincount(parents, minlength=row_base[-1])
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return starts, order + row_base[1]


def _sort_children(rows: Ints, row_start: Ints, row_child: Ints, row_node: Ints) -> None:
    """Bring the rows below the rows of one table into the order of their nodes."""
    begin, end = row_start[rows[0]], row_start[rows[-1] + 1]
    below = row_child[begin:end]
    parents = np.repeat(rows, np.diff(row_start[rows[0] : rows[-1] + 2]))
    row_child[begin:end] = below[np.lexsort((row_node[below], parents))]


def _label_ranks(table: EncodedTable, height: int) -> Ints:
    """Rank of each row's codes among the distinct ones, column by column."""
    ranks = np.zeros(height, np.int64)
    distinct = 1
    for index, column in enumerate(table.columns):
        size = len(column.values)
        ranks = ranks * size + table.codes[:, index]
        distinct *= size
        if distinct > 2**31:
            values, ranks = np.unique(ranks, return_inverse=True)
            distinct = len(values)
    return np.unique(ranks, return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Found:
    number: Ints
    example: Ints
    below_burden: NDArray[np.float64]
    below_count: Ints


def _intern(
    rows: Ints,
    ranks: Ints,
    row_start: Ints,
    row_child: Ints,
    row_node: Ints,
    parts: list[tuple[Ints, Ints, NDArray[np.float64], Ints]],
    nodes: int,
) -> _Found:
    starts = row_start[rows[0] : rows[-1] + 2]
    children = row_node[row_child[starts[0] : starts[-1]]]
    number, example = intern_trees(ranks, starts - starts[0], children)
    burden = np.concatenate([np.empty(0), *(part[2] for part in parts)])
    count = np.concatenate([np.empty(0, np.int64), *(part[3] for part in parts)])
    assert len(burden) == nodes  # noqa: S101 - nodes are numbered as their parts are listed
    sums = np.concatenate([[0.0], np.cumsum(burden[children])])
    counts = np.concatenate([[0], np.cumsum(count[children])])
    begin, end = starts[example] - starts[0], starts[example + 1] - starts[0]
    return _Found(number, example, sums[end] - sums[begin], counts[end] - counts[begin])


def _in_order(
    found: _Found, rows: Ints, ranks: Ints, labels: Labels, place: int
) -> tuple[Ints, Ints, NDArray[np.float64], Ints]:
    """Renumber the nodes of a table by label, then by the size of what is below."""
    columns = labels.first[place + 1] - labels.first[place]
    order = np.lexsort((found.below_burden, ranks[found.example]))
    new = np.empty(len(order), np.int64)
    new[order] = np.arange(len(order))
    burden = found.below_burden[order] + 1 + columns
    return new[found.number], rows[found.example[order]], burden, found.below_count[order] + 1


def _of_nodes(example: Ints, row_start: Ints, row_child: Ints, row_node: Ints) -> tuple[Ints, Ints]:
    """Children of each node, from a row that has it."""
    counts = row_start[example + 1] - row_start[example]
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    offset = np.arange(start[-1]) - np.repeat(start[:-1], counts)
    return start, row_node[row_child[np.repeat(row_start[example], counts) + offset]]
