"""What must hold between the arrays of a hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

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
