"""Requirements over people: compiled against their definition, and closed under unions."""

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import closeness, diversity
from oracles import people as oracle
from papilio.data.people import people_of, person_names
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.errors import DataError, InfeasibleError
from papilio.kernels.demand import class_meets
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.feasible import check_feasible
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.nt_closeness import NTCloseness
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.requirement import demand_of
from papilio.privacy.t_closeness import TCloseness
from sizes import spread

rows_of_people = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from([0, 1, 2, 3, 4])), min_size=1, max_size=24
)
many_rows = st.integers(0, 2**32).map(
    lambda seed: [
        (int(person), int(value))
        for person, value in zip(
            np.random.default_rng(seed).integers(0, 150, 220),
            np.random.default_rng(seed + 1).integers(0, 12, 220),
            strict=True,
        )
    ]
)
some = st.sets(st.integers(0, 10**6), min_size=1, max_size=16)


def table_of(rows):
    names = person_names(pl.Series("pid", [f"p{person}" for person, _ in rows]))
    values = pl.Series("s", [value for _, value in rows], pl.Int64)
    column = Column("s", Role.SENSITIVE, ColumnType.NUMERIC)
    return Table("t", values.to_frame(), (column,), people_of(names))


def _distance(name, t, table, n=None):
    every = [value for _, value in table]
    domain = sorted(set(every))
    whole = closeness.shares(every, domain)
    measure = {"equal": closeness.equal, "ordered": closeness.ordered}[name]

    def holds(values):
        large = n is not None and len(values) >= n
        return large or measure(closeness.shares(values, domain), whole) <= Fraction(t)

    return holds


def _entropy(least):
    def holds(values):
        compared = diversity.compare_entropy(values, Fraction(least))
        uniform = len({values.count(each) for each in values}) == 1
        return compared > 0 or (compared == 0 and uniform)

    return holds


#: Name -> requirement over people, and what it says of a list of values given the table.
DEMANDS = {
    **{
        f"distinct {least}": (
            DistinctDiversity("s", least, people=True),
            lambda _, least=least: lambda values: diversity.distinct(values, least),
        )
        for least in (1, 2, 3)
    },
    **{
        f"entropy {least}": (
            EntropyDiversity("s", least, people=True),
            lambda _, least=least: _entropy(least),
        )
        for least in ("1.5", "2", "2.8")
    },
    **{
        f"recursive {c} {least}": (
            RecursiveDiversity("s", c, least, people=True),
            lambda _, c=c, least=least: (
                lambda values: diversity.recursive(values, Fraction(c), least)
            ),
        )
        for c, least in (("1", 2), ("3", 2), ("0.5", 2), ("2", 3))
    },
    **{
        f"{name} {t} {n}": (
            TCloseness("s", t, name, people=True)
            if n is None
            else NTCloseness("s", t, name, n=n, people=True),
            lambda table, name=name, t=t, n=n: _distance(name, t, table, n),
        )
        for name in ("equal", "ordered")
        for t in ("0", "0.2", "0.5")
        for n in (None, 5)
    },
}


def chosen(rows, drawn):
    return sorted({number % len(rows) for number in drawn})


def met(demand, numbers):
    return bool(class_meets(demand, np.array(numbers, np.int32)))


@settings(max_examples=600)
@given(rows_of_people | many_rows, st.lists(some, min_size=4, max_size=4), st.integers(1, 5))
def test_k(rows, drawn, k):
    demand = demand_of((KAnonymity(k, people=True),), table_of(rows))
    for numbers in (chosen(rows, each) for each in drawn):
        expected = oracle.k_over_people([rows[number] for number in numbers], k)
        assert met(demand, numbers) == expected


@pytest.mark.parametrize("name", spread(sorted(DEMANDS), 6))
@settings(max_examples=150)
@given(rows=rows_of_people | many_rows, drawn=st.lists(some, min_size=4, max_size=4))
def test_values(name, rows, drawn):
    requirement, meaning = DEMANDS[name]
    demand, holds = demand_of((requirement,), table_of(rows)), meaning(rows)
    everything = list(range(len(rows)))
    for numbers in [everything, *(chosen(rows, each) for each in drawn)]:
        own = [rows[number] for number in numbers]
        large = len(numbers) >= demand.least_size
        assert met(demand, numbers) == (large and oracle.over_people(own, rows, holds))


