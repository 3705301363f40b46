"""A division of values into groups: how many copies of each value each group gets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.families.classes import Classes
from papilio.families.permutation.methods.sorted_values import SortedValues
from papilio.families.permutation.methods.value_counts import ValueCounts
from papilio.kernels.ke_rows import deal_rows
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
