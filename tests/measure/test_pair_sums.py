"""Sums over pairs of values add up to the measures of whole tables."""

import numpy as np
import polars as pl
import pytest

from papilio.measure.dependencies import dependencies, dependencies_of_sums
from papilio.measure.mutual_information import (
    Contingency,
    added,
    code_values,
    contingency,
    pair_sums,
)


def halves(pairs, itself):
    """Sums over the same pairs of values in two parts."""
    for part in (slice(0, None, 2), slice(1, None, 2)):
        some = Contingency(pairs.rows, pairs.together[part], pairs.first[part], pairs.second[part])
        yield pair_sums(some, itself)


def test_parts_add_up_to_the_dependencies_of_a_table():
    chance = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "a": chance.integers(0, 5, 400),
            "b": chance.integers(0, 7, 400),
            "c": pl.Series(chance.integers(0, 3, 400)).set(pl.Series([True] + [False] * 399), None),
        }
    )
    coded = [code_values(each) for each in frame]
    sums = {
        (i, j): added(halves(contingency(coded[i], coded[j]), itself=i == j))
        for i in range(3)
        for j in range(i, 3)
    }
    found = dependencies_of_sums(frame.columns, sums, [0, 0, 0])
    expected = dependencies(frame, frame.columns)
    assert found.entropy == pytest.approx(expected.entropy)
    assert found.information == pytest.approx(expected.information)
    assert found.exposable == pytest.approx(expected.exposable)
    assert sums[0, 0].pairs == 5


def test_harmless_rows_expose_nothing():
    frame = pl.DataFrame({"a": [1, 1, 2, 3], "b": [1, 2, 2, 2]})
    coded = [code_values(each) for each in frame]
    pairs = ((0, 0), (1, 1), (0, 1))
    sums = {(i, j): pair_sums(contingency(coded[i], coded[j]), i == j) for i, j in pairs}
    found = dependencies_of_sums(["a", "b"], sums, [2, 4])
    expected = dependencies(frame, ["a", "b"], {"a": ["1"], "b": ["1", "2"]})
    assert found.exposable == pytest.approx(expected.exposable)


def test_ten_billion_rows_do_not_overflow():
    part = np.array([2_500_000_000] * 4)
    half = np.array([5_000_000_000] * 4)
    even = pair_sums(Contingency(10_000_000_000, part, half, half))
    assert even.information == 0
    assert even.expected == 10**20
    whole = pair_sums(Contingency(10**10, half[:2], half[:2], half[:2]))
    assert whole.information == pytest.approx(np.log(2))