@pytest.mark.parametrize("name", sorted(DEMANDS))
@settings(max_examples=200)
@given(rows=rows_of_people, one=some, other=some)
def test_closed_under_unions(name, rows, one, other):
    _, meaning = DEMANDS[name]
    _closed(rows, one, other, lambda own: oracle.over_people(own, rows, meaning(rows)))


@settings(max_examples=600)
@given(rows=rows_of_people, one=some, other=some, k=st.integers(1, 4))
def test_k_is_closed_under_unions(rows, one, other, k):
    _closed(rows, one, other, lambda own: oracle.k_over_people(own, k))


def _closed(rows, one, other, meets):
    first = chosen(rows, one)
    second = [number for number in chosen(rows, other) if number not in first]
    classes = [[rows[number] for number in numbers] for numbers in (first, second) if numbers]
    if all(map(meets, classes)):
        assert meets([row for each in classes for row in each])


def test_people_with_one_row_in_a_class_count_or_it_would_not_be_closed():
    """If only people with several rows in the class itself were left out, unions could break it."""
    table = [("p", 1), ("p", 1), ("q", 0), ("r", 0)]
    two = DEMANDS["distinct 2"][1](table)
    classes = [[("p", 1), ("q", 0)], [("p", 1), ("r", 0)]]
    assert all(oracle.over_people(each, each, two) for each in classes)
    assert not oracle.over_people(classes[0] + classes[1], table, two)
    assert not any(oracle.over_people(each, table, two) for each in classes)


def test_with_a_row_for_everybody_it_is_the_usual_requirement():
    rows = [(row, row % 3) for row in range(9)]
    for requirement, meaning in DEMANDS.values():
        demand = demand_of((requirement,), table_of(rows))
        holds = meaning(rows)
        for numbers in (range(9), range(4), (0, 3, 6), (1, 2)):
            values = [rows[number][1] for number in numbers]
            assert met(demand, list(numbers)) == (
                len(values) >= demand.least_size and holds(values)
            )


def test_one_person_does_not_make_a_class_diverse():
    rows = [("ann", 0), ("ann", 1), ("ann", 2), ("bob", 9), ("cy", 9), ("di", 9), ("ed", 9)]
    demand = demand_of((DistinctDiversity("s", 3, people=True),), table_of(rows))
    assert not met(demand, range(7))
    assert met(demand_of((DistinctDiversity("s", 3),), table_of(rows)), range(7))


@pytest.mark.parametrize(
    ("requirement", "nearest"),
    [
        (KAnonymity(3, people=True), "a k of at most 2 is accepted"),
        (DistinctDiversity("s", 4, people=True), "an l of at most 2 is accepted"),
        (EntropyDiversity("s", 3, people=True), "an entropy l of at most 1.649 is accepted"),
        (RecursiveDiversity("s", 1, 2, people=True), "with this l, a c of at least 4.001"),
        (TCloseness("s", "0.1", "equal", people=True), "a t of at least 0.4 is accepted"),
    ],
)
def test_what_cannot_be_met_says_what_can(requirement, nearest):
    rows = [("a", 1), ("a", 2), ("a", 3), ("a", 1), ("a", 2), *[(n, 9) for n in range(4)], (7, 1)]
    with pytest.raises(InfeasibleError) as caught:
        check_feasible((requirement,), table_of(rows))
    assert caught.value.nearest.startswith(nearest)


def test_people_are_told_by_their_names_without_blanks():
    people = people_of(person_names(pl.Series("pid", ["a", " a", "b", "c ", "c"])))
    assert (people.several, people.most, people.count) == (2, 2, 3)
    assert people.codes.tolist() == [0, 0, 2, 1, 1]


@pytest.mark.parametrize("missing", [None, "", "  "])
def test_rows_of_nobody_are_refused(missing):
    with pytest.raises(DataError, match="2 of 3 rows") as caught:
        person_names(pl.Series("pid", [missing, "a", missing]))
    assert caught.value.reason == "unknown-person"


def test_numbers_that_are_no_numbers_are_nobody():
    with pytest.raises(DataError, match="1 of 2 rows"):
        person_names(pl.Series("pid", [math.nan, 1.0]))
