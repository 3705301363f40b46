"""Division of ascending values into runs, each a (k,e)-anonymous group.

Runs are about different values: a run that begins at the value number s may end at any value
number i >= ``first[s]``. A value of which there are several copies may end one run and begin the
next; that is what ``shareable`` says of it.
"""

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
    Yates as in :func:`papilio.kernels.draw_groups.shuffle_classes`.

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


@kernel
def widest_run(
    values: NDArray[np.float64], first: NDArray[np.int64], shareable: NDArray[np.bool_]
) -> float:
    """Find how wide the widest run must be at least; infinite if no division is possible.

    f(i) = min over s with first[s] <= i of max(A(s), x_i - x_s), where A(s) is the best that can
    be had before a run from s. A start is dominated by a later one whose A is not larger, so the
    others form a stack in which A ascends and widths descend: the minimum is where they cross.
    Cost: O(p log p). docs/papers.md, after Problem 2.6.3 of the paper, which takes O(n^2).
    """
    count = len(values)
    best = np.empty(count)
    starts = np.empty(count, np.int64)
    before = np.empty(count)
    top = 0
    start = 0
    for end in range(count):
        while start <= end and first[start] <= end:
            cost = 0.0 if start == 0 else best[start - 1]
            if shareable[start] and start < end:
                cost = min(cost, best[start])
            while top > 0 and before[top - 1] >= cost:
                top -= 1
            starts[top] = start
            before[top] = cost
            top += 1
            start += 1
        best[end] = _crossing(values, end, starts, before, top)
    return float(best[count - 1])


@kernel
def _crossing(
    values: NDArray[np.float64],
    end: int,
    starts: NDArray[np.int64],
    before: NDArray[np.float64],
    top: int,
) -> float:
    """Least of max(before, width) over a stack with ascending ``before``, descending widths."""
    low = 0
    high = top
    while low < high:
        middle = (low + high) // 2
        if before[middle] >= values[end] - values[starts[middle]]:
            high = middle
        else:
            low = middle + 1
    least = np.inf
    if low < top:
        least = before[low]
    if low > 0:
        least = min(least, values[end] - values[starts[low - 1]])
    return least


