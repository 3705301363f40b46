"""Groups that may overlap: whether all can be (k,e)-anonymous and at most so wide.

There is an optimal partition in which at most two groups cover any value, and in which starts and
ends ascend strictly (Lemma 2.6.2; nested groups can be merged). So groups form a chain. A state is
a group that began at the value number a, with all values before ``at`` dealt out. Where it overlaps
with the next group, which begins at ``at`` and owns that value, up to the value q: a value of
several copies goes to both; the old group takes as few single values as it needs, as low as
possible, and the next one gets the others. What matters of a state is how many different values the
group has, and whether one of them is e above its first; both are kept, as the most values without
and with such a value.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel

#: How a state was reached: a whole value was added, a group was closed, two groups overlap.
ADDED = 1
CLOSED = 2
OVERLAPPED = 3


@kernel
def chain_of_groups(
    values: NDArray[np.float64],
    single: NDArray[np.bool_],
    reach: NDArray[np.int64],
    k: int,
    widest: float,
) -> NDArray[np.int64]:
    """Find a chain of groups none of which is wider than ``widest``.

    Parameters
    ----------
    values
        Different values, ascending.
    single
        Whether there is only one copy of a value.
    reach
        For each value, the first that is e above it; ``len(values)`` if none is.
    k
        Least number of different values of a group.
    widest
        Largest width.

    Returns
    -------
    links
        One row per group but the last, from the last to the first: start of the group, start
        of the next, end of the overlap (less than the start of the next if there is none), number
        of single values the group takes from the overlap, and the last of these if it had to be
        one that is e above the start, else -1. Shape (0, 5) if one group is enough, (1, 5) of
        -1 if there is no chain.

    Notes
    -----
    Cost: O(p w^2) time and O(p w) space, w being the most values within ``widest``; at most
    O(p^3), where the paper's Algorithm 2 takes O(n^6) and is wrong in three places (papers D2.3
    to D2.5).
    """
    count = len(values)
    ends = _ends(values, widest)
    room = 2
    for index in range(count):
        room = max(room, ends[index] - index + 3)
    most = np.full((count, room, 2), -1, np.int32)
    how = np.zeros((count, room, 2), np.int8)
    origin = np.full((count, room, 2), -1, np.int32)
    singles = np.zeros(count + 1, np.int64)
    last_double = np.full(count, -1, np.int64)
    next_single = np.full(count + 1, count, np.int64)
    for index in range(count):
        singles[index + 1] = singles[index] + single[index]
        last_double[index] = index
        if single[index]:
            last_double[index] = last_double[index - 1] if index > 0 else -1
    for index in range(count - 1, -1, -1):
        next_single[index] = index if single[index] else next_single[index + 1]
    most[0, 0, 0] = 0
    for at in range(count):
        for a in range(max(0, at - room + 1), at + 1):
            for flag in range(2):
                have = most[a, at - a, flag]
                if have < 0:
                    continue
                # The value at ``at`` belongs to this group alone.
                if at <= ends[a]:
                    _keep(
                        most,
                        how,
                        origin,
                        a,
                        at + 1,
                        flag | (at >= reach[a]),
                        have + 1,
                        ADDED,
                        2 * a + flag,
                    )
                if at == a:
                    continue
                # The group is complete, the next begins at ``at``.
                if have >= k and flag:
                    _keep(most, how, origin, at, at, 0, 0, CLOSED, 2 * a + flag)
                # The next begins at ``at``, and this one goes on up to q.
                for q in range(at, ends[a] + 1):
                    taken, beyond = _needed(
                        single, singles, last_double, next_single, reach, k, a, at, q, have, flag
                    )
                    if taken < 0:
                        continue
                    own = q - at + 1 - taken
                    reached = _has_reached(singles, last_double, reach, at, q, taken, beyond)
                    _keep(most, how, origin, at, q + 1, reached, own, OVERLAPPED, 2 * a + flag)
    return _links(most, how, origin, single, singles, last_double, next_single, reach, k, room)


@kernel
def _ends(values: NDArray[np.float64], widest: float) -> NDArray[np.int64]:
    """Last value that a group from each start may own."""
    count = len(values)
    ends = np.empty(count, np.int64)
    end = 0
    for index in range(count):
        end = max(end, index)
        while end + 1 < count and values[end + 1] - values[index] <= widest:
            end += 1
        ends[index] = end
    return ends


@kernel
def _keep(
    most: NDArray[np.int32],
    how: NDArray[np.int8],
    origin: NDArray[np.int32],
    a: int,
    at: int,
    flag: int,
    have: int,
    step: int,
    source: int,
) -> None:
    # A new state's ``at`` stays within the room, as no group reaches further than its end.
    if have > most[a, at - a, flag]:
        most[a, at - a, flag] = have
        how[a, at - a, flag] = step
        origin[a, at - a, flag] = source


@kernel
def _needed(
    single: NDArray[np.bool_],
    singles: NDArray[np.int64],
    last_double: NDArray[np.int64],
    next_single: NDArray[np.int64],
    reach: NDArray[np.int64],
    k: int,
    a: int,
    at: int,
    q: int,
    have: int,
    flag: int,
) -> tuple[int, int]:
    """How many single values of at..q the group from a takes, and which one beyond the lowest.

    The single value at ``at`` itself is the next group's. Returns -1 if there are too few.
    """
    alone = singles[q + 1] - singles[at]
    offered = alone - (1 if single[at] else 0)
    doubles = q - at + 1 - alone
    taken = max(0, k - have - doubles)
    if taken > offered:
        return -1, -1
    if flag or (last_double[q] >= at and last_double[q] >= reach[a]):
        return taken, -1
    # It still lacks a value that is e above its first.
    far = next_single[max(at + 1, reach[a])] if reach[a] <= q else q + 1
    if far > q:
        return -1, -1
    # The lowest that are taken may reach far enough by themselves.
    lowest = singles[far] - singles[at + 1]
    if taken > lowest:
        return taken, -1
    return max(taken, 1), far


@kernel
def _has_reached(
    singles: NDArray[np.int64],
    last_double: NDArray[np.int64],
    reach: NDArray[np.int64],
    at: int,
    q: int,
    taken: int,
    beyond: int,
) -> int:
    """Whether the group from ``at`` owns, of at..q, a value that is e above its first."""
    far = reach[at]
    if far > q:
        return 0
    if far <= at or (last_double[q] >= far):
        return 1
    above = singles[q + 1] - singles[far]
    below = singles[far] - singles[at + 1]
    low = taken - 1 if beyond >= 0 else taken
    lost = max(0, low - below) + (1 if beyond >= far else 0)
    return 1 if above > lost else 0


@kernel
def _links(
    most: NDArray[np.int32],
    how: NDArray[np.int8],
    origin: NDArray[np.int32],
    single: NDArray[np.bool_],
    singles: NDArray[np.int64],
    last_double: NDArray[np.int64],
    next_single: NDArray[np.int64],
    reach: NDArray[np.int64],
    k: int,
    room: int,
) -> NDArray[np.int64]:
    count = len(single)
    links = np.full((count, 5), -1, np.int64)
    a = -1
    for start in range(max(0, count - room + 1), count):
        if most[start, count - start, 1] >= k:
            a = start
            break
    if a < 0:
        return links[:1]
    at = count
    flag = 1
    found = 0
    while True:
        step = how[a, at - a, flag]
        source = origin[a, at - a, flag]
        if step == 0:
            return links[:found]
        before = source // 2
        before_flag = source % 2
        if step == ADDED:
            at -= 1
            flag = before_flag
            continue
        links[found, 0] = before
        links[found, 1] = a
        if step == CLOSED:
            links[found, 2] = a - 1
            links[found, 3] = 0
        else:
            have = most[before, a - before, before_flag]
            taken, beyond = _needed(
                single,
                singles,
                last_double,
                next_single,
                reach,
                k,
                before,
                a,
                at - 1,
                have,
                before_flag,
            )
            links[found, 2] = at - 1
            links[found, 3] = taken
            links[found, 4] = beyond
        found += 1
        at = a
        a = before
        flag = before_flag
