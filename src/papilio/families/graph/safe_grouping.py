"""Safe k-groupings of one side of a bipartite graph (Zhang, Algorithm 5, corrected).

Departures from the paper: a group takes nodes while it has *fewer* than k + j of them; groups of
at least k nodes are kept from round to round; what is left over is offered to them before new
groups are opened. As printed, the algorithm need not end. j stops at k - 1, because a group of 2k
nodes can be cut into two safe ones. A node that finds no place may move one other node aside.

Orders in which nodes choose their group; from the structure of the graph and chance alone.

An order that looked at attributes, or at the order of the source, would let a recipient who knows
the method undo part of the masking, as the minimality attack does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from papilio.data.bipartite import Adjacency, BipartiteGraph, Entities
from papilio.errors import InfeasibleError
from papilio.kernels.safe_grouping import count_clashes, make_way, place_nodes
from papilio.randomness import Randomness

Order = Literal["random", "degree", "crowded"]


def node_order(
    side: Adjacency, other: Adjacency, order: Order, randomness: Randomness
) -> NDArray[np.int64]:
    """Nodes of a side in the order in which they choose.

    Parameters
    ----------
    side, other
        Neighbours of this side's nodes and of the other side's.
    order
        ``random``; or ``degree``: by degree, then by the sorted degrees of the neighbours, ties
        at random. Then nodes of one group are alike, and structural questions have tight answers
        (Zhang, 4.4.5). ``crowded``: those whose neighbours have most neighbours first;
        like the largest-first rule for colouring graphs, it finds groupings where others fail.
    randomness
        Shuffles all nodes first.
    """
    shuffled = randomness.permutation(len(side.starts) - 1)
    if order == "random":
        return shuffled
    if order == "crowded":
        ends = np.repeat(np.arange(len(shuffled)), side.degrees)
        crowd = np.bincount(ends, other.degrees[side.links], minlength=len(shuffled))
        return shuffled[np.argsort(-crowd[shuffled], kind="stable")]
    degrees = side.degrees[shuffled]
    return np.concatenate(
        [
            _by_neighbours(shuffled[degrees == degree], side, other.degrees)
            for degree in np.unique(degrees)
        ]
    ).astype(np.int64, copy=False)


def _by_neighbours(
    nodes: NDArray[np.int64], side: Adjacency, degrees: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Nodes of equal degree by the sorted degrees of their neighbours; stable."""
    degree = int(side.degrees[nodes[0]])
    if degree == 0:
        return nodes
    places = side.starts[nodes][:, None] + np.arange(degree)
    profiles = np.sort(degrees[side.links[places]], axis=1)
    return nodes[np.lexsort(profiles.T[::-1])]


def largest_possible(side: Adjacency, other: Adjacency) -> int:
    """No safe grouping has a larger k than this.

    The d neighbours of one node must be in d different groups, and n nodes make at most n/k
    groups; so k is at most n/d.
    """
    count = len(side.starts) - 1
    return count // max(int(other.degrees.max(initial=1)), 1)


def why_not(name: str, side: Adjacency, other: Adjacency, k: int, retries: int) -> str:
    """Say what stands in the way, and whether that is certain."""
    count = len(side.starts) - 1
    if count < k:
        return f"there are only {count} entities"
    crowded = other.degrees[other.degrees * k > count]
    if len(crowded):
        return (
            f"{_plural(len(crowded), 'node of the other side is', 'nodes of the other side are')} "
            f"linked to more than 1 in {k} of '{name}' (at most to {int(crowded.max())} of "
            f"{count}), and the nodes linked to one must all be in different groups"
        )
    clashes = count_clashes(side.starts, side.links, other.starts, other.links)
    lonely = clashes[count - clashes < k]
    if len(lonely):
        return (
            f"{_plural(len(lonely), 'node shares', 'nodes share')} a neighbour with so many "
            f"others that fewer than {k} remain that could be in one group with "
            f"{'it' if len(lonely) == 1 else 'them'}"
        )
    return (
        f"none was found in {_plural(retries + 1, 'order', 'orders')} of the nodes, though none of "
        "them is impossible to place by itself; there may be one"
    )


