"""Shuffle classes and the rows inside them, with random numbers drawn by the caller."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def shuffle_classes(
    rows: NDArray[np.int32],
    starts: NDArray[np.int64],
    order: NDArray[np.int64],
    keys: NDArray[np.uint64],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Put classes into the given order and shuffle the rows of each.

    The rows of a class are shuffled by Fisher and Yates; taking a 64-bit key modulo the number
    of places prefers some places by less than 2**-32 even for four billion rows.

    Parameters
    ----------
    rows
        Source row numbers, class after class.
    starts
        First position of each class, then the number of rows.
    order
        A random permutation of the classes.
    keys
        One random key per row.

    Returns
    -------
    rows, starts
        The same classes, shuffled.
    """
    shuffled = np.empty_like(rows)
    new_starts = np.zeros_like(starts)
    place = 0
    for number in range(len(order)):
        begin = starts[order[number]]
        end = starts[order[number] + 1]
        for offset in range(end - begin):
            # Inside-out: place the next row at a random place among those filled so far.
            other = place + np.int64(keys[place + offset] % np.uint64(offset + 1))
            shuffled[place + offset] = shuffled[other]
            shuffled[other] = rows[begin + offset]
        place += end - begin
        new_starts[number + 1] = place
    return shuffled, new_starts
