"""Levelled groups: all nodes of a group of one side have equally many links.

Who knows how many links people have looks only at nodes with so many. The links between two safe
groups form a matching, so that one side whose groups hold nodes of one degree is enough: a link is
then believed with at most 1/s, s being the size of those groups.

Nodes are sorted by degree and cut into bands, groups are made inside the bands, and each group is
lowered to its least degree by dropping links. Narrow bands lose few links and leave little room to
place nodes that share neighbours; so several widths are tried, and the cheapest is taken.

Who knows how many links everybody truly has sees who lost some. Where one node holds most of the
losses, that tells whose they are. So further groups are lowered by chance until, with a losses at
most of a node of this side and b at most of one of the other, s a b is no more than all losses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from papilio.data.bipartite import Adjacency, BipartiteGraph, adjacency
from papilio.errors import InfeasibleError
from papilio.families.graph.safe_grouping import NodeGroups, find_side, safe_grouping
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.randomness import Randomness

Ints = NDArray[np.int64]
#: Widths of bands that are tried, in groups; and most bands, as each takes a while.
_WIDTHS = (1, 2, 4, 8, 16, 32, 64)
_MOST_BANDS = 5_000
#: How often links are chosen anew where more than allowed were dropped, and fewer might do.
_TRIES = 5


@dataclass(frozen=True, eq=False)
class Levelled:
    """A grouping of a side, and what it costs to make it level.

    Attributes
    ----------
    side
        Neighbours of its nodes.
    groups
        The grouping.
    """

    side: Adjacency
    groups: NodeGroups

    @property
    def lowest(self) -> Ints:
        """Least degree of each group."""
        lowest = np.full(self.groups.count, np.iinfo(np.int64).max)
        np.minimum.at(lowest, self.groups.group_of_node, self.side.degrees)
        return lowest

    @property
    def losses(self) -> Ints:
        """Links that each node has above the least of its group."""
        losses: Ints = self.side.degrees - self.lowest[self.groups.group_of_node]
        return losses

    def price(self, size: int) -> int:
        """Fewest links that are dropped, if no node of the other side loses two."""
        losses = self.losses
        return max(int(losses.sum()), size * int(losses.max(initial=0)))


def banded(side: Adjacency, size: int, randomness: Randomness) -> Iterator[NodeGroups]:
    """Safe groupings inside bands of nodes of like degree, by width; none where nodes are left."""
    count = len(side.starts) - 1
    for width in _WIDTHS:
        if size * width < count <= size * width * _MOST_BANDS:
            groups = _in_bands(side, size, width, randomness)
            if groups.complete:
                yield groups


def _in_bands(side: Adjacency, size: int, width: int, randomness: Randomness) -> NodeGroups:
    """Place the nodes of each band; those that find no place go on to the band below."""
    shuffled = randomness.permutation(len(side.starts) - 1)
    order = shuffled[np.argsort(-side.degrees[shuffled], kind="stable")]
    group_of, count = np.full(len(order), -1, np.int32), 0
    left = order[:0]
    for band in _bands(order, side.degrees[order], size, width):
        nodes = np.concatenate([left, band])
        own, far = _among(side, nodes)
        found = safe_grouping(own, far, size, np.arange(len(nodes)))
        placed = found.group_of_node >= 0
        group_of[nodes[placed]] = found.group_of_node[placed] + count
        count, left = count + found.count, nodes[~placed]
    return NodeGroups(group_of, count)


def _bands(order: Ints, degrees: Ints, size: int, width: int) -> Iterator[Ints]:
    """Cut nodes, those with most links first, where the degree changes next after enough nodes."""
    ends = np.searchsorted(-degrees, -degrees, side="right")
    start, count = 0, len(order)
    while start < count:
        end = int(ends[min(start + size * width, count) - 1])
        # What would be too few for a group stays with the band above.
        end = end if count - end >= size else count
        yield order[start:end]
        start = end


def _among(side: Adjacency, nodes: Ints) -> tuple[Adjacency, Adjacency]:
    """The graph of some nodes of a side and their neighbours, both numbered anew."""
    degrees = side.degrees[nodes]
    tails = np.repeat(np.arange(len(nodes)), degrees)
    first = np.repeat(side.starts[nodes] - np.cumsum(degrees) + degrees, degrees)
    ends = side.links[first + np.arange(len(tails))]
    known, heads = np.unique(ends, return_inverse=True)
    own, far, _ = adjacency(tails, heads, len(nodes), max(len(known), 1))
    return own, far


@dataclass(eq=False)
class _Drops:
    """Links that are dropped, one by one; of a node's links one whose far end lost least."""

    side: Adjacency
    randomness: Randomness
    lost: Ints = field(init=False)
    far_lost: Ints = field(init=False)
    gone: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        self.lost = np.zeros(len(self.side.starts) - 1, np.int64)
        self.far_lost = np.zeros(int(self.side.links.max(initial=-1)) + 1, np.int64)
        self.gone = np.zeros(len(self.side.links), bool)

    def drop(self, node: int, count: int) -> None:
        """Drop some of the links that a node still has."""
        start, end = self.side.starts[node : node + 2]
        there = start + np.flatnonzero(~self.gone[start:end])
        there = there[self.randomness.permutation(len(there))]
        ends = self.side.links[there]
        chosen = np.argsort(self.far_lost[ends], kind="stable")[:count]
        self.gone[there[chosen]] = True
        self.far_lost[ends[chosen]] += 1
        self.lost[node] += count

    def enough(self, size: int) -> bool:
        """Whether no pair of ends holds more than 1 in ``size`` of the losses."""
        largest = int(self.lost.max(initial=0)) * int(self.far_lost.max(initial=0))
        return size * largest <= int(self.lost.sum())


