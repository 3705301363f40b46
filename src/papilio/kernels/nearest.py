"""How near the rows of a class can be at best: what lower bounds of the loss are made of.

The distance of two rows is the width of the smallest box around both. A row's class of at least k
rows holds k - 1 others, so its box is at least as wide as the distance to the (k - 1)-th nearest
row. Source: Pei et al., "Butterfly", TR 2008-18, definition 3 and theorem 4; the sum over all rows
is sharper than its minimum.

Distances are rounded down to multiples of 1/256, which keeps bounds sound and spares sorting.
Equal rows are counted once, so the cost depends on the distinct rows; where these are too many, the
answer is 0, which bounds nothing and is sound too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import TREE
from papilio.kernels.boxes import span_width
from papilio.kernels.codes import Codes
from papilio.kernels.jit import kernel

#: Steps per unit of distance; a power of two, so that rounding down is exact.
STEPS = 256
#: Distances to more distinct rows than this are not looked at.
MOST = 128
#: Places of the table in which equal lines are found: a prime, four times as many as lines.
_PLACES = 509


@kernel
def distinct_lines(
    words: NDArray[np.int64], begin: int, end: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """One line of each kind of equal lines among ``begin .. end - 1``, and how many there are.

    Returns nothing if there are more than :data:`MOST` kinds.
    """
    slots = np.full(_PLACES, -1, np.int64)
    lines = np.empty(MOST, np.int64)
    weights = np.zeros(MOST, np.int64)
    count = 0
    for line in range(begin, end):
        key = np.uint64(0)
        for word in range(words.shape[1]):
            key = (key << np.uint64(7)) ^ (key >> np.uint64(57)) ^ np.uint64(words[line, word])
        slot = np.int64(key % np.uint64(_PLACES))
        while True:
            known = slots[slot]
            if known < 0:
                if count == MOST:
                    return lines[:0], weights[:0]
                slots[slot] = count
                lines[count] = line
                weights[count] = 1
                count += 1
                break
            same = True
            for word in range(words.shape[1]):
                same &= words[line, word] == words[lines[known], word]
            if same:
                weights[known] += 1
                break
            slot = (slot + 1) % _PLACES
    return lines[:count], weights[:count]


@kernel
def count_near(
    codes: Codes,
    lines: NDArray[np.int64],
    weights: NDArray[np.int64],
    one: int,
    kind: NDArray[np.int8],
    size: NDArray[np.int64],
    start: NDArray[np.int64],
    values: NDArray[np.float64],
    near: NDArray[np.int64],
) -> None:
    """Count rows by their distance from a row; ``near[s]`` are those s to s + 1 steps away."""
    near[:] = 0
    for other in range(len(lines)):
        distance = 0.0
        for attribute in range(len(kind)):
            code = codes[lines[one], attribute]
            code_there = codes[lines[other], attribute]
            if code == code_there:
                continue
            if kind[attribute] <= TREE:
                distance += span_width(
                    kind[attribute],
                    size[attribute],
                    start[attribute],
                    values,
                    min(code, code_there),
                    max(code, code_there),
                )
            else:
                distance += values[start[attribute]]
        near[np.int64(distance * STEPS)] += weights[other]


@kernel
def nearest_sum(
    codes: Codes,
    words: NDArray[np.int64],
    begin: int,
    end: int,
    k: int,
    kind: NDArray[np.int8],
    size: NDArray[np.int64],
    start: NDArray[np.int64],
    values: NDArray[np.float64],
) -> float:
    """Sum over the lines of a run of the distance to the (k - 1)-th nearest line of it, or less.

    The run has at least k lines. Cost: O(m + q² d) for m lines of which q are distinct.
    """
    lines, weights = distinct_lines(words, begin, end)
    near = np.empty(STEPS * len(kind) + 1, np.int64)
    total = 0.0
    for one in range(len(lines)):
        if weights[one] >= k:
            continue
        count_near(codes, lines, weights, one, kind, size, start, values, near)
        step = 0
        found = near[0]
        while found < k:
            step += 1
            found += near[step]
        total += weights[one] * (step / STEPS)
    return total


@kernel
def least_nearest(
    codes: Codes,
    words: NDArray[np.int64],
    begin: NDArray[np.int64],
    end: NDArray[np.int64],
    k: int,
    kind: NDArray[np.int8],
    size: NDArray[np.int64],
    start: NDArray[np.int64],
    values: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Least distance from any line of a run to its i-th nearest in the run, for i < k, or less.

    Entry ``[r, i]`` is about run r. Where a run has at most i lines, no line has an i-th nearest,
    and the entry is infinite.
    """
    least = np.zeros((len(begin), k))
    near = np.empty(STEPS * len(kind) + 1, np.int64)
    for run in range(len(begin)):
        lines, weights = distinct_lines(words, begin[run], end[run])
        if len(lines) == 0:
            continue
        least[run] = np.inf
        for one in range(len(lines)):
            count_near(codes, lines, weights, one, kind, size, start, values, near)
            place = 0
            for step in range(len(near)):
                for _ in range(near[step]):
                    if place < k:
                        least[run, place] = min(least[run, place], step / STEPS)
                    place += 1
                if place >= k:
                    break
    return least
