"""Rows of linked tables as trees; equal trees are stored once.

Rows of all tables are numbered through, the person table first. A *node* is a tree up to equality:
a label (the codes of the quasi-identifiers of a row) and the multiset of the nodes below it. Nodes
are numbered table by table, the last table first, and inside a table by label and size, so that
neighbours are alike and children in ascending order stand table by table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn, EncodedTable, attributes_of, encode
from papilio.data.hierarchy.tree import Hierarchy
from papilio.data.link import Snowflake
from papilio.data.table import Role
from papilio.kernels.attributes import RANGE, SET, TREE
from papilio.kernels.intern_trees import intern_trees
from papilio.kernels.tree_labels import MOST_BITS, WORD
from papilio.kernels.tree_pairing import pair_cost
from papilio.kernels.tree_unfold import unfold

Ints = NDArray[np.int64]
LabelArrays: TypeAlias = tuple[Ints, Ints, Ints, Ints, Ints, NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Labels:
    """The columns of all tables, in the arrays of :mod:`papilio.kernels.tree_labels`.

    Attributes
    ----------
    first, kind, word, size, base, values
        See there.
    width
        Words of a label.
    """

    first: NDArray[np.int64]
    kind: NDArray[np.int64]
    word: NDArray[np.int64]
    size: NDArray[np.int64]
    base: NDArray[np.int64]
    values: NDArray[np.float64]
    width: int

    @property
    def arrays(self) -> LabelArrays:
        """The arrays in the order in which kernels take them."""
        return self.first, self.kind, self.word, self.size, self.base, self.values

    def of(self, table: int, codes: NDArray[np.integer]) -> NDArray[np.int64]:
        """Labels of rows of a table that cover nothing but the codes of the row."""
        labels = np.zeros((len(codes), self.width), np.int64)
        columns = range(self.first[table], self.first[table + 1])
        for place, column in enumerate(columns):
            code = codes[:, place].astype(np.int64)
            word = self.word[column]
            if self.kind[column] == SET:
                bit = code % MOST_BITS
                labels[np.arange(len(code)), word + bit // WORD] = np.left_shift(1, bit % WORD)
            else:
                labels[:, word] = labels[:, word + 1] = code
        return labels


def labels_of(tables: Sequence[EncodedTable]) -> Labels:
    """Describe the columns of all tables."""
    kind, word, size, base, first = [], [], [], [], [0]
    values: list[NDArray[np.float64]] = [np.empty(0)]
    width, filled = 1, 0
    for table in tables:
        place = 0
        for index, column in enumerate(table.columns):
            entries = _values(column, table, index)
            kind.append(column.kind)
            size.append(len(column.values))
            word.append(place)
            base.append(filled)
            place += _words(column)
            filled += len(entries)
            values.append(entries)
        first.append(len(kind))
        width = max(width, place)
    starts, kinds, words, sizes, bases = (
        np.array(each, np.int64) for each in (first, kind, word, size, base)
    )
    return Labels(starts, kinds, words, sizes, bases, np.concatenate(values), width)


def _words(column: EncodedColumn) -> int:
    return -(-min(len(column.values), MOST_BITS) // WORD) if column.kind == SET else 2


def _values(column: EncodedColumn, table: EncodedTable, index: int) -> NDArray[np.float64]:
    if column.kind == RANGE:
        attributes = attributes_of(table)
        start = attributes.position_start[index]
        return attributes.position[start : start + len(column.values)]
    if column.kind == TREE and column.hierarchy is not None:
        return _sparse_table(column.hierarchy)
    return np.empty(0)


def _sparse_table(tree: Hierarchy) -> NDArray[np.float64]:
    """Loss of the smallest node over runs of 2, 3, 5, 9, ... leaves, from each leaf on."""
    leaves = np.arange(len(tree.leaves))
    level = np.zeros(len(leaves))
    level[:-1] = tree.loss[tree.common_ancestors(leaves[:-1], leaves[1:])]
    levels = [level]
    step = 1
    while 2 * step < len(leaves):
        wider = level.copy()
        wider[:-step] = np.maximum(level[:-step], level[step:])
        level = wider
        levels.append(level)
        step *= 2
    return np.concatenate(levels)


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


def distance(forest: Forest, one: int, other: int, *, local: bool = False) -> float:
    """Loss of all labels and burden of all removed rows when two people get the same tree.

    Parameters
    ----------
    forest
        The trees.
    one, other
        Rows of the person table.
    local
        Pair children greedily by their labels instead of at least cost.

    Notes
    -----
    Guarantees the least cost over all ways to pair rows, unless ``local`` is set or parents have
    more than :data:`papilio.kernels.tree_pairing.MOST_PAIRS` pairs of children.
    """
    room, width = forest.room, forest.labels.width
    place_of, table, first, count, child = (np.empty(room, np.int64) for _ in range(5))
    label, loss, burden = np.empty((room, width), np.int64), np.empty(room), np.empty(room)
    a, b, c, d, e = (np.empty(room, np.int64) for _ in range(5))
    rows, nodes = forest.arrays[:3], forest.arrays[3:]
    lines = unfold(
        one, place_of, *rows, table, label, loss, burden, first, count, child,
        forest.table, forest.label, forest.burden,
    )  # fmt: skip
    cost = pair_cost(
        lines, int(forest.row_node[other]), 1, local, (a, b, c, d, e),
        table, label, loss, burden, first, count, child, *nodes,
    )  # fmt: skip
    return float(cost)
