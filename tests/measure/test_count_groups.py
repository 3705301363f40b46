from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papilio.kernels.count_groups import partition, refine, rows_of_one, tally

SIZE = 4
tables = st.integers(0, 25).flatmap(
    lambda rows: st.lists(
        st.lists(st.integers(0, SIZE - 1), min_size=rows, max_size=rows), min_size=2, max_size=3
    )
)


def as_codes(column):
    return np.array(column, dtype=np.int32)


def groups_of(columns):
    groups = defaultdict(list)
    for row, values in enumerate(zip(*columns, strict=True)):
        groups[values].append(row)
    return list(groups.values())


def read(rows, starts):
    return [rows[a:b].tolist() for a, b in pairwise(starts)]


@settings(deadline=None)
@given(tables)
def test_partitions_hold_exactly_the_groups_of_two_or_more_rows(columns):
    rows, starts = partition(as_codes(columns[0]), SIZE)
    for used in range(1, len(columns) + 1):
        expected = [group for group in groups_of(columns[:used]) if len(group) > 1]
        assert sorted(read(rows, starts)) == sorted(expected)
        if used < len(columns):
            rows, starts = refine(rows, starts, as_codes(columns[used]), SIZE)


# With many spare codes the group is read again, with few the table of sizes.
@pytest.mark.parametrize("size", [SIZE, 40])
@settings(deadline=None)
@given(columns=tables)
def test_tally_counts_the_groups(columns, size):
    rows, starts = partition(as_codes(columns[0]), size)
    for column in columns[1:-1]:
        rows, starts = refine(rows, starts, as_codes(column), size)
    counts = tally(rows, starts, as_codes(columns[-1]), size)
    sizes = [len(group) for group in groups_of(columns)]
    assert counts.tolist() == [
        len(sizes),
        sizes.count(1),
        min(sizes, default=0),
        sum(n * (n - 1) for n in sizes),
    ]


def test_pairs_of_a_large_group_do_not_overflow():
    rows = 70_000
    everything = np.arange(rows, dtype=np.int32), np.array([0, rows], dtype=np.int64)
    counts = tally(*everything, np.zeros(rows, dtype=np.int32), 1)
    assert counts.tolist() == [1, 0, rows, rows * (rows - 1)]


def test_inputs_are_left_alone():
    codes = as_codes([0, 1, 0, 1, 1])
    rows, starts = partition(codes, 2)
    before = rows.tolist(), starts.tolist(), codes.tolist()
    refine(rows, starts, as_codes([0, 0, 1, 0, 0]), 2)
    tally(rows, starts, as_codes([0, 0, 1, 0, 0]), 2)
    assert (rows.tolist(), starts.tolist(), codes.tolist()) == before


@pytest.mark.parametrize("size", [SIZE, 40])
@settings(deadline=None)
@given(columns=tables, people=st.lists(st.integers(0, 3), min_size=25, max_size=25))
def test_rows_of_one_person_are_counted_beside_each_other(columns, people, size):
    owners = as_codes(people[: len(columns[0])])
    rows, starts = partition(as_codes(columns[0]), size)
    for column in columns[1:-1]:
        rows, starts = refine(rows, starts, as_codes(column), size)
    found = rows_of_one(rows, starts, as_codes(columns[-1]), size, owners)
    groups = groups_of(columns)
    assert found == sum(len(g) for g in groups if len({people[row] for row in g}) == 1)
