"""Bring a distribution into small whole-number weights, and say what that changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree
from papilio.data.weighted_tree import WeightedTree, weigh

#: Largest weight of a child unless the owner says otherwise.
USUAL_LARGEST = 100


@dataclass(frozen=True)
class WeightChange:
    """How far normalised weights are from what was asked for.

    Attributes
    ----------
    nodes
        Number of inner nodes whose children have other shares than asked.
    largest_shift
        Largest difference between a child's share and the one asked for.
    distance
        Total variation distance between both distributions over the domain, from 0 to 1.
    """

    nodes: int
    largest_shift: float
    distance: float


def normalise_weights(
    tree: DomainTree, leaf_weights: NDArray[np.int64] | NDArray[np.float64], largest: int | None
) -> tuple[WeightedTree, WeightChange]:
    """Annotate a tree with whole-number weights of at most ``largest``.

    The smaller the weights, the more values can be pushed down: with 1000 : 1001 and 100 values on
    each side all of them stay where they are, with 1 : 1 none (Zhang, section 3.7.2).

    Parameters
    ----------
    tree
        The subdomains.
    leaf_weights
        Leaf -> weight, at least 0, not all 0; they need not sum to anything.
    largest
        Bound on each weight; ``None`` keeps whole-number weights as they are.

    Notes
    -----
    Siblings whose weights, without their common divisor, keep the bound stay exactly as they are.
    Of the others, for each m up to the bound the largest becomes m and the rest are rounded
    likewise, and the m with the smallest sum of differences of shares is taken, the smallest of
    equal ones. A weight above 0 stays above 0. Cost: nodes times bound.
    """
    if leaf_weights.dtype.kind in "iu":
        exact = weigh(tree, leaf_weights.astype(np.int64))
        if largest is None or int(exact.weight.max()) <= largest:
            return exact, WeightChange(0, 0.0, 0.0)
    bound = USUAL_LARGEST if largest is None else largest
    mass = _masses(tree, leaf_weights)
    weight = np.zeros(tree.nodes, dtype=np.int64)
    weight[0] = 1
    shifts = np.zeros(tree.nodes)
    for node in np.flatnonzero(tree.end > np.arange(tree.nodes) + 1).tolist():
        children = tree.children(node)
        weight[children], shifts[node] = _nearest(mass[children], bound)
    made = WeightedTree(tree, weight)
    wanted = leaf_weights / leaf_weights.sum()
    apart = float(np.abs(made.chance[tree.leaf_node] - wanted).sum() / 2)
    changed = int((shifts > 1e-12).sum())
    return made, WeightChange(changed, float(shifts.max()), apart)


def _masses(
    tree: DomainTree, leaf_weights: NDArray[np.int64] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Node -> weight of its leaves; summed upwards, so that small tails are not lost."""
    mass = np.zeros(tree.nodes)
    mass[tree.leaf_node] = leaf_weights
    for node in range(tree.nodes - 1, 0, -1):
        mass[tree.parent[node]] += mass[node]
    return mass


def _nearest(mass: NDArray[np.float64], bound: int) -> tuple[NDArray[np.int64], float]:
    """Whole-number weights for siblings, and the largest shift of a share."""
    most = mass.max()
    if most == 0:
        return np.zeros(len(mass), dtype=np.int64), 0.0
    scales = np.arange(1, bound + 1)[:, None]
    tried = np.rint(mass / most * scales).astype(np.int64)
    tried = np.where((mass > 0) & (tried == 0), 1, tried)
    shares = tried / tried.sum(axis=1, keepdims=True)
    apart = np.abs(shares - mass / mass.sum())
    best = int(np.argmin(np.round(apart.sum(axis=1), 12)))
    chosen = tried[best] // np.gcd.reduce(tried[best])
    return chosen, float(apart[best].max())
