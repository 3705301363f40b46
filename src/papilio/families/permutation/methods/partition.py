"""A division of values into groups, and the one that a policy asks for."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.errors import DataError
from papilio.families.classes import Classes
from papilio.families.permutation.methods.struck import struck_runs
from papilio.families.permutation.methods.value_counts import (
    SortedValues,
    ValueCounts,
    runs_allowed,
)
from papilio.kernels.ke_overlap import chain_of_groups
from papilio.kernels.ke_runs import cheapest_runs, deal_rows, scan_groups, widest_run
from papilio.privacy.ke_anonymity import KeAnonymity, check_spread
from papilio.randomness import Randomness


@dataclass(frozen=True, eq=False)
class Partition:
    """Copies of values dealt to groups, by ascending value.

    Attributes
    ----------
    value, group, copies
        One entry per value and group that gets copies of it: number of the value among the
        different ones, number of the group, and how many copies.
    count
        Number of groups.
    """

    value: NDArray[np.int64]
    group: NDArray[np.int64]
    copies: NDArray[np.int64]
    count: int


def partition_of_runs(
    column: ValueCounts, starts: NDArray[np.int64], shared: NDArray[np.bool_]
) -> Partition:
    """Turn runs of different values into a partition.

    Of a value that two runs share, each gets half of the copies.

    Parameters
    ----------
    column
        The values.
    starts
        First value of each run, ascending.
    shared
        Whether the run shares its first value with the run before.
    """
    copies = column.copies
    # A run goes up to the start of the next, which belongs to it too if both share it.
    ends = np.append(starts[1:] + shared[1:], len(copies))
    lengths = ends - starts
    group = np.repeat(np.arange(len(starts)), lengths)
    value = np.arange(len(group)) - np.repeat(np.cumsum(shared), lengths)
    dealt = copies[value]
    # The first entry of a run that shares its start, and the last of the run before.
    new = (np.cumsum(lengths) - lengths)[shared]
    dealt[new - 1] = copies[starts[shared]] // 2
    dealt[new] -= dealt[new - 1]
    return Partition(value, group, dealt, len(starts))


def rows_of(partition: Partition, column: SortedValues, randomness: Randomness) -> Classes:
    """Deal the rows out as a partition says; which rows of equal value go where is chance.

    Rows that are NULL go to groups in proportion to their sizes, so that a group says no more
    about who has NULL than the whole table does: the number of NULLs of a group differs by less
    than one from its share. Cost: O(n).
    """
    group, copies, begins = partition.group, partition.copies, np.ones(len(partition.value), bool)
    begins[1:] = partition.value[1:] != partition.value[:-1]
    if len(column.nulls):
        receivers, received = null_shares(partition, len(column.nulls), randomness)
        group = np.concatenate([group, receivers])
        copies = np.concatenate([copies, received])
        begins = np.concatenate([begins, np.arange(len(receivers)) == 0])
    keys = randomness.keys(_rows_left_to_chance(copies, begins))
    rows = np.concatenate([column.rows, column.nulls]) if len(column.nulls) else column.rows
    return Classes(*deal_rows(rows, group, copies, begins, partition.count, keys))


def null_shares(
    partition: Partition, nulls: int, randomness: Randomness
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Groups, in random order, and how many of the NULLs each gets."""
    order = randomness.permutation(partition.count)
    sizes = np.bincount(partition.group, partition.copies, partition.count).astype(np.int64)
    up_to = np.cumsum(sizes[order])
    # Rounding the running total rounds every share to one of its two neighbours. A product of
    # two numbers of rows fits 64 bits.
    dealt = nulls * up_to // up_to[-1]
    return order, np.diff(dealt, prepend=0)


def _rows_left_to_chance(copies: NDArray[np.int64], begins: NDArray[np.bool_]) -> int:
    """Number of rows whose value goes to several groups."""
    firsts = np.flatnonzero(begins)
    entries = np.diff(firsts, append=len(begins))
    sizes = np.add.reduceat(copies, firsts)
    return int(sizes[entries > 1].sum())


def max_partition(column: ValueCounts, requirement: KeAnonymity) -> Partition:
    """Minimise the width of the widest group, over partitions into runs of the sorted values.

    Among all such partitions, which are many, one with the least sum of widths is taken. At most
    twice as wide as the best partition with overlaps (Theorem 4; the factor is tight, papers D2.8),
    which :mod:`papilio.families.permutation.methods.partition` finds. Depends on how
    often each value occurs, and on nothing else.

    Notes
    -----
    Cost: O(p log p) for p different values, after sorting; the paper takes O(n^2).
    """
    first, shareable = runs_allowed(column, requirement)
    widths = column.widths
    widest = widest_run(widths, first, shareable)
    starts, shared = cheapest_runs(widths, first, shareable, widest, False)
    return partition_of_runs(column, starts, shared)


