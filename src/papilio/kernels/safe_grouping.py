"""Put nodes of a bipartite graph into groups in which no two share a neighbour.

A side of the graph is ``starts, links``: the neighbours of node ``u`` are
``links[starts[u]:starts[u + 1]]``. ``back_starts, back_links`` is the other side. Two nodes of one
side *clash* if they share a neighbour. ``group_of`` holds the group of each node, -1 for none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def place_nodes(
    nodes: NDArray[np.int64],
    starts: NDArray[np.int64],
    links: NDArray[np.int32],
    back_starts: NDArray[np.int64],
    back_links: NDArray[np.int32],
    group_of: NDArray[np.int32],
    size: NDArray[np.int64],
    count: int,
    room: int,
) -> int:
    """Put each node into the first group with room and without a clash, else into a new one.

    Parameters
    ----------
    nodes
        Nodes without a group, in the order in which they choose.
    starts, links, back_starts, back_links
        The graph.
    group_of, size
        Changed in place; ``size`` has a place for as many groups as there are nodes.
    count
        Number of groups so far.
    room
        A group of this size takes no more nodes.

    Returns
    -------
    count
        Number of groups now.

    Notes
    -----
    A group that is skipped holds a clashing node, so the cost is that of looking at the
    neighbours of neighbours: the sum over the other side's nodes of their squared degree.
    """
    taken = np.full(len(size) + 1, -1, np.int64)
    # A list of the groups with room, in order; the place behind the last group is its end.
    following = np.empty(len(size) + 2, np.int64)
    first, last = -1, -1
    for group in range(count):
        if size[group] < room:
            if first < 0:
                first = group
            else:
                following[last] = group
            last = group
    if last >= 0:
        following[last] = -1
    for u in nodes:
        for place in range(starts[u], starts[u + 1]):
            w = links[place]
            for back in range(back_starts[w], back_starts[w + 1]):
                group = group_of[back_links[back]]
                if group >= 0:
                    taken[group] = u
        before, group = -1, first
        while group >= 0 and taken[group] == u:
            before, group = group, following[group]
        if group < 0:
            group = count
            count += 1
            size[group] = 0
            following[group] = -1
            if last < 0:
                first = group
            else:
                following[last] = group
            before, last = last, group
        group_of[u] = group
        size[group] += 1
        if size[group] >= room:
            if before < 0:
                first = following[group]
            else:
                following[before] = following[group]
            if last == group:
                last = before
    return count


@kernel
def make_way(
    nodes: NDArray[np.int64],
    starts: NDArray[np.int64],
    links: NDArray[np.int32],
    back_starts: NDArray[np.int64],
    back_links: NDArray[np.int32],
    group_of: NDArray[np.int32],
    size: NDArray[np.int64],
    count: int,
    room: int,
    tries: int,
) -> int:
    """Find a place for nodes that clash with every group with room, by moving one other node.

    A node ``u`` takes the place of the only node ``v`` of a group it clashes with if ``v`` fits
    into another group with room. Nodes that find no place keep -1.

    Parameters
    ----------
    nodes, starts, links, back_starts, back_links, group_of, size, count, room
        As for :func:`place_nodes`; no group is opened.
    tries
        Groups that are tried per node.

    Returns
    -------
    placed
        How many nodes found a place.
    """
    seen = np.full(len(group_of), -1, np.int64)
    clashes = np.zeros(count + 1, np.int64)
    clashing = np.empty(count + 1, np.int64)
    rival = np.zeros(count + 1, np.int64)
    # Marks carry the number of the try, so that none of them has to be wiped off.
    taken = np.zeros(count + 1, np.int64)
    attempt, placed = 0, 0
    for u in nodes:
        met = 0
        for place in range(starts[u], starts[u + 1]):
            w = links[place]
            for back in range(back_starts[w], back_starts[w + 1]):
                v = back_links[back]
                group = group_of[v]
                if v != u and group >= 0 and seen[v] != u:
                    seen[v] = u
                    if clashes[group] == 0:
                        clashing[met] = group
                        met += 1
                    clashes[group] += 1
                    rival[group] = v
        tried, goal = 0, -1
        for which in range(met):
            group = clashing[which]
            if clashes[group] == 1 and goal < 0 and tried < tries:
                tried += 1
                attempt += 1
                v = rival[group]
                taken[group] = attempt
                for place in range(starts[v], starts[v + 1]):
                    w = links[place]
                    for back in range(back_starts[w], back_starts[w + 1]):
                        other = group_of[back_links[back]]
                        if other >= 0:
                            taken[other] = attempt
                for other in range(count):
                    if size[other] < room and taken[other] != attempt:
                        goal = other
                        break
                if goal >= 0:
                    group_of[v] = goal
                    size[goal] += 1
                    group_of[u] = group
                    placed += 1
            clashes[group] = 0
    return placed


@kernel
def count_clashes(
    starts: NDArray[np.int64],
    links: NDArray[np.int32],
    back_starts: NDArray[np.int64],
    back_links: NDArray[np.int32],
) -> NDArray[np.int64]:
    """Count, for each node, the others it shares a neighbour with."""
    count = len(starts) - 1
    seen = np.full(count, -1, np.int64)
    clashes = np.zeros(count, np.int64)
    for u in range(count):
        seen[u] = u
        for place in range(starts[u], starts[u + 1]):
            w = links[place]
            for back in range(back_starts[w], back_starts[w + 1]):
                v = back_links[back]
                if seen[v] != u:
                    seen[v] = u
                    clashes[u] += 1
    return clashes
