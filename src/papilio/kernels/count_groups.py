"""Count the groups of rows that agree on a set of columns.

A partition of the rows is kept *stripped* (Huhtala, Kärkkäinen, Porkka & Toivonen 1999, "TANE: an
efficient algorithm for discovering functional and approximate dependencies"): only groups of two
or more rows are stored, because a row that is alone stays alone however many columns are added.
Adding a column splits each stored group by the codes of that column, counted in a table as long as
the column has codes. So no key is built from several codes, the product of their numbers never
matters, and nothing is sorted or hashed: a set costs one pass over the rows that are not yet alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def partition(codes: NDArray[np.int32], size: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Group rows by the codes ``0 .. size - 1`` of one column and strip the groups of one row.

    Returns
    -------
    rows
        Row numbers, group after group, ascending in each.
    starts
        Where each group begins in ``rows``, and its end at last.
    """
    everything = np.arange(len(codes), dtype=np.int32)
    ends = np.array([0, len(codes)], dtype=np.int64)
    return refine(everything, ends, codes, size)


@kernel
def refine(
    rows: NDArray[np.int32], starts: NDArray[np.int64], codes: NDArray[np.int32], size: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Split the groups of a stripped partition by one more column and strip the result.

    ``codes`` holds the code of every row of the table, ``0 .. size - 1``. Returns a partition of
    the same form. Cost: three passes over ``rows``; ``size`` words of scratch.
    """
    # Zero: no row of this group has the code. Positive: that many have. Negative: -1 - next place.
    state = np.zeros(size, dtype=np.int64)
    split = np.empty(len(rows), dtype=np.int32)
    split_starts = np.zeros(len(rows) // 2 + 1, dtype=np.int64)
    groups = 0
    end = 0
    for group in range(len(starts) - 1):
        first, last = starts[group], starts[group + 1]
        for place in range(first, last):
            state[codes[rows[place]]] += 1
        for place in range(first, last):
            row = rows[place]
            code = codes[row]
            if state[code] == 1:
                continue
            if state[code] > 1:
                groups += 1
                start = end
                end += state[code]
                split_starts[groups] = end
                state[code] = -1 - start
            split[-1 - state[code]] = row
            state[code] -= 1
        for place in range(first, last):
            state[codes[rows[place]]] = 0
    return split[:end].copy(), split_starts[: groups + 1].copy()


@kernel
def tally(
    rows: NDArray[np.int32], starts: NDArray[np.int64], codes: NDArray[np.int32], size: int
) -> NDArray[np.int64]:
    """Count the groups that :func:`refine` would make, without making them.

    Rows that the stripped partition does not hold are alone already and are counted so.

    Returns
    -------
    counts
        Number of groups, number of rows alone, size of the smallest group, and Σ n(n - 1) over
        the sizes n of the groups: twice the number of pairs of rows that agree.
    """
    sizes = np.zeros(size, dtype=np.int32)
    alone = np.int64(len(codes) - len(rows))
    groups = alone
    smallest = np.int64(1 if alone else len(codes))
    alike = np.int64(0)
    for group in range(len(starts) - 1):
        first, last = starts[group], starts[group + 1]
        for place in range(first, last):
            sizes[codes[rows[place]]] += 1
        # Whichever is shorter is read a second time: the table of sizes or the group.
        short = size < last - first
        for index in range(size if short else last - first):
            code = index if short else codes[rows[first + index]]
            count = np.int64(sizes[code])
            if count == 0:
                continue
            sizes[code] = 0
            groups += 1
            if count == 1:
                alone += 1
            smallest = min(smallest, count)
            alike += count * (count - 1)
    return np.array([groups, alone, smallest, alike], dtype=np.int64)


@kernel
def rows_of_one(
    rows: NDArray[np.int32],
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    size: int,
    owners: NDArray[np.int32],
) -> int:
    """Count the rows in groups that :func:`refine` would make and that are one person's.

    ``owners`` has whose each row of the table is. Rows that the stripped partition does not hold
    are alone, and so one person's. Cost: two passes over ``rows``; two words per code of scratch.
    """
    counts = np.zeros(size, dtype=np.int64)
    owner = np.zeros(size, dtype=np.int64)
    found = len(codes) - len(rows)
    for group in range(len(starts) - 1):
        first, last = starts[group], starts[group + 1]
        for place in range(first, last):
            code = codes[rows[place]]
            person = owners[rows[place]]
            if counts[code] == 0:
                owner[code] = person
            elif owner[code] != person:
                owner[code] = -1
            counts[code] += 1
        for place in range(first, last):
            code = codes[rows[place]]
            if owner[code] >= 0:
                found += counts[code]
            counts[code] = 0
    return found