def dropped_links(found: Levelled, size: int, randomness: Randomness) -> NDArray[np.bool_]:
    """Choose links to drop so that each group has one degree, and losses name nobody.

    Parameters
    ----------
    found
        The side and its groups.
    size
        How small the share of the losses must be that a pair of ends holds: 1 in so many.
    randomness
        Says which links, and which further groups are lowered.

    Returns
    -------
    NDArray
        For each entry of the side's ``links``, whether it goes.
    """
    drops = _Drops(found.side, randomness)
    losses = found.losses
    losing = np.flatnonzero(losses)
    for node in losing[randomness.permutation(len(losing))].tolist():
        drops.drop(node, int(losses[node]))
    members = _members(found.groups)
    while not drops.enough(size):
        lowered = _one_to_lower(found, drops, members, randomness)
        if lowered is None:
            break
        for node in lowered.tolist():
            drops.drop(node, 1)
    return drops.gone


def _members(groups: NodeGroups) -> list[Ints]:
    order = np.argsort(groups.group_of_node, kind="stable")
    return np.split(order, np.cumsum(groups.sizes)[:-1])


def _one_to_lower(
    found: Levelled, drops: _Drops, members: list[Ints], randomness: Randomness
) -> Ints | None:
    """Nodes of a group by chance that has links left, where nobody lost most if there is one."""
    have = found.side.degrees - drops.lost
    group_of = found.groups.group_of_node
    left = np.full(found.groups.count, np.iinfo(np.int64).max)
    np.minimum.at(left, group_of, have)
    most = np.zeros(found.groups.count, np.int64)
    np.maximum.at(most, group_of, drops.lost)
    able = np.flatnonzero(left > 0)
    even = able[most[able] < drops.lost.max()]
    chosen = even if len(even) else able
    return members[chosen[randomness.permutation(len(chosen))[0]]] if len(chosen) else None


@dataclass(frozen=True, eq=False)
class GraphGroups:
    """A graph that may have lost links, with the groups of both sides.

    Attributes
    ----------
    graph
        The graph that is published.
    left, right
        Its groups.
    """

    graph: BipartiteGraph
    left: NodeGroups
    right: NodeGroups


