"""A bipartite graph to a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.bipartite import GROUP, NODE, BipartiteGraph, Entities, nodes_name
from papilio.data.io.frames import Kind, from_native
from papilio.data.types import as_text
from papilio.errors import DataError
from papilio.families.facts import types_of
from papilio.families.family import Original
from papilio.families.graph.level import GraphGroups, level
from papilio.families.graph.policy import grouping_of, order_of_nodes
from papilio.families.graph.safe_grouping import NodeGroups, find_side
from papilio.policy.apply_graph import PARTS, GraphOrder, graph_order
from papilio.policy.policy import Policy
from papilio.policy.recipients import EVERYONE
from papilio.privacy.safe_grouping import KNOWN_DEGREE, SafeGrouping
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.read_table import as_it_was
from papilio.release.release import Release
from papilio.verify.promise.promise import Facts, TableFacts


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
    found: GraphGroups,
    requirement: SafeGrouping,
    *,
    randomness: Randomness,
    dropped: int = 0,
    at_most: float = 0.0,
    levelled: bool = False,
    kind: Kind = Kind.POLARS,
) -> Made:
    """Publish a graph whose nodes are divided into groups (Definition 4.4.2).

    Parameters
    ----------
    found, requirement
        The graph with its groups, and what was demanded of them.
    randomness
        Masks the nodes.
    dropped, at_most
        How many links of the original the graph has lost, and the share that was allowed.
    levelled
        Whether all nodes of a group of one side have equally many links.
    kind
        Kind of the frames.

    Notes
    -----
    The structure is published as it is. Nodes and groups get new random numbers and entities a new
    random order, all drawn independently, so that within a group nothing tells which entity is
    which node, and nothing in a table of entities comes from the graph but the group.
    """
    graph, left, right = found.graph, found.left, found.right
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
        replace(_table(graph.name, graph.columns, frames), left_out_at_most=at_most),
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
            **({"dropped": dropped} if dropped else {}),
        },
    )
    known = Claim(
        KNOWN_DEGREE, graph.name, EVERYONE, graph.columns, {"s": max(requirement.k, requirement.l)}
    )
    claims = (claim, known) if levelled else (claim,)
    manifest = Manifest("graph", "grouping", claims, tables, seeded=randomness.seeded)
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


def graph_order_of(data: Any, policy: Policy) -> tuple[GraphOrder, Kind]:
    """Apply a policy to the frames of a graph, or to its own sources if ``data`` is ``None``.

    Parameters
    ----------
    data
        A mapping with the frames ``left``, ``right`` and ``edges``.
    policy
        A policy with a graph.
    """
    if data is None:
        return graph_order(policy), Kind.POLARS
    if not isinstance(data, Mapping) or set(data) != set(PARTS):
        raise DataError(
            "the data of a graph is a mapping with the frames 'left', 'right' and 'edges'",
            reason="unknown-frame",
        )
    native = {part: from_native(data[part]) for part in PARTS}
    frames = {part: frame for part, (frame, _) in native.items()}
    return graph_order(policy, frames), native["left"][1]


def read_graph(data: Any, policy: Policy) -> Original:
    """Read a graph as what a release is made of."""
    order, kind = graph_order_of(data, policy)
    facts = partial(_facts, order, named=data is None)
    frames = partial(original_tables, order.graph)
    size = order.graph.left.count

    def under(other: Policy) -> Original:
        return replace(original, policy=other)

    original = Original(policy, order, order.graph, size, kind, facts, frames, under)
    return original


def _facts(order: GraphOrder, *, named: bool) -> Facts:
    graph = order.graph
    sides = [
        TableFacts(
            side.name if named else None,
            {} if side.table is None else types_of(side.table.columns),
            side.count,
        )
        for side in (graph.left, graph.right)
    ]
    return Facts((*sides, TableFacts(graph.name if named else None, {}, graph.edges)))


def make_graph(
    order: GraphOrder, policy: Policy, randomness: Randomness, kind: Kind, tell: Progress
) -> Made:
    """Group both sides of a graph and mask its nodes; the release is not verified yet.

    Raises
    ------
    InfeasibleError
        If no safe grouping is found; it names the largest k or l that works.
    """
    demanded, said = grouping_of(policy), policy.graph
    assert said is not None  # noqa: S101 - graph_order has read it
    tell("grouping", 0.2)
    found = _groups(order.graph, policy, demanded, said.retries, randomness)
    tell("masking", 0.5)
    made = graph_release(
        found,
        demanded,
        dropped=order.graph.edges - found.graph.edges,
        at_most=policy.privacy.suppress,
        levelled=order_of_nodes(policy) == "level",
        randomness=randomness,
        kind=kind,
    )
    return replace(made, notes=graph_notes(order, made.release, policy))


def _groups(
    graph: BipartiteGraph,
    policy: Policy,
    demanded: SafeGrouping,
    retries: int,
    randomness: Randomness,
) -> GraphGroups:
    order = order_of_nodes(policy)
    if order == "level":
        return level(graph, demanded, policy.privacy.suppress, retries, randomness)
    sides = (
        find_side(graph, side, size, order, retries, randomness)
        for side, size in (("left", demanded.k), ("right", demanded.l))
    )
    return GraphGroups(graph, *sides)


def original_tables(graph: BipartiteGraph) -> dict[str, pl.DataFrame]:
    """A graph as three plain tables: entities with their number, and edges between numbers.

    The columns of the numbers are ``papilio entity``, ``left`` and ``right``.
    """
    tails = np.repeat(np.arange(graph.left.count), graph.forward.degrees)
    edges = pl.DataFrame({"left": tails, "right": graph.forward.links.astype(np.int64)})
    return {
        "left": _numbered(graph.left),
        "right": _numbered(graph.right),
        "edges": edges,
    }


def _numbered(entities: Entities) -> pl.DataFrame:
    number = pl.Series("papilio entity", np.arange(entities.count))
    if entities.table is None:
        return pl.DataFrame([number])
    return entities.table.frame.with_columns(number)


def graph_notes(order: GraphOrder, release: Release, policy: Policy) -> tuple[str, ...]:
    """What the owner of a graph should know about this run."""
    graph, demanded = order.graph, grouping_of(policy)
    notes = []
    if graph.merged:
        what = _edges_in_words(graph.merged, "stands", "stand")
        notes.append(f"{what} in '{graph.name}' more than once; counted once.")
    if graph.dropped:
        what = _edges_in_words(graph.dropped, "has", "have")
        notes.append(f"{what} an end that is no entity; left out.")
    said = release.manifest.claims[0].parameters
    if lost := said.get("dropped", 0):
        notes.append(
            f"{_edges_in_words(lost, 'was', 'were')} left out ({lost / graph.edges:.2%} of them), "
            "so that all nodes of a group of one side have equally many."
        )
    if not said["strict"]:
        notes.append("The grouping is not strict: some groups have more than k + 1 or l + 1 nodes.")
    if 1 in (demanded.k, demanded.l):
        named = graph.left if demanded.k == 1 else graph.right
        notes.append(
            f"The nodes of '{named.name}' are known by name, as {'k' if demanded.k == 1 else 'l'} "
            "is 1. Never publish a (k,1) and a (1,l) release of the same graph: together they "
            "single people out; papilio attack says how many."
        )
    return tuple(notes)


def _edges_in_words(count: int, one: str, several: str) -> str:
    return f"1 edge {one}" if count == 1 else f"{count} edges {several}"
