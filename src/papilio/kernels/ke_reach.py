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
