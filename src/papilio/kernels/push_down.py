"""Subdomains that follow a target distribution exactly and are as low in the tree as possible."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def count_below(
    codes: NDArray[np.int32],
    parent: NDArray[np.int32],
    leaf_node: NDArray[np.int32],
    count: NDArray[np.int64],
) -> None:
    """Add, at each node, how many of the leaves in ``codes`` it covers.

    Few rows climb to the root one by one; of many, leaves are counted first. Cost: rows times
    height, or rows plus nodes.
    """
    if len(codes) < len(parent):
        for code in codes:
            node = leaf_node[code]
            while node >= 0:
                count[node] += 1
                node = parent[node]
        return
    of_leaf = np.zeros(len(leaf_node), dtype=np.int64)
    for code in codes:
        of_leaf[code] += 1
    for leaf in range(len(leaf_node)):
        count[leaf_node[leaf]] = of_leaf[leaf]
    for node in range(len(parent) - 1, 0, -1):
        count[parent[node]] += count[node]


@kernel
def clear_counts(
    codes: NDArray[np.int32],
    parent: NDArray[np.int32],
    leaf_node: NDArray[np.int32],
    count: NDArray[np.int64],
) -> None:
    """Undo :func:`count_below`, at no more than its cost."""
    if len(codes) >= len(parent):
        count[:] = 0
        return
    for code in codes:
        node = leaf_node[code]
        while node >= 0 and count[node] > 0:
            count[node] = 0
            node = parent[node]


@kernel
def push_down(
    count: NDArray[np.int64],
    size: int,
    root: int,
    end: NDArray[np.int32],
    weight: NDArray[np.int64],
    total: NDArray[np.int64],
    out_node: NDArray[np.int32],
    out_count: NDArray[np.int64],
) -> int:
    """Algorithm 3 below one node: push as many values down as the weights allow, node by node.

    Parameters
    ----------
    count
        Node -> values below it.
    size
        Number of subdomains wanted in the subtree, at most ``count[root]``.
    root
        Root of the subtree.
    end, weight, total
        The weighted tree.
    out_node, out_count
        Filled from the start with the subdomains and how often each is used.

    Returns
    -------
    int
        How many different subdomains there are.

    Notes
    -----
    Only nodes that get something are looked at. Cost: O(min(nodes, size * height)).
    """
    waiting_node = np.empty(end[root] - root, dtype=np.int32)
    waiting_size = np.empty(end[root] - root, dtype=np.int64)
    waiting_node[0] = root
    waiting_size[0] = size
    waiting, found = 1, 0
    while waiting > 0:
        waiting -= 1
        node, wanted = waiting_node[waiting], waiting_size[waiting]
        lots = wanted // total[node] if total[node] > 0 else 0
        child = node + 1
        while child < end[node] and lots > 0:
            if weight[child] > 0:
                lots = min(lots, count[child] // weight[child])
            child = end[child]
        kept = wanted - lots * total[node]
        if kept > 0:
            out_node[found] = node
            out_count[found] = kept
            found += 1
        child = node + 1
        while child < end[node] and lots > 0:
            if weight[child] > 0:
                waiting_node[waiting] = child
                waiting_size[waiting] = lots * weight[child]
                waiting += 1
            child = end[child]
    return found


@kernel
def push_groups(
    codes: NDArray[np.int32],
    starts: NDArray[np.int64],
    parent: NDArray[np.int32],
    end: NDArray[np.int32],
    leaf_node: NDArray[np.int32],
    weight: NDArray[np.int64],
    total: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Algorithm 3 for each group of rows.

    Parameters
    ----------
    codes
        Leaf of each row, group by group.
    starts
        Group -> first of its rows; one more entry at the end.
    parent, end, leaf_node, weight, total
        The weighted tree.

    Returns
    -------
    offsets, nodes, counts
        Group -> where its subdomains start, one more entry at the end; the subdomains and how
        often each is used.
    """
    groups = len(starts) - 1
    room = 0
    for group in range(groups):
        room += min(starts[group + 1] - starts[group], len(parent))
    nodes = np.empty(room, dtype=np.int32)
    counts = np.empty(room, dtype=np.int64)
    offsets = np.zeros(groups + 1, dtype=np.int64)
    count = np.zeros(len(parent), dtype=np.int64)
    place = 0
    for group in range(groups):
        rows = codes[starts[group] : starts[group + 1]]
        if len(rows) > 0:
            count_below(rows, parent, leaf_node, count)
            place += push_down(
                count, len(rows), 0, end, weight, total, nodes[place:], counts[place:]
            )
            clear_counts(rows, parent, leaf_node, count)
        offsets[group + 1] = place
    return offsets, nodes[:place].copy(), counts[:place].copy()