#: Most steps of one decision, of which about ten are needed: half a minute in all.
LIMIT = 300_000_000


def overlapping_partition(column: ValueCounts, requirement: KeAnonymity) -> Partition:
    """Minimise the width of the widest group, over all partitions.

    The least width is a difference of two values, at most that of the best runs and at least
    half of it (Theorem 4), and is found by bisection; each decision follows chains of groups
    (:mod:`papilio.kernels.ke_overlap`). Where overlaps gain nothing, the runs are taken; where
    they do, nothing is said about the sum of widths, which may be large. Depends on how often each
    value occurs, and on nothing else.

    Raises
    ------
    DataError
        If there are too many different values for it; names ``max``, which is not.

    Notes
    -----
    Cost: O(p w^2 log p) for p different values of which at most w are within the width of the
    best runs, O(p w) space.
    """
    first, shareable = runs_allowed(column, requirement)
    widths = column.widths
    if requirement.k == 1 and requirement.exact_e == 0:
        return _one_value_each(column)
    worst = widest_run(widths, first, shareable)
    _check_cost(widths, worst)
    reach = column.reach(requirement.exact_e)
    single = column.copies == 1
    candidates = _differences(widths, worst / 2, worst)
    low, high = 0, len(candidates) - 1
    while low < high:
        middle = (low + high) // 2
        links = chain_of_groups(widths, single, reach, requirement.k, candidates[middle])
        low, high = (middle + 1, high) if _is_none(links) else (low, middle)
    if low == len(candidates) - 1:
        # Overlaps gain nothing here, and runs sum up to less.
        return max_partition(column, requirement)
    links = chain_of_groups(widths, single, reach, requirement.k, candidates[low])
    return _dealt(column, links[::-1])


def _one_value_each(column: ValueCounts) -> Partition:
    every = np.arange(len(column.values))
    return Partition(every, every, column.copies, len(every))


def _check_cost(widths: NDArray[np.float64], worst: float) -> None:
    ends = np.searchsorted(widths, widths + worst, side="right")
    within = int((ends - np.arange(len(widths))).max())
    if len(widths) * within * within > LIMIT:
        raise DataError(
            f"minimise: max-exact is too slow for {len(widths):,} different values, of which up to "
            f"{within:,} are within the width of a group; minimise: max is accepted, whose groups "
            "are at most twice as wide",
            reason="too-many-values",
        )


def _differences(widths: NDArray[np.float64], least: float, most: float) -> NDArray[np.float64]:
    """Differences of two values between two bounds, ascending; ``most`` is one of them."""
    # A little more on both sides, because sums of doubles round otherwise than differences.
    begins = np.searchsorted(widths, widths + least * (1 - 1e-9), side="left")
    ends = np.searchsorted(widths, widths + most * (1 + 1e-9), side="right")
    first = np.repeat(np.arange(len(widths)), ends - begins)
    offset = np.arange(len(first)) - np.repeat(
        np.cumsum(ends - begins) - (ends - begins), ends - begins
    )
    found = widths[begins[first] + offset] - widths[first]
    return np.unique(found[found <= most])


def _is_none(links: NDArray[np.int64]) -> bool:
    return len(links) == 1 and links[0, 0] < 0


def _dealt(column: ValueCounts, links: NDArray[np.int64]) -> Partition:
    """Deal values out to a chain of groups; of a value that two share, each gets half.

    Parameters
    ----------
    column
        The values.
    links
        As :func:`papilio.kernels.ke_overlap.chain_of_groups` gives them, from first to last.
    """
    copies = column.copies
    value, group, dealt = [], [], []
    place = 0
    for number, (_, start, end, taken, beyond) in enumerate(links):
        alone = np.arange(place, start)
        overlap = np.arange(start, end + 1)
        old, new = _shares(copies[overlap], int(taken), int(beyond) - int(start))
        value += [alone, overlap, overlap]
        group += [
            np.full(len(alone), number),
            np.full(len(overlap), number),
            np.full(len(overlap), number + 1),
        ]
        dealt += [copies[alone], old, new]
        place = max(int(start), int(end) + 1)
    rest = np.arange(place, len(copies))
    value.append(rest)
    group.append(np.full(len(rest), len(links)))
    dealt.append(copies[rest])
    values, groups, counts = map(np.concatenate, (value, group, dealt))
    some = counts > 0
    order = np.lexsort([groups[some], values[some]])
    return Partition(values[some][order], groups[some][order], counts[some][order], len(links) + 1)


