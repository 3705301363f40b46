"""Compiled requirements against their definitions, class by class."""

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import diversity as oracle
from papilio.data.table import ColumnType
from papilio.kernels.demand import COLUMN, Demand, class_meets
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.requirement import demand_of
from papilio.privacy.t_closeness import TCloseness
from sensitive_tables import ALLOWED, KINDS, distance, one_column, sensitive, sensitive_tables
from sizes import usual

EVERY = sorted(KINDS)
some_rows = st.lists(st.integers(0, 10**6), min_size=1, max_size=12)


def subset(made, drawn):
    """A class: some rows of the table, each once."""
    return sorted({number % made.height for number in drawn})


def meets(demand, rows):
    return class_meets(demand, np.array(rows, np.int32))


def values_of(made, rows):
    values = made.frame["s"].to_list()
    return [values[row] for row in rows]


@settings(max_examples=600)
@given(sensitive_tables(EVERY), st.lists(some_rows, min_size=4, max_size=4), st.integers(1, 5))
def test_distinct(made, drawn, least):
    demand = demand_of((DistinctDiversity("s", least),), made)
    for rows in (subset(made, each) for each in drawn):
        assert meets(demand, rows) == oracle.distinct(values_of(made, rows), least)


@settings(max_examples=600)
@given(
    sensitive_tables(EVERY),
    st.lists(some_rows, min_size=4, max_size=4),
    st.sampled_from(["1", "1.5", "2", "2.8", "3", "4"]),
)
def test_entropy(made, drawn, least):
    demand = demand_of((EntropyDiversity("s", least),), made)
    for rows in (subset(made, each) for each in drawn):
        values = values_of(made, rows)
        compared = oracle.compare_entropy(values, Fraction(least))
        uniform = len({values.count(each) for each in values}) == 1
        assert meets(demand, rows) == (compared > 0 or (compared == 0 and uniform))


@settings(max_examples=600)
@given(
    sensitive_tables(EVERY),
    st.lists(some_rows, min_size=4, max_size=4),
    st.sampled_from(["0.5", "1", "1.5", "2", "3", "0.333333333"]),
    st.integers(1, 4),
)
def test_recursive(made, drawn, c, least):
    demand = demand_of((RecursiveDiversity("s", c, least),), made)
    for rows in (subset(made, each) for each in drawn):
        assert meets(demand, rows) == oracle.recursive(values_of(made, rows), Fraction(c), least)


@pytest.mark.searches
@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_closeness_is_exact_at_the_threshold(name):
    """The least t with nine digits that a class satisfies is its distance, rounded up."""

    @settings(max_examples=usual(700))
    @given(sensitive_tables(ALLOWED[name]), some_rows)
    def check(made, drawn):
        rows = subset(made, drawn)
        exact = distance(made, rows, name)
        enough = Fraction(math.ceil(exact * 10**9), 10**9)
        assert meets(demand_of((TCloseness("s", enough, name),), made), rows)
        if enough:
            less = enough - Fraction(1, 10**9)
            assert not meets(demand_of((TCloseness("s", less, name),), made), rows)

    check()


@settings(max_examples=300)
@given(sensitive_tables(EVERY), some_rows, some_rows, st.data())
def test_unions_of_classes_that_satisfy_a_requirement_satisfy_it(made, one, other, data):
    described = made.columns[-1]
    distances = ["equal"]
    distances += ["ordered"] if described.type.ordered or described.domain else []
    distances += ["hierarchical"] if described.hierarchy else []
    requirement = data.draw(
        st.one_of(
            st.builds(DistinctDiversity, st.just("s"), st.integers(1, 3)),
            st.builds(EntropyDiversity, st.just("s"), st.sampled_from([1, 1.5, 2, 3])),
            st.builds(
                RecursiveDiversity, st.just("s"), st.sampled_from([0.7, 1, 2]), st.integers(1, 3)
            ),
            st.builds(
                TCloseness,
                st.just("s"),
                st.sampled_from([0, 0.1, 0.3, 0.5]),
                st.sampled_from(distances),
            ),
        )
    )
    demand = demand_of((requirement,), made)
    first = subset(made, one)
    second = sorted(set(subset(made, other)) - set(first))
    if second and meets(demand, first) and meets(demand, second):
        assert meets(demand, first + second)
    if second and meets(demand, first) and requirement.monotone_with_suppression:
        assert meets(demand, first + second)


def labels(text, **more):
    return one_column(list(text), pl.String, sensitive(**more))


