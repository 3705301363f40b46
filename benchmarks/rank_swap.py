"""Rank-based data swapping (Moore, 1996), as Section 2.7.1 compares it; a baseline.

It makes no groups, so nothing that it publishes is (k,e)-anonymous by Definition 2.4.2, and a
policy cannot ask for it. It is here for comparison: a benchmark measures how far its answers are
off.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.families.permutation.methods.value_counts import SortedValues
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.randomness import Randomness


def swap_windows(column: SortedValues, requirement: KeAnonymity) -> NDArray[np.int64]:
    """Least l of each rank such that ranks from r - l to r + l are a (k,e)-anonymous set.

    All ranks together must be one. Cost: O(n log n).
    """
    number = np.repeat(np.arange(len(column.values)), column.copies)
    count = len(number)
    first = np.maximum(
        column.reach(requirement.exact_e), np.arange(len(column.values)) + requirement.k - 1
    )
    rank = np.arange(count)
    low, high = np.zeros(count, np.int64), np.full(count, count - 1)
    while np.any(low < high):
        middle = (low + high) // 2
        begin, end = np.maximum(rank - middle, 0), np.minimum(rank + middle, count - 1)
        enough = number[end] >= first[number[begin]]
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    return low


def rank_swap(
    column: SortedValues, requirement: KeAnonymity, randomness: Randomness
) -> NDArray[np.int64]:
    """Swap values of rows whose ranks are close.

    Ranks are gone through in ascending order. One that has not been swapped yet is swapped with
    a random one, not swapped yet either, of its window; with itself, if there is no other.

    Guarantees
        A published value is at most a window away, in rank, from the true one. It does not
        guarantee that k values are possible: who knows the windows may rule values out, and a row
        may keep its own value.

    Returns
    -------
    source
        For each rank, the rank whose value its row gets; swapping twice gives everything back.
    """
    windows = swap_windows(column, requirement)
    count = len(windows)
    keys = randomness.keys(count)
    source = np.full(count, -1, np.int64)
    for rank in range(count):
        if source[rank] < 0:
            free = rank + np.flatnonzero(source[rank : rank + int(windows[rank]) + 1] < 0)
            other = int(free[int(keys[rank]) % len(free)])
            source[rank], source[other] = other, rank
    return source
