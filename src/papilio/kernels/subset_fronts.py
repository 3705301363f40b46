"""All best ways to divide a set into tables, by dynamic programming over its subsets.

A set of s things is a number of s bits. A table (a subset) keeps something, which is good, and
exposes something, which is bad; both add up over the tables of a division. For every subset the
divisions that no other division beats in both are kept, its front.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def subset_fronts(
    kept: NDArray[np.int64],
    exposed: NDArray[np.int64],
    allowed: NDArray[np.bool_],
    limit: int,
) -> tuple[
    NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]
]:
    """Fronts of all subsets that a division of the whole set can leave over, and of the whole.

    The first table of a subset is the one with its lowest element, so every division is met once:
    the front of S comes from all tables T in S with that element and the front of S without T.

    Parameters
    ----------
    kept, exposed
        What each subset keeps and exposes as one table; entry 0 is the empty set.
    allowed
        Which subsets may be a table.
    limit
        Divisions that expose more are left out.

    Returns
    -------
    starts
        First entry of the front of each subset; its last lies before that of the next subset.
    kept, exposed
        Points, per front ascending in both.
    table, rest
        The first table of a point, and the entry of the rest of its division; -1 for the empty set.

    Notes
    -----
    Cost: for s elements 3^(s-1) / 2 pairs of S and T, each times the front of S without T.
    """
    full = len(kept) - 1
    starts = np.zeros(full + 2, np.int64)
    points = np.empty((4, 1024), np.int64)
    points[0, 0], points[1, 0], points[2, 0], points[3, 0] = 0, 0, 0, -1
    used = 1
    starts[1] = 1
    front = np.empty((4, 64), np.int64)
    for whole in range(1, full + 1):
        if whole & 1 == 0 or whole == full:
            size = 0
            low = whole & -whole
            others = whole ^ low
            left = others
            while True:
                table = whole ^ left
                if allowed[table] and exposed[table] <= limit:
                    for entry in range(starts[left], starts[left + 1]):
                        x = points[1, entry] + exposed[table]
                        if x > limit:
                            break
                        if size + 1 >= front.shape[1]:
                            front = _widened(front)
                        size = _insert(front, size, points[0, entry] + kept[table], x, table, entry)
                if left == 0:
                    break
                left = (left - 1) & others
            while used + size > points.shape[1]:
                points = _widened(points)
            for row in range(4):
                for place in range(size):
                    points[row, used + place] = front[row, place]
            used += size
        starts[whole + 1] = used
    return starts, points[0, :used], points[1, :used], points[2, :used], points[3, :used]


@kernel
def _widened(points: NDArray[np.int64]) -> NDArray[np.int64]:
    wider = np.empty((4, 2 * points.shape[1]), np.int64)
    for row in range(4):
        for place in range(points.shape[1]):
            wider[row, place] = points[row, place]
    return wider


@kernel
def _insert(
    front: NDArray[np.int64], size: int, kept: int, exposed: int, table: int, rest: int
) -> int:
    """Put a point into a front unless one there beats or equals it; returns the new size."""
    first, last = 0, size
    while first < last:
        middle = (first + last) // 2
        if front[1, middle] <= exposed:
            first = middle + 1
        else:
            last = middle
    if first > 0 and front[0, first - 1] >= kept:
        return size
    begin = first
    if begin > 0 and front[1, begin - 1] == exposed:
        begin -= 1
    end = first
    while end < size and front[0, end] <= kept:
        end += 1
    moved = size - end
    for row in range(4):
        if end > begin + 1:
            for place in range(moved):
                front[row, begin + 1 + place] = front[row, end + place]
        elif end < begin + 1:
            for place in range(moved - 1, -1, -1):
                front[row, begin + 1 + place] = front[row, end + place]
    front[0, begin] = kept
    front[1, begin] = exposed
    front[2, begin] = table
    front[3, begin] = rest
    return begin + 1 + moved