@kernel
def cheapest_runs(
    values: NDArray[np.float64],
    first: NDArray[np.int64],
    shareable: NDArray[np.bool_],
    widest: float,
    most: bool,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Divide into runs of least total width, and among those into as many as possible.

    The total width of all runs is the width of everything less the gaps between one run and the
    next, so the gaps are made as large as possible: g(i) = max over s with first[s] <= i and
    x_i - x_s <= widest of max(g(s - 1) + x_s - x_{s-1}, g(s) if s may be shared). Candidates
    leave the window at the same end, so a queue that descends holds the maximum at its head.
    Cost: O(p). docs/papers.md and Lemma 2.6.1; the paper's Algorithm 1 takes O(n^2).

    Parameters
    ----------
    values
        Different values, ascending.
    first
        Least end of a run from each start; ascends.
    shareable
        Whether a value may end one run and begin the next.
    widest
        No run may be wider.
    most
        Count runs first, and only among equally many the total width.

    Returns
    -------
    starts, shared
        First value of each run, ascending, and whether the run shares it with the one before.
        Empty if no division is possible.
    """
    count = len(values)
    gaps = np.full(count, -np.inf)
    runs = np.zeros(count, np.int64)
    came = np.full(count, -1, np.int64)
    # What can be had before a run from each start.
    gap_before = np.full(count, -np.inf)
    runs_before = np.zeros(count, np.int64)
    by_sharing = np.zeros(count, np.bool_)
    queue = np.empty(count, np.int64)
    head = 0
    tail = 0
    start = 0
    for end in range(count):
        while start <= end and first[start] <= end:
            if start == 0:
                gap_before[0] = 0.0
            elif gaps[start - 1] > -np.inf:
                gap_before[start] = gaps[start - 1] + (values[start] - values[start - 1])
                runs_before[start] = runs[start - 1]
            if (
                shareable[start]
                and start < end
                and gaps[start] > -np.inf
                and _better(gaps[start], runs[start], gap_before[start], runs_before[start], most)
            ):
                gap_before[start] = gaps[start]
                runs_before[start] = runs[start]
                by_sharing[start] = True
            if gap_before[start] > -np.inf:
                while tail > head and not _better(
                    gap_before[queue[tail - 1]],
                    runs_before[queue[tail - 1]],
                    gap_before[start],
                    runs_before[start],
                    most,
                ):
                    tail -= 1
                queue[tail] = start
                tail += 1
            start += 1
        while tail > head and values[end] - values[queue[head]] > widest:
            head += 1
        if tail > head:
            came[end] = queue[head]
            gaps[end] = gap_before[queue[head]]
            runs[end] = runs_before[queue[head]] + 1
    return _traced(came, by_sharing)


@kernel
def _better(gap: float, runs: int, other: float, others: int, most: bool) -> bool:
    if most:
        return runs > others or (runs == others and gap > other)
    return gap > other or (gap == other and runs > others)


@kernel
def _traced(
    came: NDArray[np.int64], by_sharing: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    count = len(came)
    starts = np.empty(count, np.int64)
    shared = np.empty(count, np.bool_)
    place = count
    end = count - 1
    while end >= 0:
        start = came[end]
        if start < 0:
            return starts[:0], shared[:0]
        place -= 1
        starts[place] = start
        shared[place] = by_sharing[start]
        end = start if by_sharing[start] else start - 1
    return starts[place:], shared[place:]


#: What :func:`evenly_spread_runs` makes small or large.
LEAST_SUM = 0
MOST_RUNS = 1
LEAST_WIDEST = 2


@kernel
def evenly_spread_runs(
    values: NDArray[np.float64],
    rows: NDArray[np.int64],
    first: NDArray[np.int64],
    near: NDArray[np.int64],
    cut: NDArray[np.bool_],
    share: int,
    of: int,
    widest: float,
    goal: int,
) -> tuple[NDArray[np.int64], float]:
    """Divide units into runs of which no window holds more than a share.

    A run that is long enough need not stay so when it grows, so every pair of start and end is
    looked at; the most that a window holds is kept up to date as the end moves. What can be
    divided into two such runs is never better, and a run from the first end on, with as many rows
    as any window of the column needs, is one: there the search from a start ends.
    Cost: O(starts * units).

    Parameters
    ----------
    values
        Value of each unit, ascending; a unit is some rows of one value.
    rows
        Number of rows before each unit, then of all.
    first
        Least end of a run from each unit; ascends.
    near
        Number of rows before the first that is within a window that ends at each unit's value.
    cut
        Whether a run may begin at each unit.
    share, of
        A window holds at most ``share`` of every ``of`` rows.
    widest
        No run may be wider.
    goal
        :data:`LEAST_SUM`, :data:`MOST_RUNS` or :data:`LEAST_WIDEST`.

    Returns
    -------
    starts, width
        First unit of each run, and the width of the widest; no starts if no division is possible.
    """
    count = len(values)
    most = 0
    for unit in range(count):
        most = max(most, rows[unit + 1] - near[unit])
    # So many rows are enough whatever they are.
    plenty = -((-most * of) // share)
    came = np.full(count, -1, np.int64)
    total = np.full(count, np.inf)
    runs = np.zeros(count, np.int64)
    width = np.full(count, np.inf)
    for start in range(count):
        if not cut[start]:
            continue
        if start > 0 and came[start - 1] < 0:
            continue
        total_before = 0.0 if start == 0 else total[start - 1]
        runs_before = 0 if start == 0 else runs[start - 1]
        width_before = 0.0 if start == 0 else width[start - 1]
        held = 0
        found = -1
        for end in range(start, count):
            wide = values[end] - values[start]
            if wide > widest:
                break
            held = max(held, rows[end + 1] - max(rows[start], near[end]))
            if end < first[start] or (end + 1 < count and not cut[end + 1]):
                continue
            if held * of > share * (rows[end + 1] - rows[start]):
                continue
            if found < 0:
                found = end
            elif rows[end + 1] - rows[found + 1] >= plenty and end >= first[found + 1]:
                break
            sums = total_before + wide
            number = runs_before + 1
            widths = max(width_before, wide)
            if goal == MOST_RUNS:
                better = number > runs[end] or (number == runs[end] and sums < total[end])
            elif goal == LEAST_WIDEST:
                better = widths < width[end]
            else:
                better = sums < total[end] or (sums == total[end] and number > runs[end])
            if came[end] < 0 or better:
                came[end] = start
                total[end] = sums
                runs[end] = number
                width[end] = widths
    if count == 0 or came[count - 1] < 0:
        return np.empty(0, np.int64), np.inf
    number = 0
    end = count - 1
    while end >= 0:
        number += 1
        end = came[end] - 1
    starts = np.empty(number, np.int64)
    end = count - 1
    while end >= 0:
        number -= 1
        starts[number] = came[end]
        end = came[end] - 1
    return starts, width[count - 1]
