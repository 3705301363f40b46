"""What a class covers on one attribute: its smallest and largest code, or its set of codes.

In all functions ``codes`` has one line per row, the rows of a class next to each other, and
``starts`` holds the first line of each class, then the number of lines.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.codes import Codes
from papilio.kernels.jit import kernel


@kernel
def class_ranges(
    codes: Codes, attribute: int, starts: NDArray[np.int64], first_value: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """Smallest and largest code of each class, codes below ``first_value`` set apart.

    Returns
    -------
    smallest, largest
        Over the codes of at least ``first_value``; 0 and 0 where a class has none.
    below
        Whether the class holds a code below ``first_value`` (NULL).
    """
    count = len(starts) - 1
    smallest = np.zeros(count, np.int32)
    largest = np.zeros(count, np.int32)
    below = np.zeros(count, np.bool_)
    for number in range(count):
        low = np.int64(2**31)
        high = np.int64(-1)
        for row in range(starts[number], starts[number + 1]):
            code = np.int64(codes[row, attribute])
            if code < first_value:
                below[number] = True
            else:
                low = min(low, code)
                high = max(high, code)
        if high >= 0:
            smallest[number] = low
            largest[number] = high
    return smallest, largest, below


@kernel
def class_sets(
    codes: Codes, attribute: int, starts: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Distinct codes of each class, ascending.

    Parameters
    ----------
    codes, attribute, starts
        As above.
    size
        Number of codes the attribute has.

    Returns
    -------
    first, members
        The codes of class ``c`` are ``members[first[c] : first[c + 1]]``.
    """
    count = len(starts) - 1
    first = np.zeros(count + 1, np.int64)
    members = np.empty(starts[count], np.int32)
    seen = np.full(size, -1, np.int64)
    length = 0
    for number in range(count):
        begin = length
        for row in range(starts[number], starts[number + 1]):
            code = codes[row, attribute]
            if seen[code] != number:
                seen[code] = number
                members[length] = code
                length += 1
        members[begin:length].sort()
        first[number + 1] = length
    return first, members[:length].copy()
