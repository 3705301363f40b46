"""Where the cells of an attribute may be cut without leaving too few rows in any class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def forbid_cuts(
    codes: NDArray[np.int64], classes: NDArray[np.int64], least: int, forbidden: NDArray[np.int64]
) -> None:
    """Count, for each cut ``code <= v``, classes that would have a side of 1 to ``least - 1`` rows.

    Parameters
    ----------
    codes, classes
        Code and class of each row, sorted by class and then by code.
    least
        Least size of a side that is not empty.
    forbidden
        Entry v is raised by one for each class that forbids the cut; as differences, so that the
        running sum gives the counts.

    Notes
    -----
    Cost: O(rows).
    """
    begin = 0
    while begin < len(codes):
        end = begin
        while end < len(codes) and classes[end] == classes[begin]:
            end += 1
        size = end - begin
        if codes[begin] != codes[end - 1]:
            if size < 2 * least:
                forbidden[codes[begin]] += 1
                forbidden[codes[end - 1]] -= 1
            else:
                # Too few on the left before the least-th code, too few on the right after.
                low = codes[begin + least - 1]
                high = codes[end - least]
                forbidden[codes[begin]] += 1
                forbidden[low] -= 1
                forbidden[max(low, high)] += 1
                forbidden[codes[end - 1]] -= 1
        begin = end
