"""A released graph as arrays, and what a question selects on each side of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.bipartite import GROUP, NODE, nodes_name
from papilio.errors import ReleaseError
from papilio.query.answer import Bounds
from papilio.release.release import Release

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class GroupedSide:
    """One side of a released graph.

    Attributes
    ----------
    name, key
        Its table of entities, and the column that identified them in the original.
    entities
        The published attributes, one row per entity.
    group_of_entity, group_of_node
        Groups, numbered from 0; within a group nobody knows which entity is which node.
    ends
        This side's node of each edge.
    """

    name: str
    key: str
    entities: pl.DataFrame
    group_of_entity: Ints
    group_of_node: Ints
    ends: Ints

    @cached_property
    def sizes(self) -> Ints:
        """Number of nodes of each group."""
        return np.bincount(self.group_of_node)

    @cached_property
    def degrees(self) -> Ints:
        """Number of edges at each node."""
        return np.bincount(self.ends, minlength=len(self.group_of_node))

    def entities_per_group(self, chosen: Mask) -> Ints:
        """How many of the chosen entities are in each group."""
        return np.bincount(self.group_of_entity[chosen], minlength=len(self.sizes))

    def nodes_per_group(self, chosen: Mask) -> Ints:
        """How many of the chosen nodes are in each group."""
        return np.bincount(self.group_of_node[chosen], minlength=len(self.sizes))


@dataclass(frozen=True, eq=False)
class GroupedGraph:
    """A released graph.

    Attributes
    ----------
    left, right
        Its sides.
    name
        Its table of edges.
    columns
        The columns of that table: the left and the right end.
    """

    left: GroupedSide
    right: GroupedSide
    name: str
    columns: tuple[str, str]

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self.left.ends)

    def flipped(self) -> GroupedGraph:
        """The same graph with its sides exchanged."""
        return GroupedGraph(self.right, self.left, self.name, (self.columns[1], self.columns[0]))


def grouped_graph(release: Release) -> GroupedGraph:
    """Read a release of kind ``graph``.

    Raises
    ------
    ReleaseError
        If the release is of another kind or its tables do not fit together.
    """
    claims = [each for each in release.manifest.claims if each.claim == "safe-grouping"]
    if release.manifest.kind != "graph" or len(claims) != 1:
        raise ReleaseError("the release is not one of a graph", reason="not-a-graph")
    claim = claims[0]
    left, right = claim.columns
    edges = release.frames[claim.table]
    return GroupedGraph(
        _side(release, claim.parameters["left"], edges.get_column(left)),
        _side(release, claim.parameters["right"], edges.get_column(right)),
        claim.table,
        (left, right),
    )


def _side(release: Release, name: str, ends: pl.Series) -> GroupedSide:
    entities = release.frames[name]
    nodes = release.frames[nodes_name(name)].sort(NODE)
    _check_numbers(entities.get_column(GROUP), *nodes.get_columns(), ends)
    known, of_node = np.unique(nodes.get_column(GROUP).to_numpy(), return_inverse=True)
    of_entity = np.searchsorted(known, entities.get_column(GROUP).to_numpy())
    key = next(c.name for c in release.manifest.table(name).columns if c.published == (GROUP,))
    return GroupedSide(
        name,
        key,
        entities.drop(GROUP),
        of_entity.astype(np.int64),
        of_node.astype(np.int64),
        ends.to_numpy().astype(np.int64),
    )


def _check_numbers(*columns: pl.Series) -> None:
    """Refuse nodes and groups that are not whole numbers, and edges that lead to no node."""
    groups, *of_nodes, ends = columns
    nodes = next(column for column in of_nodes if column.name == NODE)
    known = next(column for column in of_nodes if column.name == GROUP)
    whole = all(column.dtype.is_integer() and not column.null_count() for column in columns)
    if not whole or not (ends.is_in(nodes.implode()).all() and groups.is_in(known.implode()).all()):
        raise ReleaseError(
            "nodes, groups and edges of the graph do not fit together; see papilio verify",
            reason="not-as-described",
        )


@dataclass(frozen=True, eq=False)
class Chosen:
    """What is selected on one side.

    Attributes
    ----------
    side
        The side.
    entities
        Entities that an attribute predicate selects: which of a group's nodes they are is hidden.
    nodes
        Nodes that a structural predicate selects.
    """

    side: GroupedSide
    entities: Mask
    nodes: Mask

    @cached_property
    def per_group(self) -> Ints:
        """Number of selected entities of each group: a, or b."""
        return self.side.entities_per_group(self.entities)

    @cached_property
    def share(self) -> Floats:
        """Chance of each group's nodes to be a selected entity: a/k."""
        return self.per_group / self.side.sizes

    @property
    def sure(self) -> Mask:
        """Nodes that are a selected entity in any case."""
        sure: Mask = self.per_group == self.side.sizes
        return sure[self.side.group_of_node]

    @property
    def possible(self) -> Mask:
        """Nodes that may be a selected entity."""
        possible: Mask = self.per_group > 0
        return possible[self.side.group_of_node]

    @property
    def certain(self) -> bool:
        """Whether it is known which nodes are selected."""
        return bool(((self.per_group == 0) | (self.per_group == self.side.sizes)).all())


