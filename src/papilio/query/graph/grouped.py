"""A released graph as arrays: masked edges, and the group of every node and entity."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.graph_tables import GROUP, NODE, nodes_name
from papilio.errors import ReleaseError
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
