"""Lines of the help table from runs are those of the help table from cells."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.families.grouped.help_table import (
    CellRuns,
    help_lines,
    help_table,
    sums_fit,
)

GROUP = st.tuples(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 4), st.integers(1, 4)), min_size=1),
    st.integers(0, 3),
)


def runs_of(groups, kind):
    cells = [cell for known, _ in groups for cell in known]
    lows = np.array([low for low, _, _ in cells], kind)
    highs = np.array([low + wide for low, wide, _ in cells], kind)
    return CellRuns(
        np.arange(len(groups)) * 3 + 2,
        np.cumsum([0, *(len(known) for known, _ in groups)]),
        lows,
        highs,
        lows / 2 + highs / 2,
        (highs - lows) ** 2 / 12.0,
        np.array([copies for _, _, copies in cells]),
        np.array([nulls for _, nulls in groups]),
    )


def expanded(runs, fakes=0):
    """The same groups cell by cell, as the help table of a release in memory is made."""
    lows, highs, inside, sizes = [], [], [], []
    for number in range(len(runs.groups)):
        place = slice(runs.starts[number], runs.starts[number + 1])
        copies = runs.copies[place]
        lows += [*np.repeat(runs.lows[place], copies).tolist(), *[None] * runs.nulls[number]]
        highs += [*np.repeat(runs.highs[place], copies).tolist(), *[None] * runs.nulls[number]]
        inside += [*np.repeat(runs.inside[place], copies), *[0.0] * runs.nulls[number]]
        sizes.append(int(copies.sum() + runs.nulls[number]))
    kind = pl.Int64 if runs.lows.dtype == np.int64 else pl.Float64
    rows = np.maximum(np.array(sizes) - fakes, 1)
    series = (pl.Series(ends, dtype=kind) for ends in (lows, highs))
    return help_table(*series, np.array(inside), np.array(sizes), rows, "g"), rows


def assert_same(found, expected, runs):
    numbers = pl.Series("g", runs.groups)[expected.get_column("g").to_numpy() - 1]
    expected = expected.with_columns(numbers.alias("g"))
    assert found.schema == expected.schema
    for name in expected.columns:
        left, right = found.get_column(name).to_numpy(), expected.get_column(name).to_numpy()
        if found.schema[name] == pl.Int64:
            assert left.tolist() == right.tolist(), name
        else:
            assert left == pytest.approx(right, rel=1e-12, abs=1e-9), name


@given(st.lists(GROUP, min_size=1, max_size=4), st.sampled_from([np.int64, np.float64]))
def test_all_lines_are_those_of_the_cells(groups, kind):
    runs = runs_of(groups, kind)
    expected, rows = expanded(runs)
    found = help_lines(runs, np.ones_like(rows), rows, "g", whole_sums=kind is np.int64)
    assert_same(found, expected, runs)


@given(GROUP, st.integers(1, 8), st.integers(0, 8), st.integers(0, 2))
def test_a_stretch_is_cut_out_of_all_lines(group, first, more, fakes):
    runs = runs_of([group], np.int64)
    expected, rows = expanded(runs, fakes)
    first = min(first, int(rows[0]))
    last = min(first + more, int(rows[0]))
    found = help_lines(runs, np.array([first]), np.array([last]), "g", whole_sums=True)
    assert_same(found, expected.slice(first - 1, last - first + 1), runs)


def test_groups_of_which_nothing_is_wanted_have_no_lines():
    runs = runs_of([([(1, 0, 2)], 0), ([(5, 0, 3)], 1)], np.int64)
    found = help_lines(runs, np.array([1, 2]), np.array([0, 3]), "g", whole_sums=True)
    assert found.get_column("g").to_list() == [5, 5]
    assert found.get_column("hits").to_list() == [2, 3]


def test_a_billion_rows_take_no_more_than_their_runs():
    runs = CellRuns(
        np.array([1]),
        np.array([0, 2]),
        np.array([10, 20]),
        np.array([10, 20]),
        np.array([10.0, 20.0]),
        np.zeros(2),
        np.array([600_000_000, 400_000_000]),
        np.array([0]),
    )
    last = np.array([10**9])
    found = help_lines(runs, last - 1, last, "g", whole_sums=True)
    assert found.get_column("sum_lo").to_list() == [14 * 10**9 - 20, 14 * 10**9]
    assert found.get_column("sum_hi").to_list() == [14 * 10**9 - 10, 14 * 10**9]
    assert found.get_column("sum_var").to_list()[-1] == 0


def test_ends_of_the_range_of_64_bits_do_not_overflow_the_order():
    runs = runs_of([([(0, 0, 1)], 0)], np.int64)
    far = CellRuns(
        runs.groups,
        np.array([0, 2]),
        np.array([-(2**63), 2**63 - 1]),
        np.array([-(2**63), 2**63 - 1]),
        np.array([-(2.0**63), 2.0**63]),
        np.zeros(2),
        np.ones(2, np.int64),
        np.zeros(1, np.int64),
    )
    found = help_lines(far, np.array([1]), np.array([2]), "g", whole_sums=False)
    assert found.get_column("max_hi").to_list() == [2**63 - 1] * 2
    assert found.get_column("min_lo").to_list() == [-(2**63)] * 2
    assert not sums_fit(2**63, 1)
