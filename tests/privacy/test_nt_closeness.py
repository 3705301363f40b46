"""(n,t)-closeness: the kernel and the verifier against the definition."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimed import check, rows_by_class
from papilio import Policy
from papilio.kernels.demand import class_meets
from papilio.privacy.nt_closeness import NTCloseness
from papilio.privacy.requirement import demand_of, settled
from papilio.privacy.t_closeness import TCloseness
from papilio.verify.verdict import Status
from sensitive_tables import ALLOWED, KINDS, distance, one_column, sensitive_tables
from sizes import examples

NAMES = sorted(ALLOWED)
limits = st.sampled_from(["0", "0.2", "0.35", "0.5", "0.9"])


@st.composite
def cases(draw):
    name = draw(st.sampled_from(NAMES))
    made = draw(sensitive_tables(ALLOWED[name], max_rows=12))
    classes = draw(st.lists(st.integers(0, 2), min_size=made.height, max_size=made.height))
    return name, made, classes


def holds(made, rows, name, t, n):
    return len(rows) >= n or distance(made, rows, name) <= Fraction(t)


@given(cases(), limits, st.integers(1, 8))
@examples(150)
def test_kernel_decides_by_the_definition(case, t, n):
    name, made, classes = case
    demand = demand_of((NTCloseness("s", t, name, n=n),), made)
    for rows in rows_by_class(classes):
        expected = holds(made, rows, name, t, n)
        assert class_meets(demand, np.array(rows, np.int32)) == expected


@given(cases(), limits, st.integers(1, 8))
@examples(80)
def test_a_union_of_classes_that_satisfy_it_satisfies_it(case, t, n):
    name, made, classes = case
    found = rows_by_class(classes)
    demand = demand_of((NTCloseness("s", t, name, n=n),), made)
    if all(class_meets(demand, np.array(rows, np.int32)) for rows in found[:2]):
        union = [row for rows in found[:2] for row in rows]
        assert class_meets(demand, np.array(union, np.int32))


@given(cases(), limits, st.integers(1, 8))
@examples(40)
def test_verifier_decides_by_the_definition(case, t, n):
    name, made, classes = case
    requirement = settled((NTCloseness("s", t, name, n=n),), made)[0]
    found = check(made, classes, "nt-closeness", requirement.parameters())
    expected = all(holds(made, rows, name, t, n) for rows in rows_by_class(classes))
    assert (found.status is Status.HOLDS) == expected


def test_a_claim_without_n_does_not_hold():
    made = one_column(["flu", "hiv"], KINDS["label"][1], KINDS["label"][2])
    found = check(made, [0, 1], "nt-closeness", {"column": "s", "t": 1.0, "distance": "equal"})
    assert found.status is Status.VIOLATED


def test_intermediate_supersets_would_not_be_closed_under_unions():
    """Why only the class itself and the table count: a counterexample to the general rule.

    Seven rows along a line, n = 5, t = 0; natural supersets of a class are runs of rows around it.
    """
    values = [0, 0, 0, 0, 0, 1, 1]

    def share(rows):
        return Fraction(sum(values[row] for row in rows), len(rows))

    def nearest(rows):
        runs = [range(a, b) for a in range(3) for b in range(a + 5, 8)]
        wider = [run for run in runs if set(rows) <= set(run)]
        return min(abs(share(rows) - share(run)) for run in wider)

    assert nearest(range(2, 3)) == nearest(range(3, 6)) == 0
    assert nearest(range(2, 6)) == Fraction(1, 28)


def test_policy_and_requirement_say_the_same():
    written = Policy(
        columns={"age": "quasi", "s": "sensitive"}, privacy={"t": {"s": {"t": 0.3, "n": 50}}}
    )
    assert written.requirements == (NTCloseness("s", 0.3, n=50),)
    given_ = Policy(
        columns={"age": "quasi", "s": "sensitive"}, privacy=[NTCloseness("s", 0.3, n=50)]
    )
    assert given_ == written
    assert NTCloseness("s", 0.3, n=50) != TCloseness("s", 0.3)


@pytest.mark.parametrize("n", [0, -1, 1.5, True])
def test_n_is_a_whole_number(n):
    with pytest.raises(ValueError):
        NTCloseness("s", 0.3, n=n)