@pytest.mark.parametrize(
    ("requirement", "holds"),
    [
        (EntropyDiversity("s", 2), True),  # two equally frequent values: exactly log 2
        (EntropyDiversity("s", 2.000000001), False),
        (RecursiveDiversity("s", 1, 2), False),  # 3 < 1 * 3 is false
        (RecursiveDiversity("s", 1.000000001, 2), True),
        (RecursiveDiversity("s", 0.5, 1), False),  # 3 < 0.5 * 6 is false
        (RecursiveDiversity("s", 9, 3), False),  # there is no third value
    ],
)
def test_ties(requirement, holds):
    made = labels("aaabbb")
    assert meets(demand_of((requirement,), made), range(6)) == holds


def test_an_entropy_of_exactly_log_l_that_is_not_uniform_is_refused():
    """1/2, 1/8, 1/8, 1/8, 1/8 has two bits of entropy, as four equal values have."""
    made = labels("aaaabcde")
    assert oracle.compare_entropy("aaaabcde", 4) == 0
    assert not meets(demand_of((EntropyDiversity("s", 4),), made), range(8))
    assert meets(demand_of((EntropyDiversity("s", 3.999999),), made), range(8))


def test_null_is_one_value():
    made = one_column(["a", None, None, "b"], pl.String, sensitive())
    demand = demand_of((DistinctDiversity("s", 2),), made)
    assert meets(demand, [0, 1])
    assert not meets(demand, [1, 2])
    assert meets(demand_of((DistinctDiversity("s", 3),), made), [0, 1, 3])


def test_a_column_of_one_value():
    made = labels("aaaa")
    assert meets(demand_of((TCloseness("s", 0),), made), [2])
    assert meets(demand_of((EntropyDiversity("s", 1),), made), [2])
    assert not meets(demand_of((DistinctDiversity("s", 2),), made), [0, 1, 2, 3])


def test_moments_of_a_day_are_values_of_their_own_but_for_the_hierarchy():
    made = one_column(*KINDS["moment"])
    assert meets(demand_of((DistinctDiversity("s", 5),), made), [1, 2, 3, 4, 5])
    # A sixth has to move from February to the 31st of January: up to the year, 2 of 3 steps.
    assert distance(made, [1, 2, 3, 4, 5], "hierarchical") == Fraction(1, 6) * Fraction(2, 3)
    for t, holds in ((0.111111111, False), (0.111111112, True)):
        demand = demand_of((TCloseness("s", t, "hierarchical"),), made)
        assert meets(demand, [1, 2, 3, 4, 5]) == holds


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(0, 4), st.sampled_from("xyz")),
        min_size=2,
        max_size=20,
    ),
    some_rows,
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from([0.1, 0.3, 0.6]),
)
def test_all_requirements_on_all_columns_count(cells, drawn, k, least, t):
    first, second, third = (list(each) for each in zip(*cells, strict=True))
    made = one_column(first, pl.String, sensitive())
    frame = made.frame.with_columns(n=pl.Series(second), z=pl.Series(third))
    columns = (*made.columns, *(_also(made, name) for name in ("n", "z")))
    made = type(made)("people", frame, columns)
    requirements = (
        TCloseness("n", t),
        DistinctDiversity("s", least),
        KAnonymity(k),
        RecursiveDiversity("z", 2, least),
        EntropyDiversity("s", 1.5),
        TCloseness("z", t),
    )
    rows = subset(made, drawn)
    # Values are counted anew at each change of the column.
    assert demand_of(requirements, made).rules[:, COLUMN].tolist() == [0, 1, 1, 2, 2]
    each = [meets(demand_of((r,), made), rows) for r in requirements]
    assert meets(demand_of(requirements, made), rows) == all(each)


def _also(made, name):
    base = made.columns[-1]
    type_ = ColumnType.NUMERIC if name == "n" else ColumnType.CATEGORY
    return type(base)(name, base.role, type_)


def test_size_alone_demands_nothing_of_values():
    made = labels("aab")
    demand = demand_of((KAnonymity(2),), made)
    assert demand.rules.size == demand.sensitive.size == 0
    assert meets(demand, [0, 1])
    assert not meets(demand, [0])
    assert meets(Demand(2), [0, 1])


def test_no_class_can_be_smaller_than_its_l():
    made = labels("aabbcc")
    assert demand_of((DistinctDiversity("s", 3), KAnonymity(2)), made).least_size == 3
    assert demand_of((EntropyDiversity("s", 2.5),), made).least_size == 3
    assert demand_of((RecursiveDiversity("s", 2, 4),), made).least_size == 4
    assert demand_of((TCloseness("s", 0.2),), made).least_size == 1