def _plural(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"


#: Groups that a node without a place tries to enter by moving another node, and how many nodes
#: try at all: where more are left over, the graph is too dense for this to help.
_TRIES, _MOST_LEFT = 64, 2000


@dataclass(frozen=True, eq=False)
class NodeGroups:
    """A division of the nodes of one side.

    Attributes
    ----------
    group_of_node
        Group of each node; -1 for nodes that found none.
    count
        Number of groups.
    """

    group_of_node: NDArray[np.int32]
    count: int

    @property
    def complete(self) -> bool:
        """Whether every node has a group."""
        return bool((self.group_of_node >= 0).all())

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of nodes of each group."""
        placed = self.group_of_node[self.group_of_node >= 0]
        return np.bincount(placed, minlength=self.count)

    def strict(self, k: int) -> bool:
        """Whether every group has k or k + 1 nodes (Definition 4.4.1)."""
        return self.complete and bool((self.sizes >= k).all() and (self.sizes <= k + 1).all())


def safe_grouping(
    side: Adjacency, other: Adjacency, k: int, order: NDArray[np.int64]
) -> NodeGroups:
    """Divide nodes greedily into groups of at least k of which no two share a neighbour.

    Guarantees that no two nodes of a group share a neighbour and every group has from k to
    2k - 1 nodes; not that every node finds a group, even where a grouping exists: finding one is
    NP-hard.

    Parameters
    ----------
    side, other
        Neighbours of this side's nodes and of the other side's.
    k
        Least size of a group.
    order
        The nodes in the order in which they choose.

    Notes
    -----
    Cost: the sum over the other side's nodes of their squared degree.
    """
    count = len(order)
    group_of, size = np.full(count, -1, np.int32), np.zeros(count, np.int64)
    if k == 1:
        return NodeGroups(np.arange(count, dtype=np.int32), count)
    graph = (side.starts, side.links, other.starts, other.links)
    groups = place_nodes(order, *graph, group_of, size, 0, k)
    for room in range(k + 1, 2 * k):
        groups = _dissolve(group_of, size, groups, k)
        left = order[group_of[order] < 0]
        if not len(left):
            break
        groups = place_nodes(left, *graph, group_of, size, groups, room)
        groups = _dissolve(group_of, size, groups, k)
        left = order[group_of[order] < 0]
        make_way(left[:_MOST_LEFT], *graph, group_of, size, groups, room, _TRIES)
    groups = _dissolve(group_of, size, groups, k)
    return NodeGroups(group_of, groups)


def _dissolve(group_of: NDArray[np.int32], size: NDArray[np.int64], count: int, least: int) -> int:
    """Take the nodes out of groups that are too small, number the others anew; changes both."""
    kept = size[:count] >= least
    number = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
    placed = group_of >= 0
    group_of[placed] = number[group_of[placed]]
    left = int(kept.sum())
    size[:left] = size[:count][kept]
    size[left:] = 0
    return left


def find_grouping(
    entities: Entities,
    side: Adjacency,
    other: Adjacency,
    k: int,
    *,
    letter: str,
    order: Order,
    retries: int,
    randomness: Randomness,
) -> NodeGroups:
    """Find a safe grouping, strict if one of the orders gives one.

    Parameters
    ----------
    entities
        Of this side, for messages.
    side, other
        Neighbours of this side's nodes and of the other side's.
    k
        Least size of a group.
    letter
        How the policy calls it, ``k`` or ``l``.
    order, retries
        The order, and how many further ones are tried: half of the same kind, half by how
        crowded the neighbours are. A grouping that is not strict is taken only if none of them
        gives a strict one.
    randomness
        For the orders.

    Raises
    ------
    InfeasibleError
        If none was found: for how many nodes and why, and the largest k that was found to work.
    """
    best = _try(side, other, k, order, retries, randomness)
    if best is not None:
        return best
    reason = why_not(entities.name, side, other, k, retries)
    nearest = _largest(side, other, min(k - 1, largest_possible(side, other)), order, randomness)
    raise InfeasibleError(
        f"'{entities.name}': no safe grouping with {letter} = {k}: {reason}",
        reason="no-safe-grouping",
        nearest=f"the largest {letter} that was found to work is {nearest}",
    )


def find_side(
    graph: BipartiteGraph, side: str, size: int, order: Order, retries: int, randomness: Randomness
) -> NodeGroups:
    """Find a safe grouping of one side of a graph, ``left`` or ``right``."""
    entities, near, far, letter = (
        (graph.left, graph.forward, graph.backward, "k")
        if side == "left"
        else (graph.right, graph.backward, graph.forward, "l")
    )
    return find_grouping(
        entities, near, far, size, letter=letter, order=order, retries=retries,
        randomness=randomness,
    )  # fmt: skip


def _try(
    side: Adjacency, other: Adjacency, k: int, order: Order, retries: int, randomness: Randomness
) -> NodeGroups | None:
    """Try orders until one gives a strict grouping; else the one with the smallest groups."""
    found: list[NodeGroups] = []
    if k <= largest_possible(side, other):
        for attempt in range(retries + 1):
            # Ties are broken anew each time; where that does not help, another order may.
            kind: Order = order if attempt <= retries // 2 else "crowded"
            groups = safe_grouping(side, other, k, node_order(side, other, kind, randomness))
            if groups.strict(k):
                return groups
            if groups.complete:
                found.append(groups)
                if not _strict_sizes_exist(len(groups.group_of_node), k):
                    break
    return min(found, key=lambda groups: int(groups.sizes.max()), default=None)


def _strict_sizes_exist(count: int, k: int) -> bool:
    """Whether so many nodes can be divided into groups of k and k + 1 at all."""
    return -(-count // (k + 1)) <= count // k


def _largest(
    side: Adjacency, other: Adjacency, most: int, order: Order, randomness: Randomness
) -> int:
    """Largest k up to ``most`` for which a grouping is found; 1 always is one.

    A grouping for k is one for every smaller k, so halving finds the largest for which one exists,
    as far as the search finds it.
    """
    least = 1
    while least < most:
        middle = (least + most + 1) // 2
        if _try(side, other, middle, order, 2, randomness) is None:
            most = middle - 1
        else:
            least = middle
    return least
