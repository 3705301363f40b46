"""Orders in which nodes choose their group; from the structure of the graph and chance alone.

An order that looked at attributes, or at the order of the source, would let a recipient who knows
the method undo part of the masking, as the minimality attack does.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from papilio.data.bipartite import Adjacency
from papilio.randomness import Randomness

Order = Literal["random", "degree", "crowded"]


def node_order(
    side: Adjacency, other: Adjacency, order: Order, randomness: Randomness
) -> NDArray[np.int64]:
    """Nodes of a side in the order in which they choose.

    Parameters
    ----------
    side, other
        Neighbours of this side's nodes and of the other side's.
    order
        ``random``; or ``degree``: by degree, then by the sorted degrees of the neighbours, ties
        at random. Then nodes of one group are alike, and structural questions have tight answers
        (Zhang, 4.4.5). ``crowded``: those whose neighbours have most neighbours first;
        like the largest-first rule for colouring graphs, it finds groupings where others fail.
    randomness
        Shuffles all nodes first.
    """
    shuffled = randomness.permutation(len(side.starts) - 1)
    if order == "random":
        return shuffled
    if order == "crowded":
        ends = np.repeat(np.arange(len(shuffled)), side.degrees)
        crowd = np.bincount(ends, other.degrees[side.links], minlength=len(shuffled))
        return shuffled[np.argsort(-crowd[shuffled], kind="stable")]
    degrees = side.degrees[shuffled]
    return np.concatenate(
        [
            _by_neighbours(shuffled[degrees == degree], side, other.degrees)
            for degree in np.unique(degrees)
        ]
    ).astype(np.int64, copy=False)


def _by_neighbours(
    nodes: NDArray[np.int64], side: Adjacency, degrees: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Nodes of equal degree by the sorted degrees of their neighbours; stable."""
    degree = int(side.degrees[nodes[0]])
    if degree == 0:
        return nodes
    places = side.starts[nodes][:, None] + np.arange(degree)
    profiles = np.sort(degrees[side.links[places]], axis=1)
    return nodes[np.lexsort(profiles.T[::-1])]
