"""Butterflies: what they promise, against exhaustive optima, and against a plain twin."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grouping import encoded_of, kinds_of, rows_of
from oracles import butterfly as oracle
from papilio.data.table import ColumnType
from papilio.families.generalising.top_down import strict_mondrian
from papilio.families.recipients.methods.butterfly import butterfly
from papilio.families.recipients.methods.class_tree import BODY_WEIGHT
from papilio.kernels.demand import Demand
from papilio.randomness import Randomness
from sizes import examples
from tables import column, quasi_tables, table

WINGS = ["mondrian", "relaxed-mondrian", "bottom-up", "hybrid"]


def numbers(rows):
    """A table of whole numbers, as codes."""
    made = {
        name: (pl.Series(values), column(name, ColumnType.NUMERIC))
        for name, *values in zip("abcdefg", *rows, strict=False)
    }
    return encoded_of(table(**made))


def divisions_of(result):
    return [[each.rows[a:b].tolist() for a, b in pairwise(each.starts)] for each in result.classes]


def check(encoded, recipients, result, k, together=1):
    """All promises: every row once per column, sizes, and the loss that is said."""
    divisions, count = divisions_of(result), encoded.height
    for division in divisions:
        assert sorted(row for part in division for row in part) == list(range(count))
    for known in recipients:
        classes = oracle.classes_of(divisions, sorted(known), count)
        assert min(map(len, classes)) >= k
    assert min(map(len, oracle.classes_of(divisions, range(len(divisions)), count))) >= together
    kinds, rows = kinds_of(encoded), rows_of(encoded)
    loss = sum(oracle.parts_loss(rows, kinds, [c], parts) for c, parts in enumerate(divisions))
    assert result.loss == pytest.approx(loss)
    assert result.loss <= result.union_loss + 1e-9


@st.composite
def orders(draw):
    """A table, and recipients who together know all its columns."""
    made = draw(quasi_tables(min_rows=8))
    encoded = encoded_of(made)
    count = draw(st.integers(2, 4))
    knows = [draw(st.integers(1, (1 << count) - 1)) for _ in encoded.columns]
    return encoded, _known(knows, count)


@st.composite
def pairs(draw):
    """A table, and two recipients of whom neither knows all that the other knows."""
    made = draw(quasi_tables(min_rows=8).filter(lambda each: len(each.columns) > 2))
    encoded = encoded_of(made)
    more = [draw(st.integers(1, 3)) for _ in encoded.columns[2:]]
    return encoded, _known(draw(st.permutations([1, 2, *more])), 2)


def _known(knows, count):
    return [frozenset(c for c, who in enumerate(knows) if who >> each & 1) for each in range(count)]


@examples(150)
@given(orders(), st.integers(1, 8), st.integers(1, 3), st.sampled_from(WINGS))
def test_every_recipient_gets_what_is_demanded(order, k, together, wings):
    encoded, recipients = order
    found = butterfly(encoded, recipients, Demand(k), Randomness(1), together=together, wings=wings)
    check(encoded, recipients, found, k, together)
    union = strict_mondrian(encoded, Demand(max(k, together)))
    parts = [union.rows[a:b].tolist() for a, b in pairwise(union.starts)]
    loss = oracle.parts_loss(
        rows_of(encoded), kinds_of(encoded), range(len(encoded.columns)), parts
    )
    assert found.union_loss == pytest.approx(loss)


@examples(120)
@given(pairs(), st.integers(1, 4))
def test_it_equals_the_plain_twin_that_knows_no_bounds(order, k):
    encoded, (one, other) = order
    expected = oracle.butterfly(rows_of(encoded), kinds_of(encoded), one, other, k, BODY_WEIGHT)
    found = butterfly(encoded, [one, other], Demand(k), Randomness(1))
    assert found.loss == pytest.approx(expected)
    counters = found.counters
    assert counters.visited == counters.bounded + counters.built
    assert counters.kept <= counters.built


@examples(30)
@given(orders(), st.integers(1, 4), st.sampled_from([1, 2]))
def test_other_classes_to_start_from_are_clustered(order, k, together):
    encoded, recipients = order
    classes = strict_mondrian(encoded, Demand(max(k, together)))
    found = butterfly(
        encoded, recipients, Demand(k), Randomness(1), together=together, classes=classes
    )
    check(encoded, recipients, found, k, together)


small = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=4, max_size=5)


@pytest.mark.long
@pytest.mark.compiled
@examples(5)
@given(small)
def test_two_recipients_between_the_true_optimum_and_the_union(rows):
    encoded, recipients = numbers(rows), [frozenset({0, 1}), frozenset({1, 2})]
    kinds, codes = kinds_of(encoded), rows_of(encoded)
    optimum = oracle.true_optimum(codes, kinds, recipients, 2)
    # Theorem 2: the optimum over butterflies is the true one, and never above the union's.
    assert oracle.super_optimum(codes, kinds, recipients, 2) == pytest.approx(optimum)
    assert optimum <= oracle.union_optimum(codes, kinds, 2) + 1e-9
    found = butterfly(encoded, recipients, Demand(2), Randomness(1))
    assert found.loss >= optimum - 1e-9
    together = butterfly(encoded, recipients, Demand(3), Randomness(1), together=2)
    assert together.loss >= oracle.true_optimum(codes, kinds, recipients, 3, 2) - 1e-9


@pytest.mark.compiled
@examples(6)
@given(st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=5, max_size=6))
def test_nested_is_never_above_super_on_a_chain(rows):
    encoded = numbers(rows)
    kinds, codes = kinds_of(encoded), rows_of(encoded)
    chain = [frozenset({0, 1}), frozenset({1, 2}), frozenset({2, 3})]
    nested = oracle.nested_optimum(codes, kinds, chain, 2)
    assert nested <= oracle.super_optimum(codes, kinds, chain, 2) + 1e-9
    found = butterfly(encoded, chain, Demand(2), Randomness(1))
    check(encoded, chain, found, 2)
    assert nested <= oracle.union_optimum(codes, kinds, 2) + 1e-9


def test_the_paper_s_butterfly_loses_nothing():
    """Figure 2: 2-anonymous for AB and BC as it is, though not for ABC."""
    rows = [(1, 0, 1), (1, 0, 2), (2, 0, 1), (2, 0, 3), (3, 0, 2), (3, 0, 3)]
    encoded, recipients = numbers(rows), [frozenset({0, 1}), frozenset({1, 2})]
    found = butterfly(encoded, recipients, Demand(2), Randomness(1))
    check(encoded, recipients, found, 2)
    assert found.loss == 0
    assert found.share == 1
    assert found.union_loss > 0


def test_the_cube_shows_that_butterflies_are_not_all_there_is():
    """Theorem 5 is false: {0, 1}³ needs no generalisation for AB, BC and CA."""
    rows = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    encoded = numbers(rows)
    triangle = [frozenset({0, 1}), frozenset({1, 2}), frozenset({0, 2})]
    assert oracle.super_optimum(rows_of(encoded), kinds_of(encoded), triangle, 2) > 0
    found = butterfly(encoded, triangle, Demand(2), Randomness(1))
    check(encoded, triangle, found, 2)
    assert found.loss == 0


def test_k_of_one_publishes_everything_as_it_is():
    encoded = numbers([(1, 2, 3), (2, 3, 4), (5, 5, 5)])
    found = butterfly(encoded, [frozenset({0, 1}), frozenset({1, 2})], Demand(1), Randomness(1))
    assert found.loss == 0


@pytest.mark.parametrize(
    "recipients",
    [
        [frozenset({0, 1, 2})],
        [frozenset({0, 1, 2}), frozenset({1, 2})],
        [frozenset({0, 1, 2}), frozenset()],
        [frozenset({0, 1, 2}), frozenset({0, 1, 2})],
    ],
)
def test_whoever_knows_everything_decides(recipients):
    random = np.random.default_rng(3)
    encoded = numbers(random.integers(0, 9, (60, 3)).tolist())
    found = butterfly(encoded, recipients, Demand(5), Randomness(1))
    check(encoded, recipients, found, 5)
    assert found.loss == found.union_loss
    assert found.share == 0


def test_without_common_columns_each_recipient_is_served_alone():
    random = np.random.default_rng(4)
    encoded = numbers(random.integers(0, 9, (200, 2)).tolist())
    recipients = [frozenset({0}), frozenset({1})]
    found = butterfly(encoded, recipients, Demand(5), Randomness(1))
    check(encoded, recipients, found, 5)
    assert found.loss == 0  # every value occurs five times
    assert found.counters.built == 1


@pytest.mark.compiled
@pytest.mark.parametrize(("together", "wings"), [(1, "hybrid"), (2, "mondrian"), (9, "mondrian")])
def test_larger_tables_for_two_and_three(together, wings):
    random = np.random.default_rng(5)
    encoded = numbers((random.integers(0, 12, (400, 5)) ** 2 // 9).tolist())
    several = [frozenset({0, 1, 2}), frozenset({2, 3, 4}), frozenset({0, 4})]
    for recipients in (several[:2], several):
        found = butterfly(
            encoded, recipients, Demand(10), Randomness(1), together=together, wings=wings
        )
        check(encoded, recipients, found, 10, together)
        # With units of nine of ten rows there is next to nothing to gain.
        assert found.loss < found.union_loss or together == 9
