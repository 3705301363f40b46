"""The distance between two people: the cost of generalising their trees to the same tree."""

from __future__ import annotations

import numpy as np

from papilio.families.linked.methods.forest import Forest
from papilio.kernels.tree_pairing import pair_cost
from papilio.kernels.tree_unfold import unfold


def distance(forest: Forest, one: int, other: int, *, local: bool = False) -> float:
    """Loss of all labels and burden of all removed rows when two people get the same tree.

    Parameters
    ----------
    forest
        The trees.
    one, other
        Rows of the person table.
    local
        Pair children greedily by their labels instead of at least cost.

    Notes
    -----
    Guarantees the least cost over all ways to pair rows, unless ``local`` is set or parents have
    more than :data:`papilio.kernels.tree_pairing.MOST_PAIRS` pairs of children.
    """
    room, width = forest.room, forest.labels.width
    place_of, table, first, count, child = (np.empty(room, np.int64) for _ in range(5))
    label, loss, burden = np.empty((room, width), np.int64), np.empty(room), np.empty(room)
    a, b, c, d, e = (np.empty(room, np.int64) for _ in range(5))
    rows, nodes = forest.arrays[:3], forest.arrays[3:]
    lines = unfold(
        one, place_of, *rows, table, label, loss, burden, first, count, child,
        forest.table, forest.label, forest.burden,
    )  # fmt: skip
    cost = pair_cost(
        lines, int(forest.row_node[other]), 1, local, (a, b, c, d, e),
        table, label, loss, burden, first, count, child, *nodes,
    )  # fmt: skip
    return float(cost)
