"""Safe k-groupings of one side of a bipartite graph (Zhang, Algorithm 5, corrected).

Departures from the paper: a group takes nodes while it has *fewer* than k + j of them; groups of
at least k nodes are kept from round to round; what is left over is offered to them before new
groups are opened. As printed, the algorithm need not end. j stops at k - 1, because a group of 2k
nodes can be cut into two safe ones. A node that finds no place may move one other node aside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.data.bipartite import Adjacency
from papilio.kernels.safe_grouping import make_way, place_nodes

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
