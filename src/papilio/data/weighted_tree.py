"""A domain tree whose edges carry whole-number weights: a distribution over the domain."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree
from papilio.errors import InternalError


@dataclass(frozen=True, eq=False)
class WeightedTree:
    """A distribution given as the privacy-annotated hierarchy of Zhang, section 3.3.1.

    The probability of a child, given its parent, is its weight over the sum of its siblings' and
    its own. Where all children of a node weigh 0, the node has probability 0, and what is below it
    is never told apart.

    Attributes
    ----------
    tree
        The subdomains.
    weight
        Node -> weight among its siblings, at least 0, siblings without a common divisor; the root
        has 1.
    """

    tree: DomainTree
    weight: NDArray[np.int64]

    def __post_init__(self) -> None:
        if len(self.weight) != self.tree.nodes or (self.weight < 0).any():
            raise InternalError("a weight is missing or negative", reason="tree-weights")

    @cached_property
    def total(self) -> NDArray[np.int64]:
        """Node -> sum of its children's weights; 0 for a leaf."""
        total = np.zeros(self.tree.nodes, dtype=np.int64)
        np.add.at(total, self.tree.parent[1:], self.weight[1:])
        return total

    def probabilities(self) -> list[Fraction]:
        """Node -> probability, exactly. Cost: one fraction per node."""
        found = [Fraction(1)]
        for node in range(1, self.tree.nodes):
            above = int(self.tree.parent[node])
            total = int(self.total[above])
            share = Fraction(int(self.weight[node]), total) if total else Fraction(0)
            found.append(found[above] * share)
        return found

    @cached_property
    def chance(self) -> NDArray[np.float64]:
        """Node -> probability, rounded."""
        chance = np.ones(self.tree.nodes)
        above = self.tree.parent
        for node in range(1, self.tree.nodes):
            total = self.total[above[node]]
            chance[node] = chance[above[node]] * self.weight[node] / total if total else 0.0
        return chance


def weigh(tree: DomainTree, leaf_weights: NDArray[np.int64]) -> WeightedTree:
    """Annotate a tree: a node weighs what its leaves do, siblings divided by a common divisor.

    Parameters
    ----------
    tree
        The subdomains.
    leaf_weights
        Leaf -> weight, whole numbers of at least 0.
    """
    weight = tree.sums(leaf_weights)
    weight[0] = 1
    divisor = np.zeros(tree.nodes, dtype=np.int64)
    np.gcd.at(divisor, tree.parent[1:], weight[1:])
    weight[1:] //= np.maximum(divisor[tree.parent[1:]], 1)
    return WeightedTree(tree, weight)
