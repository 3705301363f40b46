"""Mean and variance of a value inside a subdomain, if it follows the target there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.data.weighted_tree import WeightedTree
from papilio.privacy.target_weights import cell_bounds


def subdomain_moments(
    target: WeightedTree,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance of each node.

    A cell of whole numbers is uniform over them, another cell over its width. Children count by
    their weights; where all weigh 0, by their numbers of leaves. Cost: one pass over the nodes.
    """
    tree = target.tree
    low, high = cell_bounds(tree)
    wide = high - low
    steps = 1.0 if tree.lows.dtype.is_integer() else 0.0
    mean, square = np.zeros(tree.nodes), np.zeros(tree.nodes)
    middle = (low + high) / 2
    mean[tree.leaf_node] = middle
    square[tree.leaf_node] = (wide + steps) ** 2 / 12 - steps / 12
    size = (tree.last - tree.first + 1).astype(np.float64)
    # Squares are taken from the middle of the domain, so that little is lost by rounding.
    centre = (low[0] + high[-1]) / 2
    mean[tree.leaf_node] -= centre
    square[tree.leaf_node] += mean[tree.leaf_node] ** 2
    for node in range(tree.nodes - 1, 0, -1):
        above = tree.parent[node]
        total = target.total[above]
        share = target.weight[node] / total if total else size[node] / size[above]
        mean[above] += share * mean[node]
        square[above] += share * square[node]
    return mean + centre, np.maximum(square - mean**2, 0.0)
