"""How much each cell of a domain weighs in a distribution that is named or given by values."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree, WeightedTree, weigh
from papilio.errors import DataError

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


def uniform_weights(tree: DomainTree) -> NDArray[np.int64]:
    """Every cell weighs the same."""
    return np.ones(tree.leaves, dtype=np.int64)


def zipf_weights(tree: DomainTree, exponent: float) -> NDArray[np.float64]:
    """The k-th cell weighs k to the power of minus ``exponent``.

    The usual Zipf distribution, over the order of the domain, smallest first. A negative exponent
    puts most weight on the largest cells, as section 3.7.3 of Zhang does (papers D3.20).
    """
    ranks = np.arange(1, tree.leaves + 1, dtype=np.float64)
    weights: NDArray[np.float64] = ranks**-exponent
    return weights


def normal_weights(
    tree: DomainTree, mean: float | None = None, std: float | None = None
) -> NDArray[np.float64]:
    """A cell weighs the probability that a normal variable falls between its neighbours' middles.

    Parameters
    ----------
    tree
        The domain; labels of ordered categories count as 0, 1, 2, ….
    mean
        The mean; left out, the middle of the domain.
    std
        The standard deviation; left out, a quarter of the domain's range: the paper's normal(4).
        (Its text says variance; Table 3.5 has 29:71, which is the standard deviation.)

    Raises
    ------
    DataError
        If mean and standard deviation leave no cell a weight that can be told from 0.
    """
    low, high = cell_bounds(tree)
    middle = (low[0] + high[-1]) / 2 if mean is None else mean
    spread = (high[-1] - low[0]) / 4 if std is None else std
    if tree.leaves == 1:
        return np.ones(1)
    cuts = np.concatenate([[low[0]], (high[:-1] + low[1:]) / 2, [high[-1]]])
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = (cuts - middle) / (spread * math.sqrt(2))
    # The smaller tail of each cell is subtracted, so that far cells keep a weight above 0.
    tails = np.array([math.erfc(abs(z)) for z in scaled])
    apart = (scaled[:-1] < 0) & (scaled[1:] > 0)
    weights: NDArray[np.float64] = np.abs(np.diff(tails))
    weights[apart] = (2 - tails[:-1] - tails[1:])[apart]
    if not (np.isfinite(weights).all() and weights.any()):
        raise DataError(
            "the normal distribution of the target gives no value of the column a weight; a mean "
            "and a std of about the size of the values are accepted",
            reason="target-without-weight",
        )
    return weights


def counted_weights(codes: NDArray[np.int32], tree: DomainTree) -> NDArray[np.int64]:
    """A cell weighs the number of rows whose value it holds."""
    return np.bincount(codes, minlength=tree.leaves).astype(np.int64)


def cell_bounds(tree: DomainTree) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Smallest and largest value of each cell as numbers; labels count 0, 1, 2, …."""
    if not tree.lows.dtype.is_numeric():
        ranks = np.arange(tree.leaves, dtype=np.float64)
        return ranks, ranks
    return tree.lows.cast(pl.Float64).to_numpy(), tree.highs.cast(pl.Float64).to_numpy()
