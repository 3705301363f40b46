"""Move the lines of a class so that the two halves of a cut lie next to each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.codes import Codes
from papilio.kernels.jit import kernel


@kernel
def lines_up_to(codes: Codes, low: int, high: int, attribute: int, cut: int) -> NDArray[np.bool_]:
    """Which of the lines ``low .. high - 1`` have a code of at most ``cut``."""
    left = np.empty(high - low, np.bool_)
    for line in range(low, high):
        left[line - low] = codes[line, attribute] <= cut
    return left


@kernel
def divide_lines(
    words: NDArray[np.int64],
    rows: NDArray[np.int32],
    spare_words: NDArray[np.int64],
    spare_rows: NDArray[np.int32],
    low: int,
    high: int,
    left: NDArray[np.bool_],
) -> int:
    """Move the lines of the left half to the front, in order; return where the rest starts.

    Every line is written to both places and one of two cursors advances, so there is no branch to
    mispredict. ``words`` holds the codes, eight bytes at a time.
    """
    width = words.shape[1]
    front = low
    back = low
    for line in range(low, high):
        goes_left = left[line - low]
        number = rows[line]
        for word in range(width):
            value = words[line, word]
            words[front, word] = value
            spare_words[back, word] = value
        rows[front] = number
        spare_rows[back] = number
        front += goes_left
        back += not goes_left
    for offset in range(high - front):
        for word in range(width):
            words[front + offset, word] = spare_words[low + offset, word]
        rows[front + offset] = spare_rows[low + offset]
    return front
