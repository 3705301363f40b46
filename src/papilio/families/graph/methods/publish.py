"""A graph and its groups to a release: masked nodes, entities with their groups, claims."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.bipartite import BipartiteGraph, Entities
from papilio.data.graph_tables import GROUP, NODE, nodes_name
from papilio.data.io.frames import Kind
from papilio.data.types import as_text
from papilio.families.graph.methods.safe_grouping import NodeGroups
from papilio.policy.recipients import EVERYONE
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.randomness import Randomness
from papilio.release.as_it_was import as_it_was
from papilio.release.made import Made
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release


@dataclass(frozen=True, eq=False)
class _MaskedSide:
    """New numbers of a side.

    Attributes
    ----------
    node
        Published number of each node.
    group
        Published number of the group of each node.
    entities
        Entities in published order.
    """

    node: NDArray[np.int64]
    group: NDArray[np.int64]
    entities: NDArray[np.int64]


def graph_release(
    graph: BipartiteGraph,
    left: NodeGroups,
    right: NodeGroups,
    requirement: SafeGrouping,
    *,
    randomness: Randomness,
    kind: Kind = Kind.POLARS,
) -> Made:
    """Publish a graph whose nodes are divided into groups (Definition 4.4.2).

    The structure is published as it is. Nodes and groups get new random numbers and entities a new
    random order, all drawn independently, so that within a group nothing tells which entity is
    which node, and nothing in a table of entities comes from the graph but the group.
    """
    sides = (_mask(left, randomness), _mask(right, randomness))
    strict = left.strict(requirement.k) and right.strict(requirement.l)
    frames = {
        graph.left.name: _entities(graph.left, sides[0]),
        graph.right.name: _entities(graph.right, sides[1]),
        graph.name: _edges(graph, *sides),
        nodes_name(graph.left.name): _nodes(sides[0]),
        nodes_name(graph.right.name): _nodes(sides[1]),
    }
    tables = (
        _described(graph.left),
        _described(graph.right),
        _table(graph.name, graph.columns, frames),
        _table(nodes_name(graph.left.name), (NODE, GROUP), frames),
        _table(nodes_name(graph.right.name), (NODE, GROUP), frames),
    )
    claim = Claim(
        requirement.name,
        graph.name,
        EVERYONE,
        graph.columns,
        {
            **requirement.parameters(),
            "strict": strict,
            "left": graph.left.name,
            "right": graph.right.name,
        },
    )
    manifest = Manifest("graph", "grouping", (claim,), tables, seeded=randomness.seeded)
    witness = {}
    for entities, side in zip((graph.left, graph.right), sides, strict=True):
        witness[entities.name] = side.entities
        # Nodes stand in the order of their new numbers.
        witness[nodes_name(entities.name)] = np.argsort(side.node)
    return Made(Release(manifest, frames, {}, kind), witness)


def _mask(groups: NodeGroups, randomness: Randomness) -> _MaskedSide:
    count = len(groups.group_of_node)
    numbers = randomness.permutation(groups.count)
    return _MaskedSide(
        randomness.permutation(count),
        numbers[groups.group_of_node],
        randomness.permutation(count),
    )


def _entities(entities: Entities, side: _MaskedSide) -> pl.DataFrame:
    group = pl.Series(GROUP, side.group[side.entities])
    if entities.table is None:
        return pl.DataFrame([group])
    moved = entities.table.frame[side.entities]
    return as_text(moved).with_columns(group)


def _nodes(side: _MaskedSide) -> pl.DataFrame:
    """Nodes in the order of their new numbers, which says nothing."""
    return pl.DataFrame({NODE: side.node, GROUP: side.group}).sort(NODE)


def _edges(graph: BipartiteGraph, left: _MaskedSide, right: _MaskedSide) -> pl.DataFrame:
    tails = np.repeat(np.arange(graph.left.count), graph.forward.degrees)
    ends = (left.node[tails], right.node[graph.forward.links])
    frame = pl.DataFrame(dict(zip(graph.columns, ends, strict=True)))
    return frame.sort(graph.columns)


def _described(entities: Entities) -> PublishedTable:
    columns = () if entities.table is None else entities.table.columns
    described = map(as_it_was, columns)
    # The key itself stays behind; what is said of it is its group.
    key = PublishedColumn(entities.key, "plain", "numeric", "group", (GROUP,))
    return PublishedTable(entities.name, (*described, key), entities.count)


def _table(name: str, columns: tuple[str, ...], frames: dict[str, pl.DataFrame]) -> PublishedTable:
    described = tuple(
        PublishedColumn(each, "plain", "numeric", "value", (each,)) for each in columns
    )
    return PublishedTable(name, described, frames[name].height)
