"""Number the distinct trees among rows with children, exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel

#: A prime; hashes stay below it, so that products fit 64 bits.
_PRIME = 2**31 - 1
_FACTOR = 1_103_515_245


@kernel
def intern_trees(
    labels: NDArray[np.int64], starts: NDArray[np.int64], children: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give rows with the same label and the same children the same number.

    Parameters
    ----------
    labels
        Label of each row.
    starts, children
        The trees below row ``r`` are ``children[starts[r] : starts[r + 1]]``, ascending, so that
        equal multisets of children are equal lists.

    Returns
    -------
    number
        Number of each row's tree, in the order in which the trees first appear.
    example
        A row for each number.

    Notes
    -----
    A hash table whose entries are compared in full; cost: one look at every row and every child.
    """
    rows = len(labels)
    room = 16
    while room < 2 * rows:
        room *= 2
    table = np.full(room, -1, np.int64)
    number = np.empty(rows, np.int64)
    example = np.empty(rows, np.int64)
    found = 0
    for row in range(rows):
        begin, end = starts[row], starts[row + 1]
        mixed = (labels[row] * 31 + end - begin) % _PRIME
        for place in range(begin, end):
            mixed = (mixed * _FACTOR + children[place] + 1) % _PRIME
        slot = (mixed * _FACTOR % _PRIME) & (room - 1)
        while True:
            known = table[slot]
            if known < 0:
                table[slot] = found
                example[found] = row
                number[row] = found
                found += 1
                break
            other = example[known]
            same = labels[other] == labels[row]
            same = same and starts[other + 1] - starts[other] == end - begin
            if same:
                for offset in range(end - begin):
                    if children[starts[other] + offset] != children[begin + offset]:
                        same = False
                        break
            if same:
                number[row] = known
                break
            slot = (slot + 1) & (room - 1)
    return number, example[:found].copy()