def _shares(
    copies: NDArray[np.int64], taken: int, beyond: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Copies in an overlap that the old group gets, and those that the new one gets."""
    old = copies // 2
    single = np.flatnonzero(copies == 1)
    # The first value is the new group's if there is one copy only.
    offered = single[single > 0]
    if beyond >= 0:
        old[offered[: taken - 1]] = 1
        old[beyond] = 1
    else:
        old[offered[:taken]] = 1
    return old, copies - old


def most_groups(column: ValueCounts, requirement: KeAnonymity) -> Partition:
    """Maximise the number of groups, over partitions into runs of the sorted values.

    Among partitions with equally many groups one with the least sum of widths is taken. Groups
    that are no runs can be more in number (of the values 1, 2, 3, 4, with k = 2 and e = 2, one
    run can be made, but two groups: 1, 3 and 2, 4), at the price of being wide: smallest values
    go with largest ones. They are not looked for. Depends on how often each value occurs, and on
    nothing else.

    Notes
    -----
    Cost: O(p) for p different values, after sorting.
    """
    if requirement.takes_any_row:
        return _one_row_each(column)
    first, shareable = runs_allowed(column, requirement)
    starts, shared = cheapest_runs(column.widths, first, shareable, math.inf, True)
    return partition_of_runs(column, starts, shared)


def _one_row_each(column: ValueCounts) -> Partition:
    """Every row is a group by itself where one value is enough."""
    rows = int(column.starts[-1])
    value = np.repeat(np.arange(len(column.values)), column.copies)
    return Partition(value, np.arange(rows), np.ones(rows, np.int64), rows)


def random_partition(
    column: SortedValues, requirement: KeAnonymity, randomness: Randomness
) -> Classes:
    """Scan the rows in random order and close a group as soon as it is (k,e)-anonymous.

    Rows that are left at the end join the last group; a row that is NULL joins the group that is
    open. The paper scans in the order of the table, which would publish something about that
    order. Groups are as private as any others, and much wider.

    Notes
    -----
    Cost: O(n log n), for the random order.
    """
    ranks = np.full(len(column.rows) + len(column.nulls), -1, np.int32)
    ranks[column.rows] = np.repeat(np.arange(len(column.values), dtype=np.int32), column.copies)
    order = randomness.permutation(len(ranks)).astype(np.int32)
    starts = scan_groups(ranks[order], column.reach(requirement.exact_e), requirement.k)
    return Classes(order, starts)


def sum_partition(column: ValueCounts, requirement: KeAnonymity) -> Partition:
    """Minimise the sum of the widths of the groups, over all partitions.

    By Lemma 2.6.1 runs of the sorted values are enough. Among equally good partitions one
    with the most groups is taken. Depends on how often each value occurs, and on nothing else.

    Notes
    -----
    Cost: O(p) for p different values, after sorting; the paper's Algorithm 1 takes O(n^2) time and
    space, and does not minimise the sum as printed (papers D2.1, D2.2).
    """
    first, shareable = runs_allowed(column, requirement)
    starts, shared = cheapest_runs(column.widths, first, shareable, math.inf, False)
    return partition_of_runs(column, starts, shared)


_PARTITIONS = {
    "sum": sum_partition,
    "max": max_partition,
    "max-exact": overlapping_partition,
    "groups": most_groups,
}


def ke_partition(
    column: SortedValues, requirement: KeAnonymity, minimise: str, randomness: Randomness
) -> Classes:
    """Divide rows into (k,e)-anonymous groups.

    Parameters
    ----------
    column
        The sensitive column.
    requirement
        What every group must satisfy.
    minimise
        ``"sum"``, ``"max"``, ``"max-exact"``, ``"groups"`` or ``"random"``.
    randomness
        Decides which rows of equal value go to which group.

    Raises
    ------
    InfeasibleError
        If not even all rows as one group satisfy the requirement; names what they do.
    """
    check_spread(requirement, column.values)
    if minimise == "random":
        return random_partition(column, requirement, randomness)
    return rows_of(plan_groups(column, requirement, minimise), column, randomness)


def plan_groups(column: ValueCounts, requirement: KeAnonymity, minimise: str) -> Partition:
    """Say how many copies of each value each group gets, from how often values occur alone.

    ``minimise`` is as for :func:`ke_partition`, but for ``"random"``, which divides rows.
    """
    if requirement.struck:
        shares = struck_runs(column, requirement, minimise)
        return Partition(shares.value, shares.run, shares.copies, shares.count)
    return _PARTITIONS[minimise](column, requirement)
