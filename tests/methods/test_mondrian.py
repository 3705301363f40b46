"""Strict Mondrian against its plain twin, and the rules it promises."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grouping import as_sets, encoded_of, kinds_of
from oracles import mondrian as oracle
from papilio.data.table import ColumnType
from papilio.families.generalising.top_down import strict_mondrian
from papilio.kernels.demand import Demand
from sizes import examples
from tables import column, quasi_tables, table


@examples(400)
@given(quasi_tables(), st.integers(1, 6), st.integers(1, 3))
def test_equals_the_plain_twin(made, k, threads):
    encoded = encoded_of(made)
    rows = encoded.codes[:, : len(encoded.columns)].tolist()
    expected = {frozenset(c) for c in oracle.strict_mondrian(rows, kinds_of(encoded), k)}
    assert as_sets(strict_mondrian(encoded, Demand(k), threads=threads)) == expected


@examples(100)
@given(quasi_tables(), st.integers(1, 6), st.randoms())
def test_does_not_depend_on_the_order_of_rows(made, k, random):
    order = list(range(made.height))
    random.shuffle(order)
    moved = type(made)(made.name, made.frame[order], made.columns)
    once = as_sets(strict_mondrian(encoded_of(made), Demand(k)))
    again = as_sets(strict_mondrian(encoded_of(moved), Demand(k)))
    assert {frozenset(order[row] for row in each) for each in again} == once


@pytest.mark.compiled
def test_threads_give_the_same_classes_on_a_large_table():
    random = np.random.default_rng(5)
    made = table(
        age=(pl.Series(random.integers(0, 90, 120_000)), column("age", ColumnType.NUMERIC)),
        job=(pl.Series(random.choice(list("abcdefgh"), 120_000)), column("job")),
        pay=(pl.Series(random.normal(size=120_000)), column("pay", ColumnType.NUMERIC)),
    )
    encoded = encoded_of(made)
    assert encoded.codes.dtype == np.int32  # 120 000 distinct numbers need it
    one, two = (strict_mondrian(encoded, Demand(7), threads=n) for n in (1, 2))
    assert as_sets(one) == as_sets(two)
    assert one.sizes.min() >= 7


def test_codes_are_narrow_where_they_fit():
    made = table(job=(pl.Series(["a", "b"]), column("job")))
    assert encoded_of(made).codes.dtype == np.int16


@pytest.mark.parametrize("distinct", [64, 65, 200])
def test_sets_of_more_values_than_a_word_has_bits(distinct):
    values = [f"{v:03}" for v in range(distinct)] * 2
    made = table(job=(pl.Series(values), column("job")))
    encoded = encoded_of(made)
    rows = encoded.codes[:, :1].tolist()
    expected = {frozenset(c) for c in oracle.strict_mondrian(rows, [("set", distinct)], 2)}
    assert as_sets(strict_mondrian(encoded, Demand(2))) == expected


@pytest.mark.compiled
def test_few_rows_over_many_codes_are_cut_by_sorting():
    random = np.random.default_rng(3)
    pay = random.permutation(5000) ** 2
    made = table(
        a=(pl.Series(pay), column("a", ColumnType.NUMERIC)),
        b=(pl.Series(pay[::-1].copy()), column("b", ColumnType.NUMERIC)),
    )
    encoded = encoded_of(made)
    rows = encoded.codes[:, :2].tolist()
    expected = {frozenset(c) for c in oracle.strict_mondrian(rows, kinds_of(encoded), 50)}
    assert as_sets(strict_mondrian(encoded, Demand(50))) == expected


def test_paper_example_is_cut_at_the_nearest_allowed_place():
    """Ages 20 x3, 30 x2, 40 x2, 50 x3 (Table 1a of the hybrid recoding paper), k = 2."""
    ages = [20] * 3 + [30] * 2 + [40] * 2 + [50] * 3
    made = table(age=(pl.Series(ages), column("age", ColumnType.NUMERIC)))
    found = as_sets(strict_mondrian(encoded_of(made), Demand(2)))
    assert found == {
        frozenset({0, 1, 2}),
        frozenset({3, 4}),
        frozenset({5, 6}),
        frozenset({7, 8, 9}),
    }
