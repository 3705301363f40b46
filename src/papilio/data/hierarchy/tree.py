"""The tree over a column's values, compiled to integer arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papilio.errors import InternalError

NODE_TYPE = np.dtype(np.int32)


def check_arrays(
    labels: Sequence[str | None],
    parent: NDArray[np.int32],
    first: NDArray[np.int32],
    last: NDArray[np.int32],
    leaves: Sequence[str | None],
    leaf_node: NDArray[np.int32],
    levels: NDArray[np.int32],
) -> None:
    """Check that the arrays describe one tree with contiguous nodes and coarsening levels.

    Parameters
    ----------
    labels, parent, first, last, leaves, leaf_node, levels
        As in :class:`papilio.data.hierarchy.tree.Hierarchy`.

    Raises
    ------
    InternalError
        If they do not; its reason is ``"unsound-hierarchy"``.

    Notes
    -----
    Cost: sorting the nodes, and one pass over the levels.
    """
    _check_shapes(labels, parent, first, last, leaves, leaf_node, levels)
    _check_names(labels, leaves, leaf_node)
    _check_parents(parent, leaf_node)
    _check_runs(parent, first, last, leaf_node)
    _check_levels(first, last, leaf_node, levels)


def _demand(holds: bool | np.bool_, what: str) -> None:
    if not holds:
        raise InternalError(f"a hierarchy is not sound: {what}", reason="unsound-hierarchy")


def _check_shapes(
    labels: Sequence[str | None],
    parent: NDArray[np.int32],
    first: NDArray[np.int32],
    last: NDArray[np.int32],
    leaves: Sequence[str | None],
    leaf_node: NDArray[np.int32],
    levels: NDArray[np.int32],
) -> None:
    arrays = (parent, first, last, leaf_node, levels)
    _demand(all(array.dtype == NODE_TYPE for array in arrays), "arrays must be int32")
    nodes = (len(labels),)
    _demand(len(labels) > 0, "there must be a root")
    _demand(parent.shape == first.shape == last.shape == nodes, "one entry for each node")
    _demand(leaf_node.shape == (len(leaves),), "one node for each leaf")
    _demand(
        levels.ndim == 2 and len(levels) >= 2 and levels.shape[1] == len(leaves),
        "levels must be (height + 1, leaves)",
    )
    for array in (leaf_node, levels):
        _demand(np.all((array >= 0) & (array < len(labels))), "nodes must exist")


def _check_names(
    labels: Sequence[str | None], leaves: Sequence[str | None], leaf_node: NDArray[np.int32]
) -> None:
    _demand(len(set(labels)) == len(labels), "labels must differ")
    _demand(len(set(leaves)) == len(leaves), "leaves must differ")
    _demand(None not in leaves[1:], "the NULL leaf must be leaf 0")
    nulls = [node for node, label in enumerate(labels) if label is None]
    null_leaves = [int(leaf_node[0])] if leaves and leaves[0] is None else []
    _demand(nulls == null_leaves, "the NULL leaf alone is labelled NULL")


def _check_parents(parent: NDArray[np.int32], leaf_node: NDArray[np.int32]) -> None:
    _demand(parent[0] == -1, "node 0 must be the root")
    above = parent[1:]
    _demand(np.all((above >= 0) & (above < np.arange(1, len(parent)))), "parents before children")
    childless = np.setdiff1d(np.arange(1, len(parent)), above)
    _demand(np.array_equal(childless, np.sort(leaf_node)), "nodes without children are leaves")


def _check_runs(
    parent: NDArray[np.int32],
    first: NDArray[np.int32],
    last: NDArray[np.int32],
    leaf_node: NDArray[np.int32],
) -> None:
    ranks = np.arange(len(leaf_node))
    _demand(
        np.array_equal(first[leaf_node], ranks) and np.array_equal(last[leaf_node], ranks),
        "a leaf covers itself",
    )
    _demand(first[0] == 0 and last[0] == len(leaf_node) - 1, "the root covers all leaves")
    children = np.argsort(parent[1:], kind="stable") + 1
    same = parent[children][1:] == parent[children][:-1]
    left, right = children[:-1], children[1:]
    _demand(np.all(first[right][same] == last[left][same] + 1), "siblings must be contiguous")
    eldest = children[np.concatenate([[True], ~same])] if children.size else children
    youngest = children[np.concatenate([~same, [True]])] if children.size else children
    _demand(
        np.all(first[eldest] == first[parent[eldest]])
        and np.all(last[youngest] == last[parent[youngest]]),
        "a node covers what its children cover",
    )


def _check_levels(
    first: NDArray[np.int32],
    last: NDArray[np.int32],
    leaf_node: NDArray[np.int32],
    levels: NDArray[np.int32],
) -> None:
    ranks = np.arange(len(leaf_node))
    _demand(np.array_equal(levels[0], leaf_node), "level 0 must hold the leaves")
    _demand(not levels[-1].any(), "the last level must hold the root")
    _demand(
        np.all((first[levels] <= ranks) & (ranks <= last[levels])), "a level's node covers its leaf"
    )
    for below, level in pairwise(levels):
        _demand(np.all(level <= below), "levels must go up")
        above = np.zeros(len(first), dtype=np.int32)
        above[below] = level
        _demand(np.array_equal(above[below], level), "each level must coarsen the one before")


ROOT = "*"


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A tree over the values of a column.

    Leaves are numbered depth first, so a node covers a contiguous run of leaf ranks, and the
    lowest common ancestor of a set of leaves is that of its smallest and its largest rank. Nodes
    are numbered the same way, so a node has a smaller number than everything below it. A leaf is
    never the root. All of this is checked on construction.

    Attributes
    ----------
    labels
        Node -> label as published. Node 0 is the root. Labels identify nodes. ``None``, published
        as NULL, is the label of the NULL leaf and of nothing else.
    parent
        Node -> parent node; the root has -1.
    first, last
        Node -> first and last leaf (rank in tree order) it covers, both inclusive.
    leaves
        Leaf rank -> value as canonical text; ``None`` is the NULL leaf, which has rank 0.
    leaf_node
        Leaf rank -> node.
    levels
        Array of shape (height + 1, leaves): the node that stands for a leaf at a level. Level 0
        holds the leaves themselves, the last level the root throughout. Each level is a coarsening
        of the one before: leaves that share a node share it, or one above, on all later levels.
    reading
        How a stranger reads the labels; public, part of the manifest of a release.
    """

    labels: tuple[str | None, ...]
    parent: NDArray[np.int32]
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    leaves: tuple[str | None, ...]
    leaf_node: NDArray[np.int32]
    levels: NDArray[np.int32]
    reading: Mapping[str, object]

    def __post_init__(self) -> None:
        check_arrays(
            self.labels,
            self.parent,
            self.first,
            self.last,
            self.leaves,
            self.leaf_node,
            self.levels,
        )

    @property
    def height(self) -> int:
        """Number of levels above the leaves; at least 1."""
        return len(self.levels) - 1

    @property
    def has_null(self) -> bool:
        """Whether leaf 0 is the NULL leaf."""
        return bool(self.leaves) and self.leaves[0] is None

    @cached_property
    def loss(self) -> NDArray[np.float64]:
        """Node -> (leaves covered - 1) / (all leaves - 1).

        0 for a leaf and 1 for the root; all 0 in a tree of one leaf. The NULL leaf counts.
        """
        others = len(self.leaves) - 1
        if others < 1:
            return np.zeros(len(self.labels))
        spread: NDArray[np.float64] = (self.last - self.first) / others
        return spread

    def common_ancestor(self, lo: int, hi: int) -> int:
        """Lowest node that covers the leaves of rank ``lo`` to ``hi``. Cost: the height."""
        node = int(self.leaf_node[lo])
        while not self.first[node] <= hi <= self.last[node]:
            node = int(self.parent[node])
        return node

    def common_ancestors(self, lo: ArrayLike, hi: ArrayLike) -> NDArray[np.int32]:
        """Lowest node that covers each pair of leaf ranks.

        Parameters
        ----------
        lo, hi
            Leaf ranks, arrays of the same length; for a class, its smallest and largest rank.

        Notes
        -----
        Cost: at most one pass over the arrays for each level of the tree.
        """
        hi = np.asarray(hi)
        node: NDArray[np.int32] = self.leaf_node[np.asarray(lo)]
        open_pairs = np.arange(len(node))
        while open_pairs.size:
            here, other = node[open_pairs], hi[open_pairs]
            covered = (self.first[here] <= other) & (other <= self.last[here])
            open_pairs = open_pairs[~covered]
            node[open_pairs] = self.parent[node[open_pairs]]
        return node

    def with_null_leaf(self) -> Hierarchy:
        """Return the tree with one more leaf, for NULL, directly under the root.

        The NULL leaf has rank 0 and node 1; every other leaf and node but the root moves up by
        one. A class that mixes NULL with a value is therefore labelled by the root, a class of
        NULL alone by the NULL leaf.

        Raises
        ------
        InternalError
            If there is a NULL leaf already.
        """
        if self.has_null:
            raise InternalError("a hierarchy has a NULL leaf already", reason="second-null-leaf")
        parent = np.where(self.parent > 0, self.parent + 1, self.parent)
        shifted = np.where(self.levels > 0, self.levels + 1, 0)
        null_levels = np.ones((len(self.levels), 1))
        null_levels[-1] = 0
        return replace(
            self,
            labels=(self.labels[0], None, *self.labels[1:]),
            parent=_int32(np.insert(parent, 1, 0)),
            first=_int32(np.concatenate([[0, 0], self.first[1:] + 1])),
            last=_int32(np.insert(self.last + 1, 1, 0)),
            leaves=(None, *self.leaves),
            leaf_node=_int32(np.insert(self.leaf_node + 1, 0, 1)),
            levels=_int32(np.hstack([null_levels, shifted])),
        )


