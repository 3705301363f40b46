import math

import pytest
from cells_by_row import domains, encoded, original_values, possible_sets, published_tables
from hypothesis import given, settings
from paper_tables import AGE_2A, TABLE_1A, TABLE_2A, TABLE_2B, ZIPCODE_2A, release_of

from oracles import measures as oracle
from papilio.measure.distribution_shift import distribution_shift
from papilio.measure.possible_values import exact_values, possible_values


def shift_of(release):
    made = encoded(TABLE_1A)
    return distribution_shift(possible_values(release, TABLE_1A, encoded=made), made)


def test_nothing_shifts_where_cells_are_exact():
    """Table 2a has exact ages, and zipcodes that are guessed right on average."""
    for shift in shift_of(TABLE_2A).values():
        assert shift.divergence == pytest.approx(0, abs=1e-12)
        assert shift.gini_before == pytest.approx(1 - (9 + 4 + 4 + 9) / 100)
        assert shift.gini_after == pytest.approx(shift.gini_before)
    made = encoded(TABLE_1A)
    exact = distribution_shift(exact_values(made), made)
    assert [each.divergence for each in exact.values()] == [0, 0]


def test_overlapping_ranges_shift():
    """Ages of Table 2b are guessed as 3, 2, 2, 3 rows: right. One range moved is not."""
    assert shift_of(TABLE_2B)["age"].divergence == pytest.approx(0, abs=1e-12)
    coarse = shift_of(release_of([(20, 50)] * 10, ZIPCODE_2A))["age"]
    expected = 0.6 * math.log2(0.3 / 0.25) + 0.4 * math.log2(0.2 / 0.25)
    assert coarse.divergence == pytest.approx(expected)
    assert coarse.gini_after == pytest.approx(0.75)
    assert coarse.gini_before == pytest.approx(0.74)


def test_a_row_that_is_left_out_may_be_anything():
    short = shift_of(release_of(AGE_2A[:9], ZIPCODE_2A[:9]))["age"]
    guess = [3.25, 2.25, 2.25, 2.25]
    before = [3, 2, 2, 3]
    expected = sum(p / 10 * math.log2(p / q) for p, q in zip(before, guess, strict=True))
    assert short.divergence == pytest.approx(expected)
    assert short.gini_after == pytest.approx(1 - sum((q / 10) ** 2 for q in guess))


@settings(max_examples=80)
@given(published_tables())
def test_shift_equals_that_of_the_plain_twin(drawn):
    original, release, _ = drawn
    made = encoded(original)
    found = distribution_shift(possible_values(release, original), made)
    rows = possible_sets(release, original)
    left_out = original.height - len(rows)
    for place, column in enumerate(made.columns):
        domain, values = domains(original)[place], original_values(original)[place]
        guessed = oracle.guess([row[place] for row in rows], domain, left_out)
        shift = found[column.column.name]
        assert shift.divergence == pytest.approx(oracle.divergence(values, guessed), abs=1e-9)
        assert shift.gini_after == pytest.approx(oracle.gini(guessed.values()), abs=1e-9)
        shares = [values.count(value) / len(values) for value in domain]
        assert shift.gini_before == pytest.approx(oracle.gini(shares), abs=1e-9)
