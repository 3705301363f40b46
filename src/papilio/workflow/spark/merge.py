"""Pieces that fall short of the demand are merged with their neighbours, never published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from papilio.families.one_table.methods.top_tree import Counter, NodeCounts, TopTree, meets
from papilio.kernels.demand import Demand


def checked(
    tree: TopTree, counter: Counter, demand: Demand
) -> tuple[TopTree, Sequence[NodeCounts]]:
    """Count every piece once more, and merge until all of them meet the demand.

    The cuts of a tree are made from exact counts, so that nothing should fall short. This does not
    rely on it: what is published hangs on the counts of the very pieces that workers get.

    Parameters
    ----------
    tree
        Pieces.
    counter
        Counts them; one pass, and one more after each merge.
    demand
        What each must satisfy. The whole table satisfies it, so merging comes to an end.

    Returns
    -------
    tuple
        The pieces, and what occurs in each.
    """
    while True:
        nodes = leaves_of(tree)
        counts = counter.count(tree, nodes)
        rows = tuple(each.rows for each in counts)
        short = [n for n, each in zip(nodes, counts, strict=True) if not meets(demand, each)]
        if not short:
            return replace(tree, rows=rows), counts
        tree = merged(tree, short, rows)


def leaves_of(tree: TopTree) -> list[int]:
    """Node of each piece."""
    nodes = np.flatnonzero(tree.piece >= 0)
    return [int(node) for node in nodes[np.argsort(tree.piece[nodes])]]


def merged(tree: TopTree, short: Sequence[int], rows: Sequence[int]) -> TopTree:
    """Undo the cut above each of some nodes: all pieces below it become one."""
    above: dict[int, int] = {}
    for cut in map(int, np.flatnonzero(tree.attribute >= 0)):
        above[int(tree.left[cut])] = above[int(tree.right[cut])] = cut
    attribute = tree.attribute.copy()
    for node in short:
        if node in above:
            attribute[above[node]] = -1
    pieces = _reached(replace(tree, attribute=attribute))
    number = np.full(len(attribute), -1, np.int32)
    number[pieces] = np.arange(len(pieces), dtype=np.int32)
    known = {node: rows[int(tree.piece[node])] for node in leaves_of(tree)}
    one_class = {n: tree.one_class[int(tree.piece[n])] for n in leaves_of(tree)}
    return replace(
        tree,
        attribute=attribute,
        piece=number,
        rows=tuple(known.get(node, 0) for node in pieces),
        one_class=tuple(one_class.get(node, False) for node in pieces),
    )


def _reached(tree: TopTree) -> list[int]:
    """Nodes without a cut that are reached from the root."""
    waiting, found = [0], []
    while waiting:
        node = waiting.pop()
        if tree.attribute[node] < 0:
            found.append(node)
        else:
            waiting += [int(tree.right[node]), int(tree.left[node])]
    return found
