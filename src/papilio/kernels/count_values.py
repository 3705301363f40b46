"""Which values of a sensitive column the rows of a class have, and how often."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel

#: Codes are counted in an array of all of them unless there are this many times more than rows.
SPREAD = 8


@kernel
def sort_numbers(numbers: NDArray[np.int64]) -> None:
    """Sort in place, ascending: heap sort, because ``np.sort`` takes ten times as long to compile.

    Cost: O(m log m) for m numbers, at worst too.
    """
    count = len(numbers)
    root = count // 2
    last = count - 1
    while last > 0:
        if root > 0:
            root -= 1
        else:
            numbers[0], numbers[last] = numbers[last], numbers[0]
            last -= 1
        sinking = numbers[root]
        place = root
        child = 2 * place + 1
        while child <= last:
            if child < last and numbers[child] < numbers[child + 1]:
                child += 1
            if numbers[child] <= sinking:
                break
            numbers[place] = numbers[child]
            place = child
            child = 2 * place + 1
        numbers[place] = sinking


@kernel
def count_values(
    sensitive: NDArray[np.int32], rows: NDArray[np.int32], column: int, size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Codes that occur, ascending, and how often each does.

    Parameters
    ----------
    sensitive
        Codes, one line per source row, one entry per column.
    rows
        Source row numbers of the class.
    column
        The column to count.
    size
        Number of codes the column has.

    Notes
    -----
    Cost: O(m) for m rows if there are at most 8 m codes, O(m log m) otherwise.
    """
    many = len(rows)
    distinct = 0
    if size <= SPREAD * many:
        values = np.empty(size, np.int64)
        counts = np.zeros(size, np.int64)
        for row in rows:
            counts[sensitive[row, column]] += 1
        for code in range(size):
            if counts[code] > 0:
                values[distinct] = code
                counts[distinct] = counts[code]
                distinct += 1
    else:
        values = np.empty(many, np.int64)
        counts = np.zeros(many, np.int64)
        for place in range(many):
            values[place] = sensitive[rows[place], column]
        sort_numbers(values)
        for place in range(many):
            if place == 0 or values[place] != values[distinct - 1]:
                values[distinct] = values[place]
                distinct += 1
            counts[distinct - 1] += 1
    return values[:distinct], counts[:distinct]
