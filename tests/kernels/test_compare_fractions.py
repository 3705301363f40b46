"""Fractions are compared exactly where cross-multiplication would overflow."""

from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from papilio.kernels.compare_fractions import at_most

numerators = st.one_of(st.integers(0, 12), st.integers(0, 2**62))
denominators = st.one_of(st.integers(1, 12), st.integers(1, 2**62))


@given(numerators, denominators, numerators, denominators)
@example(2**62 - 1, 2**62, 2**61 - 1, 2**61)
@example(2**61 - 1, 2**61, 2**62 - 1, 2**62)
@example(0, 5, 0, 7)
@example(6, 4, 3, 2)
def test_any_size(a, b, c, d):
    assert at_most(a, b, c, d) == (Fraction(a, b) <= Fraction(c, d))


@given(st.integers(0, 2**30), st.integers(1, 2**30), st.integers(1, 2**30))
def test_equal_fractions_are_at_most_each_other(a, b, factor):
    assert at_most(a * factor, b * factor, a, b)
    assert at_most(a, b, a * factor, b * factor)
    assert not at_most(a * factor + 1, b * factor, a, b)
