"""Deal rows out to groups while they come, each to one of the places that are left for it."""

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


@kernel
def sums_tree(copies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sums of stretches of ``copies``, as a tree in an array (Fenwick, 1994), entries from 1 on."""
    count = len(copies)
    tree = np.zeros(count + 1, np.int64)
    for entry in range(count):
        tree[entry + 1] = copies[entry]
    for node in range(1, count + 1):
        above = node + (node & -node)
        if above <= count:
            tree[above] += tree[node]
    return tree


@kernel
def draw_groups(
    values: NDArray[np.int64],
    keys: NDArray[np.uint64],
    starts: NDArray[np.int64],
    groups: NDArray[np.int64],
    left: NDArray[np.int64],
    tree: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Draw a place for each row among those that are left for its value, and take it.

    Parameters
    ----------
    values
        Number of the value of each row.
    keys
        A random key for each row.
    starts
        The entries of value ``v`` are those from ``starts[v]`` up to ``starts[v + 1]``.
    groups
        The group of each entry.
    left
        Places left for each value; changed.
    tree
        Places left for each entry, as :func:`sums_tree`; changed.

    Returns
    -------
    groups
        Group of each row; -1 where no place is left.

    Notes
    -----
    Cost: O(log entries) for each row whose value has more than one entry.
    """
    drawn = np.full(len(values), -1, np.int64)
    count = len(tree) - 1
    highest = 1
    while 2 * highest <= count:
        highest *= 2
    for row in range(len(values)):
        value = values[row]
        if left[value] <= 0:
            continue
        entry = starts[value]
        if starts[value + 1] - entry > 1:
            rest = np.int64(keys[row] % np.uint64(left[value]))
            node = entry
            while node > 0:
                rest += tree[node]
                node -= node & -node
            # The last entry that has no more places before it than are skipped.
            entry = np.int64(0)
            step = highest
            while step > 0:
                if entry + step <= count and tree[entry + step] <= rest:
                    entry += step
                    rest -= tree[entry]
                step //= 2
            node = entry + 1
            while node <= count:
                tree[node] -= 1
                node += node & -node
        left[value] -= 1
        drawn[row] = groups[entry]
    return drawn
