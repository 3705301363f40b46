"""The ordered distance of classes and tables of any size."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papilio.kernels.closeness import LARGEST, line_close, line_gaps, line_walk


@st.composite
def classes_on_a_line(draw, scale):
    """Counts of a class and of the table it is part of, over the same codes."""
    size = draw(st.integers(2, 9))
    table = draw(st.lists(st.integers(0, 5), min_size=size, max_size=size).filter(any))
    inside = [draw(st.integers(0, most)) for most in table]
    if not any(inside):
        inside[next(i for i, most in enumerate(table) if most)] = 1
    return [scale * n for n in inside], [scale * n for n in table]


def arrays(inside, table):
    codes = [code for code, count in enumerate(inside) if count]
    below = np.cumsum(np.array(table, np.int64))
    return (
        np.array(codes, np.int64),
        np.array([inside[code] for code in codes], np.int64),
        sum(inside),
        sum(table),
        below,
        np.cumsum(below) - below,
    )


def work(inside, table):
    """Sum of the running differences, in units of 1 / (rows * total)."""
    f, g, total = 0, 0, 0
    for mine, theirs in zip(inside, table, strict=True):
        f, g = f + mine, g + theirs
        total += abs(f * sum(table) - g * sum(inside))
    return total


@settings(max_examples=500)
@given(classes_on_a_line(1))
def test_gaps_and_walk_give_the_same_sum(drawn):
    inside, table = drawn
    values, counts, rows, total, below, sums = arrays(inside, table)
    expected = work(inside, table)
    assert line_gaps(values, counts, rows, total, below, sums) == expected
    whole, rest = line_walk(values, counts, rows, total, below)
    assert (whole * rows * total + rest, rest < rows * total) == (expected, True)


# Counts of up to 235 million in tables of up to 2115 million: 64 bits cannot hold some sums.
@settings(max_examples=300)
@given(
    classes_on_a_line(47_000_000),
    st.one_of(st.integers(-1, 1), st.integers(-(10**9), 10**9)),
)
def test_threshold_is_exact_for_the_largest_tables(drawn, beyond):
    inside, table = drawn
    made = arrays(inside, table)
    steps = len(table) - 1
    exact = Fraction(work(inside, table), made[2] * made[3] * steps)
    units = exact * 10**9
    over = min(max(units.numerator // units.denominator + beyond, 0), 10**9)
    assert line_close(*made, over, 10**9) == (exact <= Fraction(over, 10**9))


def test_the_walk_is_taken_where_sums_would_overflow():
    inside, table = [2**29, 0, 0, 2**29], [2**30, 0, 0, 2**30]
    values, counts, rows, total, below, sums = arrays(inside, table)
    assert rows * total * 3 > LARGEST
    assert line_close(values, counts, rows, total, below, sums, 0, 1)
    inside = [2**29, 0, 0, 2**29 - 1]
    exact = Fraction(work(inside, table), sum(inside) * sum(table) * 3)
    assert 0 < exact < Fraction(1, 10**9)
    assert not line_close(*arrays(inside, table), 0, 1)
    assert line_close(*arrays(inside, table), 1, 10**9)


@pytest.mark.parametrize("count", [1, 7])
def test_one_value_has_no_distance(count):
    assert line_close(*arrays([count], [10]), 0, 1)
