"""On tiny permuted tables bounds, means and deviations equal those of all permutations."""

from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from partitioned import permuted

from oracles.bounds import ends, moments, possible_permuted
from papilio.query.ask import ask_table

COLUMNS = {"q": "quasi", "s": {"role": "sensitive", "type": "numeric"}}
WHOLE = st.integers(-3, 4)
DYADIC = st.sampled_from([-1.5, 0.0, 0.25, 2.0])
ROUNDED = st.sampled_from([-0.1, 0.1, 0.2, 1 / 3, 7.7])
SQL = "SELECT sum(s), avg(s), min(s), max(s), count(s), count(distinct s) FROM patients WHERE q = 1"


@st.composite
def tables(draw, values):
    """Rows of (selected, group, value); each group knows at least one value."""
    rows = []
    for group in range(draw(st.integers(1, 3))):
        cells = draw(st.lists(values, min_size=1, max_size=4))
        if draw(st.booleans()):
            cells += [None] * draw(st.integers(1, 2))
        rows += [(draw(st.integers(0, 1)), group, cell) for cell in cells]
    return rows


def asked(rows):
    frame = pl.DataFrame(
        {"q": [row[0] for row in rows], "s": [row[2] for row in rows]}, strict=False
    )
    release = permuted(frame, [row[1] for row in rows], COLUMNS)
    (row,) = ask_table(release, SQL).rows
    groups = [
        ([r[2] for r in rows if r[1] == g], sum(r[0] for r in rows if r[1] == g))
        for g in {row[1] for row in rows}
    ]
    return row.answers, groups


def check(rows, rounded=False):
    answers, groups = asked(rows)
    for name, found in answers.items():
        function = name.replace("(s)", "").replace("(distinct s)", "_distinct")
        possible = possible_permuted(function, groups)
        lo, hi, null = ends(possible)
        assert found.null == (null and lo is not None), (name, found)
        if lo is None:
            assert found.exact
            assert found.lo is None
            continue
        if not found.exact:
            assert Fraction(found.lo) <= lo
            assert Fraction(found.hi) >= hi
        if function != "count_distinct":
            allowed = 1e-9 if rounded and function in ("sum", "avg") else 2e-15
            assert found.lo == pytest.approx(float(lo), rel=allowed, abs=allowed), name
            assert found.hi == pytest.approx(float(hi), rel=allowed, abs=allowed), name
        elif len(groups) == 1:
            assert (found.lo, found.hi) == (lo, hi)
        assert found.exact == (found.lo == found.hi and not null)
        if found.estimate is not None:
            mean, deviation = moments(possible)
            assert found.estimate == pytest.approx(mean, abs=1e-9)
            if found.std is not None:
                assert found.std == pytest.approx(deviation, abs=1e-6)


@settings(max_examples=40)
@given(tables(WHOLE))
def test_whole_numbers(rows):
    check(rows)


@settings(max_examples=15)
@given(tables(DYADIC))
def test_doubles_without_rounding(rows):
    check(rows)


@settings(max_examples=15)
@given(tables(ROUNDED))
def test_doubles_with_rounding(rows):
    check(rows, rounded=True)


def test_every_function_has_an_estimate_without_null():
    answers, _ = asked([(1, 0, 1), (0, 0, 3), (1, 1, 2), (0, 1, 9), (0, 1, 9)])
    assert all(each.estimate is not None for each in answers.values())
