"""Which leaves of a tree somebody needs to measure distances between some of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.data.hierarchy.tree import Hierarchy


def measuring_leaves(tree: Hierarchy, ranks: NDArray[np.integer]) -> NDArray[np.int64]:
    """Leaves that must be known so that distances between some of them come out right.

    Two values are as far apart as their lowest common node is high, and a node is as high as its
    deepest leaf is below it. So besides the leaves themselves, a tree that was declared needs, for
    each node above them, one of its deepest leaves. The leaves of a tree that a rule made are
    values of rows, those of others among them: there only the leaves themselves are given.

    Parameters
    ----------
    tree
        The hierarchy of a column.
    ranks
        Leaf ranks of its published values.

    Returns
    -------
    NDArray
        Leaf ranks, ascending. None if NULL is the only value: it is as far from itself anywhere.
    """
    kept = np.unique(ranks).astype(np.int64)
    if all(tree.leaves[rank] is None for rank in kept.tolist()):
        return kept[:0]
    if not tree.reading.get("paths"):
        return kept
    depth = _depths(tree)[tree.leaf_node]
    for node in _above(tree, kept):
        first, last = int(tree.first[node]), int(tree.last[node])
        inside = kept[(kept >= first) & (kept <= last)]
        deepest = first + int(np.argmax(depth[first : last + 1]))
        if depth[inside].max() < depth[deepest]:
            kept = np.append(kept, deepest)
    return np.sort(kept)


def _depths(tree: Hierarchy) -> NDArray[np.int64]:
    """Steps from the root to each node; a node has a larger number than those above it."""
    depths = np.zeros(len(tree.parent), np.int64)
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0:
            depths[node] = depths[above] + 1
    return depths


def _above(tree: Hierarchy, ranks: NDArray[np.int64]) -> list[int]:
    """Nodes above some leaves, those nearer to the root first."""
    found: set[int] = set()
    for leaf in tree.leaf_node[ranks].tolist():
        node = int(tree.parent[leaf])
        while node >= 0 and node not in found:
            found.add(node)
            node = int(tree.parent[node])
    return sorted(found)
