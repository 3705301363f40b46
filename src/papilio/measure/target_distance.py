"""How far values, targets and published subdomains are from each other, and what is lost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.data.domain_tree import WeightedTree

_Shares = NDArray[np.float64]


def target_shares(target: WeightedTree) -> _Shares:
    """Leaf -> probability under a target."""
    shares: _Shares = target.chance[target.tree.leaf_node]
    return shares


def published_shares(target: WeightedTree, nodes: dict[int, int]) -> _Shares:
    """Leaf -> probability after publishing subdomains, each spread as the target inside it.

    The right-hand side of Definition 3.3.1 in Zhang. Cost: the leaves each uses.
    """
    tree, shares = target.tree, target_shares(target)
    found = np.zeros(tree.leaves)
    for node, many in nodes.items():
        inside = slice(int(tree.first[node]), int(tree.last[node]) + 1)
        mass = shares[inside]
        total = mass.sum()
        found[inside] += many * (mass / total if total else 1 / len(mass))
    all_shares: _Shares = found / sum(nodes.values())
    return all_shares


def total_variation(one: _Shares, other: _Shares) -> float:
    """Largest difference of the probabilities of any set of values, from 0 to 1."""
    return float(np.abs(one - other).sum() / 2)


def range_loss(target: WeightedTree, nodes: dict[int, int]) -> float:
    """Average range of a published subdomain as a share of the domain's range, from 0 to 1."""
    span = target.tree.span
    if span[0] == 0:
        return 0.0
    wide = sum(span[node] * many for node, many in nodes.items())
    return float(wide / span[0] / sum(nodes.values()))