def level(
    graph: BipartiteGraph,
    demanded: SafeGrouping,
    most: float,
    retries: int,
    randomness: Randomness,
) -> GraphGroups:
    """Group a graph so that all nodes of a group of one side have equally many links.

    A side is levelled whose groups are demanded to be the larger ones; of two equal ones that
    which loses fewer links. The other side is grouped by degree, knowing only what is published.

    Parameters
    ----------
    graph, demanded
        The graph, and the sizes of groups.
    most
        The largest share of the links that may be dropped.
    retries, randomness
        As for :func:`~papilio.families.graph.safe_grouping.find_grouping`.

    Raises
    ------
    InfeasibleError
        If no safe grouping is found, or more links than allowed would have to be dropped.

    Notes
    -----
    Cost: a search for each of seven widths and either side, and a step for each dropped link.
    """
    size = max(demanded.k, demanded.l)
    sides = [side for side, own in (("left", demanded.k), ("right", demanded.l)) if own == size]
    found = {side: _cheapest(graph, side, size, retries, randomness) for side in sides}
    chosen = min(sides, key=lambda side: found[side].price(size))
    allowed = math.floor(Fraction(str(most)) * graph.edges)
    less = without(graph, chosen, _few_links(found[chosen], size, allowed, randomness))
    _check_dropped(graph, graph.edges - less.edges, most)
    other = "right" if chosen == "left" else "left"
    least = demanded.l if chosen == "left" else demanded.k
    both = {
        chosen: found[chosen].groups,
        other: find_side(less, other, least, "degree", retries, randomness),
    }
    return GraphGroups(less, both["left"], both["right"])


def _cheapest(
    graph: BipartiteGraph, side: str, size: int, retries: int, randomness: Randomness
) -> Levelled:
    near = graph.forward if side == "left" else graph.backward
    tried = list(banded(near, size, randomness))
    if not tried:
        tried.append(find_side(graph, side, size, "degree", retries, randomness))
    return min((Levelled(near, groups) for groups in tried), key=lambda one: one.price(size))


def _few_links(
    found: Levelled, size: int, allowed: int, randomness: Randomness
) -> NDArray[np.bool_]:
    """Choose links to drop; some times anew if chance made them more than allowed."""
    gone = dropped_links(found, size, randomness)
    if found.price(size) > allowed:
        return gone
    for _ in range(_TRIES):
        if gone.sum() <= allowed:
            break
        gone = min(gone, dropped_links(found, size, randomness), key=np.sum)
    return gone


def _check_dropped(graph: BipartiteGraph, dropped: int, most: float) -> None:
    if dropped <= math.floor(Fraction(str(most)) * graph.edges):
        return
    # Rounded up to two digits, and a little over, as chance decides a few of them.
    needed = 1.1 * dropped / graph.edges
    unit = 10.0 ** (math.floor(math.log10(needed)) - 1)
    share = min(math.ceil(needed / unit) * unit, 1.0)
    raise InfeasibleError(
        f"'{graph.name}': to level the degrees, {dropped:,} of {graph.edges:,} links would have "
        f"to be left out ({dropped / graph.edges:.2%} of them), and privacy.suppress allows "
        f"{100 * most:.3g}%",
        reason="too-many-links",
        nearest=(
            f"privacy.suppress: {100 * share:.4g}% would do"
            if share < 1
            else "ask for smaller groups, or for no level"
        ),
    )


def without(graph: BipartiteGraph, side: str, gone: NDArray[np.bool_]) -> BipartiteGraph:
    """A graph without some links, marked in the order of the links of one of its sides."""
    near = graph.forward if side == "left" else graph.backward
    tails = np.repeat(np.arange(len(near.starts) - 1), near.degrees)[~gone]
    heads = near.links[~gone].astype(np.int64)
    if side == "right":
        tails, heads = heads, tails
    forward, backward, _ = adjacency(tails, heads, graph.left.count, graph.right.count)
    return replace(graph, forward=forward, backward=backward)
