"""How much each cell of a domain weighs in a distribution that is named or given by values."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree
from papilio.errors import DataError


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
