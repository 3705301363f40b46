"""The optimal generalisation that follows a target distribution exactly (Algorithm 3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.data.weighted_tree import WeightedTree
from papilio.families.disguise.methods.subdomains import Subdomains
from papilio.kernels.push_down import push_down, push_groups


def follow_target(
    codes: NDArray[np.int32], starts: NDArray[np.int64], target: WeightedTree
) -> Subdomains:
    """Generalise the values of each group to subdomains whose multiset is P-private.

    At every node as many values as possible go to the children, in the ratio of their weights; the
    rest stay at the node (Zhang, Algorithm 3). Of all multisets of nodes that follow the
    target exactly and that some one-to-one assignment of the values fits, the result has the least
    sum of ranges (Theorem 5, in the reading of papers D3.1 and D3.2: subdomains are nodes). With
    arbitrary segments as subdomains a smaller sum may exist.

    Parameters
    ----------
    codes
        Leaf of each row, group by group.
    starts
        Group -> first of its rows; one more entry at the end.
    target
        The distribution.

    Notes
    -----
    Cost: one pass over the rows, and the nodes of the tree for each group that has as many rows.

    Does not protect against an attacker who knows that allocations are maximal: see
    :mod:`papilio.families.disguise.methods.randomised` and :mod:`papilio.attack.minimality`.
    """
    tree = target.tree
    return Subdomains(
        *push_groups(
            codes, starts, tree.parent, tree.end, tree.leaf_node, target.weight, target.total
        )
    )


def follow_counts(leaves: NDArray[np.int64], target: WeightedTree) -> dict[int, int]:
    """Generalise one group that is told by the number of values of each leaf.

    Subdomain -> how often it is used; the same as :func:`follow_target`. Cost: one pass over the
    nodes.
    """
    tree = target.tree
    nodes, counts = np.empty(tree.nodes, np.int32), np.empty(tree.nodes, np.int64)
    below = tree.sums(leaves)
    found = push_down(below, int(below[0]), 0, tree.end, target.weight, target.total, nodes, counts)
    return dict(zip(nodes[:found].tolist(), counts[:found].tolist(), strict=True))
