"""Strict Mondrian with demands on sensitive values, against its plain twin."""

from fractions import Fraction

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st
from test_mondrian import as_sets, kinds_of

from oracles import closeness, diversity
from oracles import mondrian as oracle
from papilio.data.encode import encode
from papilio.data.table import ColumnType, Role
from papilio.families.generalising.top_down import strict_mondrian
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.requirement import demand_of
from papilio.privacy.t_closeness import TCloseness
from tables import column, table


def holds(requirement, values, everyone):
    """The definition, or more: an entropy that is only just enough must come from equal counts."""
    match requirement:
        case KAnonymity(k):
            return len(values) >= k
        case DistinctDiversity():
            return diversity.distinct(values, requirement.l)
        case EntropyDiversity():
            compared = diversity.compare_entropy(values, requirement.l)
            uniform = len({values.count(each) for each in values}) == 1
            return compared > 0 or (compared == 0 and uniform)
        case RecursiveDiversity():
            return diversity.recursive(values, requirement.c, requirement.l)
    domain = sorted(set(everyone), key=lambda v: (v is not None, v))
    p, q = (closeness.shares(each, domain) for each in (values, everyone))
    name = "ordered" if requirement.column == "pay" else "equal"
    return getattr(closeness, name)(p, q) <= requirement.t


ills = st.sampled_from(["flu", "none", "ulcer", None])
pays = st.sampled_from([None, 1, 2, 5, 100])
requirements = st.one_of(
    st.builds(KAnonymity, st.integers(1, 4)),
    st.builds(DistinctDiversity, st.sampled_from(["ill", "pay"]), st.integers(1, 3)),
    st.builds(EntropyDiversity, st.just("ill"), st.sampled_from([1, 1.5, 2, 2.5])),
    st.builds(RecursiveDiversity, st.just("ill"), st.sampled_from([1, 1.5, 3]), st.integers(1, 3)),
    st.builds(
        TCloseness,
        st.sampled_from(["ill", "pay"]),
        st.sampled_from([0, 0.125, 0.2, 0.25, 0.4, 0.5]),
    ),
)


@settings(max_examples=300)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from("abc"), ills, pays), min_size=1, max_size=40
    ),
    st.lists(requirements, min_size=1, max_size=4),
)
def test_equals_the_plain_twin(cells, demanded):
    ages, jobs, ill, pay = (list(each) for each in zip(*cells, strict=True))
    made = table(
        age=(pl.Series(ages), column("age", ColumnType.NUMERIC)),
        job=(pl.Series(jobs), column("job")),
        ill=(pl.Series(ill, dtype=pl.String), column("ill", role=Role.SENSITIVE)),
        pay=(pl.Series(pay, dtype=pl.Int64), column("pay", ColumnType.NUMERIC, Role.SENSITIVE)),
    )
    encoded = encode(made, made.with_role(Role.QUASI))
    demand = demand_of(demanded, made)

    def meets(rows):
        return all(holds(each, *_values(each, rows, {"ill": ill, "pay": pay})) for each in demanded)

    rows = encoded.codes[:, :2].tolist()
    expected = oracle.strict_mondrian(rows, kinds_of(encoded), demand.least_size, meets)
    assert as_sets(strict_mondrian(encoded, demand, threads=1)) == set(map(frozenset, expected))


def _values(requirement, rows, columns):
    everyone = columns[getattr(requirement, "column", "ill")]
    return [everyone[row] for row in rows], everyone


def test_thresholds_are_decimal_numbers():
    """Ten rows, classes of five: a distance of exactly one tenth is allowed by t = 0.1."""
    ages = [1] * 5 + [2] * 5
    ill = list("aaabb" + "aabbb")
    made = table(
        age=(pl.Series(ages), column("age", ColumnType.NUMERIC)),
        ill=(pl.Series(ill), column("ill", role=Role.SENSITIVE)),
    )
    encoded = encode(made, made.with_role(Role.QUASI))
    for t, classes in ((0.1, 2), (Fraction(99999999, 10**9), 1)):
        demand = demand_of((TCloseness("ill", t),), made)
        assert strict_mondrian(encoded, demand).count == classes
