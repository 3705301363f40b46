"""Labels of an automatic hierarchy where rows are left out: they name published values only."""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from papilio.data.hierarchy.shapes import label_of
from papilio.data.hierarchy.tree import Hierarchy
from papilio.errors import DataError


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


def published_labels(
    tree: Hierarchy, published: NDArray[np.integer], name: str, *, ordered: bool
) -> tuple[str | None, ...]:
    """Node -> label, made of the leaves that some published row has.

    The labels of declared hierarchies depend on no row and stay. A node of an automatic one names
    values, and those of rows that are left out are nobody's business: its label is that of the
    published values below it, the value itself if there is one, and stays only where there is
    none, for then no published row has it.

    Parameters
    ----------
    tree
        The hierarchy of the column.
    published
        Leaf ranks of the published rows, in any order, several times or not.
    name
        Name of the column, for messages.
    ordered
        Whether labels are ranges instead of lists.

    Raises
    ------
    DataError
        If a published value reads like the label of a group.

    Notes
    -----
    Cost: one pass over ``published``, then that of writing the labels.
    """
    if not tree.reading.get("automatic") or tree.reading.get("flat"):
        return tree.labels
    kept = np.flatnonzero(np.bincount(published, minlength=len(tree.leaves)))
    if len(kept) == len(tree.leaves):
        return tree.labels
    leaves = [tree.leaves[rank] for rank in kept.tolist()]
    first, beyond = np.searchsorted(kept, tree.first), np.searchsorted(kept, tree.last, "right")
    labels, groups = list(tree.labels), set[str]()
    for node in range(1, len(labels)):
        below = [leaf for leaf in leaves[first[node] : beyond[node]] if leaf is not None]
        if len(below) > 1:
            groups.add(text := label_of(below, ordered=ordered))
            labels[node] = text
        elif below:
            labels[node] = below[0]
    if groups.intersection(leaf for leaf in leaves if leaf is not None):
        raise DataError(
            f"column '{name}': a value reads like the label of a group of values; a hierarchy file "
            "is accepted for such a column",
            reason="value-like-label",
        )
    return tuple(labels)


def nodes_of_labels(tree: Hierarchy, published: Iterable[str | None]) -> NDArray[np.int64]:
    """Node that each published label stands for; -1 where the hierarchy has none.

    A label made by :func:`published_labels` stands for the smallest node that covers what it names.
    """
    nodes = {label: node for node, label in enumerate(tree.labels)}
    ranks: dict[str | None, int] = {}
    if tree.reading.get("automatic"):
        ranks = {leaf: rank for rank, leaf in enumerate(tree.leaves)}
    labels = list(published)
    known = {
        label: nodes[label] if label in nodes else _covering(tree, ranks, label)
        for label in dict.fromkeys(labels)
    }
    return np.array([known[label] for label in labels], np.int64)


def _covering(tree: Hierarchy, ranks: dict[str | None, int], label: str | None) -> int:
    places = [ranks.get(value, -1) for value in _named(label or "")]
    if not places or min(places) < 0:
        return -1
    return tree.common_ancestor(min(places), max(places))


def _named(label: str) -> list[str]:
    """Values that the label of a group names: the ends of a range, or all of a list."""
    if not label.startswith('["'):
        return label.removeprefix("[").removesuffix("]").split(", ")
    try:
        return [str(value) for value in json.loads(label)]
    except ValueError:
        return []
