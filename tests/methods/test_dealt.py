"""Plans for engines are those of tables in memory, and give every row one group."""

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from papilio.families.permutation.methods.partition import ke_partition
from papilio.families.permutation.methods.value_counts import count_values, sort_values
from papilio.families.permutation.plan import deal
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.randomness import Randomness


@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=40),
    st.integers(0, 9),
    st.integers(1, 4),
    st.integers(0, 6),
    st.sampled_from(["sum", "max", "groups", "max-exact"]),
)
def test_groups_hold_the_values_of_groups_in_memory(values, nulls, k, e, minimise):
    requirement = KeAnonymity("x", k, e)
    assume(requirement.holds(len(set(values)), min(values), max(values)))
    column = sort_values(pl.Series([*values, *[None] * nulls], dtype=pl.Int64))
    classes = ke_partition(column, requirement, minimise, Randomness(1))
    known, copies = np.unique(values, return_counts=True)
    dealt = deal(count_values(known, copies), nulls, requirement, minimise, Randomness(2))
    every = np.array([*values, *[99] * nulls])
    expected = sorted(
        sorted(v for v in every[classes.rows[start:end]].tolist() if v != 99)
        for start, end in zip(classes.starts, classes.starts[1:], strict=False)
    )
    found = [[] for _ in range(dealt.count)]
    for value, group, many in zip(dealt.value, dealt.group, dealt.copies, strict=True):
        if value >= 0:
            found[group] += [int(known[value])] * int(many)
    assert sorted(map(sorted, found)) == expected


@given(st.lists(st.integers(1, 9), min_size=4, max_size=20), st.integers(0, 30))
def test_stretches_of_a_value_are_all_its_rows(copies, nulls):
    counts = count_values(np.arange(len(copies)), np.array(copies))
    dealt = deal(counts, nulls, KeAnonymity("x", 3, 2), "sum", Randomness(3))
    for value, many in [*enumerate(copies), (-1, nulls)]:
        mine = dealt.value == value
        places = [
            place
            for first, count in zip(dealt.first[mine], dealt.copies[mine], strict=True)
            for place in range(first, first + count)
        ]
        assert sorted(places) == list(range(many))
    sizes = np.bincount(dealt.group, dealt.copies)
    assert sizes.sum() == sum(copies) + nulls
    assert dealt.largest == sizes.max()
    missing = dealt.value < 0
    for group in range(dealt.count):
        inside = dealt.group == group
        here = dealt.copies[inside & missing].sum()
        assert abs(here - nulls * dealt.copies[inside & ~missing].sum() / sum(copies)) < 1


def test_numbers_of_groups_are_left_to_chance():
    counts = count_values(np.arange(200), np.full(200, 2))
    firsts = {
        int(deal(counts, 0, KeAnonymity("x", 4), "sum", Randomness(seed)).group[0])
        for seed in range(8)
    }
    assert len(firsts) > 3


def test_values_may_come_in_any_order():
    counts = count_values(np.array([2.5, -1.0, 0.5]), np.array([3, 1, 2]))
    assert counts.values.tolist() == [-1.0, 0.5, 2.5]
    assert counts.copies.tolist() == [1, 2, 3]
    assert counts.widths == pytest.approx([-1.0, 0.5, 2.5])
