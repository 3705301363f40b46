"""Push down by chance, so that how much was pushed tells nothing (against papers D3.18)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.data.weighted_tree import WeightedTree
from papilio.errors import InfeasibleError
from papilio.privacy.calibrated_push import MOST_VALUES, push_chances
from papilio.randomness import Randomness


def push_by_chance(
    count: NDArray[np.int64], target: WeightedTree, randomness: Randomness
) -> NDArray[np.int64]:
    """Push values down by :func:`~papilio.privacy.calibrated_push.push_chances` at every node.

    The result is P-private and some assignment of the values fits it, as with the maximal
    allocation; ranges are wider. For someone who takes values for independent draws from the
    target, the split at the root is exactly what the target says, given how much was pushed there.
    At other nodes the same holds given the number of values below the node, which is not
    published; so in trees of more than one level some of the effect remains: a half to a fifth
    where weights were uneven, all of it where they are even, since chance then changes nothing.
    Nodes with other than two children of weight above 0 push as much as they can.

    Parameters
    ----------
    count
        Node -> values below it.
    target
        The distribution.
    randomness
        Chooses.

    Raises
    ------
    InfeasibleError
        If the group has too many values for the chances to be computed.

    Notes
    -----
    Cost: the square of the number of values for each node that gets something.
    """
    if count[0] > MOST_VALUES:
        raise InfeasibleError(
            f"a group has {int(count[0])} rows, too many for a randomised allocation",
            reason="group-too-large",
            nearest=f"at most {MOST_VALUES} rows in a group, or allocation: maximal, are accepted",
        )
    tree = target.tree
    size = np.zeros(tree.nodes, dtype=np.int64)
    size[0] = count[0]
    draws = randomness.keys(tree.nodes) / 2.0**64
    for node in range(tree.nodes):
        total = int(target.total[node])
        if size[node] == 0 or total == 0:
            continue
        children = tree.children(node)
        weights = target.weight[children]
        most = min(
            int(size[node]) // total,
            *(int(count[c]) // int(w) for c, w in zip(children, weights, strict=True) if w),
        )
        if len(children) == 2 and weights.min() > 0 and most > 0:
            chances = push_chances(
                int(count[node]), int(size[node]) // total, int(weights[0]), int(weights[1])
            )
            until = np.cumsum(chances[count[children[0]]])
            most = min(most, int(np.searchsorted(until, draws[node], side="right")))
        size[children] = most * weights
    return size
