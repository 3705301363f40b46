"""How far apart values are, decided exactly: no rounding may make a range look wide enough."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def reach_whole(values: NDArray[np.uint64], least: np.uint64) -> NDArray[np.int64]:
    """Find, for each value, the first that is at least ``least`` larger.

    Parameters
    ----------
    values
        Different whole numbers, ascending, counted from the smallest: the distance of two 64-bit
        numbers may need all 64 bits.
    least
        The distance.

    Returns
    -------
    reach
        Index of that value for each; ``len(values)`` if there is none. Ascends. Cost: O(p).
    """
    count = len(values)
    reach = np.empty(count, np.int64)
    far = 0
    for index in range(count):
        far = max(far, index)
        while far < count and values[far] - values[index] < least:
            far += 1
        reach[index] = far
    return reach


@kernel
def reach_real(values: NDArray[np.float64], least: float, rest: float) -> NDArray[np.int64]:
    """As :func:`reach_whole`, for doubles and the distance ``least + rest``.

    A difference of doubles is a double and what its rounding lost (Knuth, TAOCP 2, 4.2.2), and
    both are compared: the first with ``least``, the second, if the first is equal, with ``rest``.

    Parameters
    ----------
    values
        Different doubles, ascending.
    least, rest
        The distance rounded to a double, and what remains of it, rounded up.
    """
    count = len(values)
    reach = np.empty(count, np.int64)
    far = 0
    for index in range(count):
        far = max(far, index)
        while far < count and not _is_apart(values[far], values[index], least, rest):
            far += 1
        reach[index] = far
    return reach


@kernel
def _is_apart(high: float, low: float, least: float, rest: float) -> bool:
    width = high - low
    if not np.isfinite(width):
        return True
    part = high - width
    back = width + part
    lost = (high - back) - (low - part)
    return width > least or (width == least and lost >= rest)


@kernel
def enough_left(
    value: NDArray[np.int64], rows: NDArray[np.int64], k: int, known: int
) -> NDArray[np.int64]:
    """Find, for each unit, the least end such that k values are left whatever rows are struck out.

    A run keeps k of its d values without any ``known`` rows if and only if its d - k + 1 rarest
    values have more rows than that together. More rows do no harm, so ends ascend with starts.

    Parameters
    ----------
    value
        Number of the value of each unit, ascending; a unit is some rows of one value.
    rows
        How many.
    k, known
        What is demanded.

    Returns
    -------
    first
        Index of the last unit of the shortest run from each; ``len(value)`` if none is enough.
        Cost: O(units * known).
    """
    count = len(value)
    first = np.full(count, count, np.int64)
    held = np.zeros(value[-1] + 1 if count else 0, np.int64)
    # How many values have 1, 2, … rows in the run; more than ``known`` count alike.
    alike = np.zeros(known + 2, np.int64)
    different = 0
    end = 0
    for start in range(count):
        while end < count and not _keeps(alike, different, k, known):
            at = value[end]
            if held[at] == 0:
                different += 1
            else:
                alike[min(held[at], known + 1)] -= 1
            held[at] += rows[end]
            alike[min(held[at], known + 1)] += 1
            end += 1
        if not _keeps(alike, different, k, known):
            break
        first[start] = end - 1
        at = value[start]
        alike[min(held[at], known + 1)] -= 1
        held[at] -= rows[start]
        if held[at] == 0:
            different -= 1
        else:
            alike[min(held[at], known + 1)] += 1
    return first


@kernel
def _keeps(alike: NDArray[np.int64], different: int, k: int, known: int) -> bool:
    wanted = different - k + 1
    if wanted < 1:
        return False
    struck = 0
    for size in range(1, known + 2):
        taken = min(wanted, alike[size])
        struck += taken * size
        wanted -= taken
        if struck > known:
            return True
    return False