def from_leaf_paths(paths: Sequence[Sequence[str]], reading: Mapping[str, object]) -> Hierarchy:
    """Compile the paths of the leaves to a hierarchy.

    Parameters
    ----------
    paths
        One path a leaf: the leaf's label first, the root's label last, at least two of them.
        Nodes are identified by their labels. A label repeated in a row stands for one node on
        several levels. A path shorter than the longest keeps its highest node below the root
        until the top level. Children keep the order in which they first appear.
    reading
        How a stranger reads the labels.

    Returns
    -------
    Hierarchy
        Its levels are those of the paths, raised where needed so that each is a coarsening of the
        one before. No paths give a root without leaves.

    Raises
    ------
    InternalError
        If the paths do not form a tree; callers check what users write.

    Notes
    -----
    Cost: the total length of the paths.
    """
    root = paths[0][-1] if paths else ROOT
    children = _children(paths, root)
    nodes, parent = _number_nodes(children, root)
    path_of_leaf = {nodes[path[0]]: path for path in paths}
    if len(path_of_leaf) != len(paths) or any(path[0] in children for path in paths):
        raise InternalError("a leaf has two paths or children", reason="not-a-tree")
    leaf_node = _int32(sorted(path_of_leaf))
    first, last = _runs(parent, leaf_node)
    labels = tuple(nodes)
    return Hierarchy(
        labels=labels,
        parent=parent,
        first=first,
        last=last,
        leaves=tuple(labels[node] for node in leaf_node),
        leaf_node=leaf_node,
        levels=_levels([path_of_leaf[node] for node in leaf_node.tolist()], nodes),
        reading=reading,
    )


