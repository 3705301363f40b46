"""Deal rows out to groups: by how many copies of each value a group gets, or at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def deal_rows(
    rows: NDArray[np.int32],
    entry_group: NDArray[np.int64],
    entry_copies: NDArray[np.int64],
    entry_begins: NDArray[np.bool_],
    groups: int,
    keys: NDArray[np.uint64],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Put rows, which stand value by value, group by group.

    Which of the rows with a value go to which of several groups is left to chance, by Fisher and
    Yates as in :func:`papilio.kernels.shuffle.shuffle_classes`.

    Parameters
    ----------
    rows
        Row numbers, sorted by value.
    entry_group, entry_copies, entry_begins
        In the order of the rows: a group, how many of the next rows it gets, and whether these
        are the first with their value.
    groups
        Number of groups.
    keys
        Random keys, one for each row whose value is dealt to several groups; they are used in
        turn.

    Returns
    -------
    rows, starts
        Rows group after group, and where each group starts, then the number of rows.
    """
    entries = len(entry_group)
    starts = np.zeros(groups + 1, np.int64)
    for entry in range(entries):
        starts[entry_group[entry] + 1] += entry_copies[entry]
    for group in range(groups):
        starts[group + 1] += starts[group]
    free = starts[:-1].copy()
    dealt = np.empty_like(rows)
    place = 0
    used = 0
    entry = 0
    while entry < entries:
        after = entry + 1
        size = entry_copies[entry]
        while after < entries and not entry_begins[after]:
            size += entry_copies[after]
            after += 1
        if after == entry + 1:
            target = free[entry_group[entry]]
            for offset in range(size):
                dealt[target + offset] = rows[place + offset]
            free[entry_group[entry]] = target + size
        else:
            same = rows[place : place + size].copy()
            for left in range(size, 1, -1):
                other = np.int64(keys[used] % np.uint64(left))
                used += 1
                same[left - 1], same[other] = same[other], same[left - 1]
            begin = 0
            for each in range(entry, after):
                target = free[entry_group[each]]
                for offset in range(entry_copies[each]):
                    dealt[target + offset] = same[begin + offset]
                free[entry_group[each]] = target + entry_copies[each]
                begin += entry_copies[each]
        place += size
        entry = after
    return dealt, starts


@kernel
def scan_groups(ranks: NDArray[np.int32], reach: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Close a group as soon as it is (k,e)-anonymous; rows left at the end join the last one.

    Parameters
    ----------
    ranks
        Rank of the value of each row among the different values, -1 for NULL, in scanning order.
    reach
        For each value, the first that is e above it.
    k
        Least number of different values.

    Returns
    -------
    starts
        Where each group starts, then the number of rows. Cost: O(n).
    """
    count = len(ranks)
    seen = np.full(len(reach), -1, np.int64)
    starts = np.zeros(count + 1, np.int64)
    group = 0
    different = 0
    low = len(reach)
    high = -1
    for place in range(count):
        rank = ranks[place]
        if rank < 0:
            continue
        if seen[rank] != group:
            seen[rank] = group
            different += 1
        low = min(low, rank)
        high = max(high, rank)
        if different >= k and high >= reach[low]:
            group += 1
            starts[group] = place + 1
            different = 0
            low = len(reach)
            high = -1
    starts[group] = count
    return starts[: group + 1]
