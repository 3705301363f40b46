"""Distances are decided as fractions decide them, at the last bit too."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from papilio.families.permutation.methods.value_counts import sort_values

WHOLE = st.integers(-(2**63), 2**63 - 1)
REAL = st.floats(allow_nan=False, allow_infinity=False)
NEAR = st.integers(-40, 40).map(lambda value: value / 10 + 1e6)


def wanted(values, e):
    exact = [Fraction(value) for value in values]
    return [
        next((far for far, other in enumerate(exact) if other - value >= e), len(exact))
        for value in exact
    ]


def distances(values):
    """Distances at which the answer changes, and their neighbours."""
    exact = [Fraction(value) for value in values]
    found = {b - a for a in exact for b in exact if b >= a}
    tiny = Fraction(1, 2**1200)
    return sorted({each + shift for each in found for shift in (-tiny, 0, tiny)} | {Fraction(0)})


@given(st.lists(WHOLE, min_size=1, max_size=6, unique=True))
def test_whole_numbers(values):
    column = sort_values(pl.Series(values, dtype=pl.Int64))
    for e in distances(values):
        if e >= 0:
            assert column.reach(e).tolist() == wanted(sorted(values), e)


@given(st.lists(st.one_of(REAL, NEAR), min_size=1, max_size=6))
def test_doubles(values):
    column = sort_values(pl.Series(values, dtype=pl.Float64))
    for e in distances(values):
        # No e of a policy is larger than any double.
        if 0 <= e <= Fraction(np.finfo(float).max):
            found = column.reach(e).tolist()
            exact = wanted(column.values.tolist(), e)
            # Against the publisher by less than any double can tell, never in favour.
            assert all(ours >= theirs for ours, theirs in zip(found, exact, strict=True))
            if e.denominator <= 2**1074:
                assert found == exact


def test_beyond_the_largest_distance_of_whole_numbers():
    column = sort_values(pl.Series([-(2**63), 0, 2**63 - 1]))
    assert column.reach(Fraction(2**64 - 1)).tolist() == [2, 3, 3]
    assert column.reach(Fraction(2**65 - 1, 2)).tolist() == [3, 3, 3]