def _children(paths: Sequence[Sequence[str]], root: str) -> dict[str, list[str]]:
    """Label of each inner node -> labels of its children, in order of appearance."""
    children: dict[str, list[str]] = {root: []}
    parent: dict[str, str | None] = {root: None}
    for path in paths:
        if len(path) < 2 or path[-1] != root:
            raise InternalError("a path does not lead to the root", reason="not-a-tree")
        for label, above in pairwise(path):
            if label == above:
                continue
            if label not in parent:
                parent[label] = above
                children.setdefault(above, []).append(label)
            elif parent[label] != above:
                raise InternalError("a label has two parents", reason="not-a-tree")
    return children


def _number_nodes(
    children: Mapping[str, Sequence[str]], root: str
) -> tuple[dict[str, int], NDArray[np.int32]]:
    """Give depth-first numbers: label -> node, and node -> parent."""
    nodes: dict[str, int] = {}
    parent: list[int] = []
    waiting = [(root, -1)]
    while waiting:
        label, above = waiting.pop()
        node = nodes[label] = len(nodes)
        parent.append(above)
        waiting.extend((child, node) for child in reversed(children.get(label, ())))
    return nodes, _int32(parent)


def _runs(
    parent: NDArray[np.int32], leaf_node: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """First and last leaf rank under each node, of nodes numbered depth first."""
    every_node = np.arange(len(parent))
    first = np.searchsorted(leaf_node, every_node)
    last = (np.searchsorted(leaf_node, every_node, side="right") - 1).tolist()
    above = parent.tolist()
    for node in range(len(above) - 1, 0, -1):
        last[above[node]] = max(last[above[node]], last[node])
    return _int32(first), _int32(last)


def _levels(paths: Sequence[Sequence[str]], nodes: Mapping[str, int]) -> NDArray[np.int32]:
    """Node that stands for each leaf at each level, paths in the order of the leaves."""
    height = max((len(path) for path in paths), default=2) - 1
    rows = [_pad([nodes[label] for label in path], height) for path in paths]
    levels = np.array(rows, dtype=np.int32).reshape(len(paths), height + 1).T.copy()
    # Paths padded in different places could part on a later level what an earlier one had joined,
    # and a search that trusts coarsening would then certify classes that do not exist. The higher
    # of two nodes on one path has the smaller number, so a minimum raises both to it.
    for below, level in pairwise(levels):
        raised = np.arange(len(nodes), dtype=np.int32)
        np.minimum.at(raised, below, level)
        level[:] = raised[below]
    return levels


def _pad(path: list[int], height: int) -> list[int]:
    """Repeat the highest node below the root so that the path has a node for each level."""
    return path[:-1] + path[-2:-1] * (height + 1 - len(path)) + path[-1:]


def _int32(numbers: ArrayLike) -> NDArray[np.int32]:
    return np.asarray(numbers, dtype=np.int32)