def everything(side: GroupedSide) -> Chosen:
    """Select all of a side."""
    return Chosen(
        side, np.ones(len(side.group_of_entity), bool), np.ones(len(side.group_of_node), bool)
    )


@dataclass(frozen=True, eq=False)
class Selection:
    """What is selected on both sides.

    Attributes
    ----------
    left, right
        The sides.
    tails, heads
        The edges between nodes that the structure selects on both sides.
    """

    left: Chosen
    right: Chosen
    tails: Ints
    heads: Ints

    def flipped(self) -> Selection:
        """The same with sides exchanged."""
        return Selection(self.right, self.left, self.heads, self.tails)


def select(graph: GroupedGraph, left: Chosen, right: Chosen) -> Selection:
    """Put two sides together."""
    tails, heads = graph.left.ends, graph.right.ends
    kept = left.nodes[tails] & right.nodes[heads]
    return Selection(left, right, tails[kept], heads[kept])


@dataclass(frozen=True, eq=False)
class Blocks:
    """All pairs of groups with an edge between them.

    Attributes
    ----------
    left, right
        The two groups of each pair.
    edges
        Number of edges: c.
    rows, row_block
        For each left node of each block: its edges in it, most first within a block; its block.
    heads, head_block, head_edges
        For each right node of each block: the node, its block, its edges in it.
    """

    left: Ints
    right: Ints
    edges: Ints
    rows: Ints
    row_block: Ints
    heads: Ints
    head_block: Ints
    head_edges: Ints


def blocks_of(selection: Selection) -> Blocks:
    """Divide the edges of a selection by the groups of their ends. Cost: sorting the edges."""
    left, right = selection.left.side, selection.right.side
    wide = max(len(right.sizes), 1)
    code = left.group_of_node[selection.tails] * wide + right.group_of_node[selection.heads]
    found, block = np.unique(code, return_inverse=True)
    edges = np.bincount(block, minlength=len(found))
    row_block, rows, _ = _touched(block, selection.tails, len(left.group_of_node))
    order = np.lexsort((-rows, row_block))
    head_block, head_edges, heads = _touched(block, selection.heads, len(right.group_of_node))
    return Blocks(
        found // wide, found % wide, edges, rows[order], row_block[order], heads, head_block,
        head_edges,
    )  # fmt: skip


def _touched(block: Ints, nodes: Ints, count: int) -> tuple[Ints, Ints, Ints]:
    """Block, number of edges and node of each node that a block touches."""
    codes, edges = np.unique(block * max(count, 1) + nodes, return_counts=True)
    return codes // max(count, 1), edges, codes % max(count, 1)


def top_edges(blocks: Blocks, nodes: Ints) -> Ints:
    """Most edges that so many left nodes of each block can have together."""
    first = np.searchsorted(blocks.row_block, np.arange(len(blocks.edges)))
    rank = np.arange(len(blocks.rows)) - first[blocks.row_block]
    counted = rank < nodes[blocks.row_block]
    sums = np.bincount(blocks.row_block[counted], blocks.rows[counted], minlength=len(blocks.edges))
    return sums.astype(np.int64)


def bounds(
    low: float,
    high: float,
    mean: float | None,
    variance: float | None,
    *,
    integer: bool = False,
) -> Bounds:
    """Make bounds; equal ends are a known answer.

    Parameters
    ----------
    low, high
        The ends.
    mean, variance
        Of the answer over all originals that fit, or ``None``.
    integer
        Whether the answer is a whole number.
    """
    if integer:
        low, high = round(low), round(high)
    if low == high:
        return Bounds.known(low)
    if mean is not None:
        # Arithmetic must not carry an estimate out of its bounds.
        mean = min(max(mean, low), high)
    std = None if variance is None else math.sqrt(max(variance, 0.0))
    return Bounds(low, high, mean, std, exact=False)


def whole(values: Floats) -> bool:
    """Whether sums and extremes of these values are whole numbers."""
    return bool((values == np.round(values)).all() and np.abs(values).sum() < 2**53)
