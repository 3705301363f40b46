"""The largest number of units that supplies can give to the demands they fit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def matched(pairs: NDArray[np.int64], supply: NDArray[np.int64], demand: NDArray[np.int64]) -> int:
    """Units of a maximum flow from supplies to demands.

    Parameters
    ----------
    pairs
        Two columns: a supply and a demand it fits.
    supply, demand
        How many units each has or wants.
    """
    per_supply = np.bincount(pairs[:, 0], minlength=len(supply))
    if per_supply.max(initial=0) <= 1:
        # Nothing to choose, as with boxes that do not overlap.
        given = np.bincount(
            pairs[:, 1], weights=supply[pairs[:, 0]].astype(float), minlength=len(demand)
        )
        return int(np.minimum(given.astype(np.int64), demand).sum())
    return _flow(pairs, supply, demand)


def _flow(pairs: NDArray[np.int64], supply: NDArray[np.int64], demand: NDArray[np.int64]) -> int:
    # SciPy is needed only here and takes a while to load.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    first_demand = 1 + len(supply)
    sink = first_demand + len(demand)
    tails = np.concatenate(
        [np.zeros(len(supply), int), 1 + pairs[:, 0], first_demand + np.arange(len(demand))]
    )
    heads = np.concatenate(
        [1 + np.arange(len(supply)), first_demand + pairs[:, 1], np.full(len(demand), sink)]
    )
    capacity = np.concatenate([supply, supply[pairs[:, 0]], demand]).astype(np.int32)
    graph = csr_array((capacity, (tails, heads)), shape=(sink + 1, sink + 1))
    return int(maximum_flow(graph, 0, sink).flow_value)
