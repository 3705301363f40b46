"""What there is to know about a released graph; it follows from the release alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from papilio.attack.learned_links import Conclusion, conclusions
from papilio.attack.static_edge import link_beliefs
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.query.graph.grouped import GroupedGraph, GroupedSide, Ints, grouped_graph
from papilio.randomness import Randomness
from papilio.release.release import Release

#: Where the bars of degrees begin.
_DEGREES = (0, 1, 2, 3, 4, 5, 6, 10, 20, 50, 100, 200, 500, 1000)

#: Nodes of a group, and neighbours of them, that the picture of a neighbourhood shows.
_SHOWN_NODES, _SHOWN_NEIGHBOURS = 6, 14


@dataclass(frozen=True)
class CountBar:
    """How many have a number, or one of a range of numbers."""

    label: str
    count: int


@dataclass(frozen=True)
class GraphSide:
    """One side of the graph.

    Attributes
    ----------
    name, attributes
        The table of entities and its published columns.
    letter, demanded
        ``k`` or ``l``, and its number.
    entities, groups
        How many there are.
    largest
        Nodes in the largest group.
    degrees, sizes
        How many nodes have how many links; how many groups have how many nodes.
    """

    name: str
    attributes: tuple[str, ...]
    letter: str
    demanded: int
    entities: int
    groups: int
    largest: int
    degrees: tuple[CountBar, ...]
    sizes: tuple[CountBar, ...]


@dataclass(frozen=True)
class Neighbourhood:
    """A group of nodes as the release shows it.

    Attributes
    ----------
    near, far
        Table of the group's entities, and of those they are linked to.
    entities
        How many entities, and nodes, the group has.
    nodes
        How many of them are shown.
    edges
        Shown edges: number of a shown node, and of a shown neighbour.
    groups
        Group of each shown neighbour, numbered from 1 in the picture.
    """

    near: str
    far: str
    entities: int
    nodes: int
    edges: tuple[tuple[int, int], ...]
    groups: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class GraphFacts:
    """Figures of a released graph.

    Attributes
    ----------
    name
        What it is called.
    demanded
        Sizes of groups that are claimed.
    sides
        Left and right.
    edges
        Number of edges.
    strongest, average
        Belief in the links that there are, from the release alone.
    learnt
        What attackers who know some links believe.
    neighbourhood
        A picture of what is masked.
    """

    name: str
    demanded: SafeGrouping
    sides: tuple[GraphSide, GraphSide]
    edges: int
    strongest: float
    average: float
    learnt: tuple[Conclusion, ...]
    neighbourhood: Neighbourhood | None

    @property
    def bound(self) -> float:
        """What belief may be at most."""
        return self.demanded.posterior()


def doubt(release: Release) -> float:
    """Doubt about an average link of the release."""
    beliefs = link_beliefs(grouped_graph(release))
    return 1.0 - (float(beliefs.mean()) if len(beliefs) else 0.0)


def graph_facts(release: Release) -> GraphFacts:
    """Measure a released graph. Cost: that of the attackers who learn links."""
    graph = grouped_graph(release)
    (claim,) = (c for c in release.manifest.claims if c.claim == "safe-grouping")
    demanded = SafeGrouping(claim.parameters["k"], claim.parameters["l"])
    beliefs = link_beliefs(graph)
    return GraphFacts(
        name=graph.name,
        demanded=demanded,
        sides=(_side(graph.left, "k", demanded.k), _side(graph.right, "l", demanded.l)),
        edges=graph.edges,
        strongest=float(beliefs.max(initial=0.0)),
        average=float(beliefs.mean()) if len(beliefs) else 0.0,
        learnt=conclusions(graph, demanded, Randomness()),
        neighbourhood=_neighbourhood(graph) or _neighbourhood(graph.flipped()),
    )


def _side(side: GroupedSide, letter: str, demanded: int) -> GraphSide:
    return GraphSide(
        name=side.name,
        attributes=tuple(side.entities.columns),
        letter=letter,
        demanded=demanded,
        entities=len(side.group_of_node),
        groups=len(side.sizes),
        largest=int(side.sizes.max()),
        degrees=degree_bars(side.degrees),
        sizes=tuple(
            CountBar(str(size), int(count))
            for size, count in enumerate(np.bincount(side.sizes))
            if count
        ),
    )


def degree_bars(degrees: Ints) -> tuple[CountBar, ...]:
    """Count numbers of links, the larger ones in ranges; up to the largest that occurs."""
    most = int(degrees.max(initial=0))
    starts = [each for each in _DEGREES if each <= most]
    ends = [each - 1 for each in starts[1:]] + [most]
    return tuple(
        CountBar(
            str(low) if low == high else f"{low}–{high}",
            int(((degrees >= low) & (degrees <= high)).sum()),
        )
        for low, high in zip(starts, ends, strict=True)
    )


def _neighbourhood(graph: GroupedGraph) -> Neighbourhood | None:
    """Pick a left group of more than one node with about two links each."""
    links = np.bincount(graph.left.group_of_node[graph.left.ends], minlength=len(graph.left.sizes))
    fitting = np.flatnonzero((links > 0) & (graph.left.sizes > 1))
    if not len(fitting):
        return None
    group = int(fitting[np.argmin(np.abs(links[fitting] - 2 * graph.left.sizes[fitting]))])
    nodes = np.flatnonzero(graph.left.group_of_node == group)[:_SHOWN_NODES]
    place = {int(node): number for number, node in enumerate(nodes)}
    pairs = [
        (place[int(x)], int(y))
        for x, y in zip(graph.left.ends, graph.right.ends, strict=True)
        if int(x) in place
    ]
    heads = list(dict.fromkeys(y for _, y in sorted(pairs)))[:_SHOWN_NEIGHBOURS]
    of = graph.right.group_of_node[heads].tolist()
    number = {name: at + 1 for at, name in enumerate(dict.fromkeys(of))}
    return Neighbourhood(
        graph.left.name,
        graph.right.name,
        int(graph.left.sizes[group]),
        len(nodes),
        tuple((x, heads.index(y)) for x, y in sorted(pairs) if y in heads),
        tuple(number[each] for each in of),
    )
