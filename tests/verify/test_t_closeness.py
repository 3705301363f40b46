"""The verifier's t-closeness against the definition, exactly at the threshold."""

import math
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimed import check, rows_by_class
from papilio.verify.verdict import Status
from sensitive_tables import ALLOWED, KINDS, SIZES, distance, one_column, sensitive_tables
from sizes import usual

CLAIM = "t-closeness"


@st.composite
def classified(draw, name):
    made = draw(sensitive_tables(ALLOWED[name]))
    cells = st.sampled_from([None, 1, 2, 3])
    return made, draw(st.lists(cells, min_size=made.height, max_size=made.height))


def parameters(made, t, name):
    known = {"column": "s", "t": float(t), "distance": name}
    domain = made.columns[-1].domain
    return {**known, "order": list(domain)} if name == "ordered" and domain else known


@pytest.mark.searches
@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_threshold_is_exact(name):
    @settings(max_examples=usual(60))
    @given(classified(name))
    def agree(drawn):
        made, cells = drawn
        distances = [distance(made, rows, name) for rows in rows_by_class(cells)]
        worst = max(distances)
        enough = Fraction(math.ceil(worst * 10**9), 10**9)
        found = check(made, cells, CLAIM, parameters(made, enough, name))
        assert found.status is Status.HOLDS, found
        assert f"over {len(distances)} classes" in found.measured
        shown = Fraction(found.measured.split()[2])
        assert 0 <= shown - worst <= Fraction(2, 10**6)
        if enough:
            less = enough - Fraction(1, 10**9)
            found = check(made, cells, CLAIM, parameters(made, less, name))
            assert found.status is Status.VIOLATED, found
            beyond = sum(each > less for each in distances)
            assert f" rows in {beyond} classes fall short" in found.measured

    agree()


def sizes():
    return one_column(["S", "M", "XL", "S"], pl.String, KINDS["size"][2]), [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("order", "status"),
    [
        (list(SIZES), Status.HOLDS),
        (None, Status.VIOLATED),
        ("S, M, XL", Status.VIOLATED),
        (["S", "M"], Status.VIOLATED),
        ([*SIZES, "S"], Status.VIOLATED),
        ([1, 2, 3], Status.VIOLATED),
    ],
)
def test_labels_are_ordered_as_the_claim_lists_them(order, status):
    claim = {"column": "s", "t": 1, "distance": "ordered", "order": order}
    assert check(*sizes(), CLAIM, claim).status is status


def test_listed_values_that_do_not_occur_are_steps_all_the_same():
    made = one_column(["XL", "M", "S", *["M"] * 5], pl.String, KINDS["size"][2])
    cells = [1, 1, *[2] * 6]
    claim = {"column": "s", "t": 0.25, "distance": "ordered", "order": list(SIZES)}
    worst = max(distance(made, rows, "ordered") for rows in rows_by_class(cells))
    assert worst == Fraction(3 + 2 + 2, 8) / 3
    assert check(made, cells, CLAIM, claim).measured.startswith("t = 0.291667 ")


def test_another_order_gives_another_distance():
    made, cells = sizes()
    for order in (["S", "M", "XL"], ["M", "S", "XL"]):
        claim = {"column": "s", "t": 1, "distance": "ordered", "order": order}
        measured = check(made, cells, CLAIM, claim).measured
        assert measured.startswith("t = 0.125 " if order[0] == "S" else "t = 0.25 "), measured


@pytest.mark.parametrize(
    "claim",
    [
        {},
        {"column": "s", "t": 0.5},
        {"column": "s", "t": 0.5, "distance": "euclidean"},
        {"column": "s", "t": -0.5, "distance": "equal"},
        {"column": "s", "t": "0.5", "distance": "equal"},
        {"column": "s", "t": math.inf, "distance": "equal"},
        {"column": "s", "distance": "equal"},
        {"column": "g", "t": 1, "distance": "equal"},
        {"column": "s", "t": 1, "distance": "hierarchical"},  # there is no hierarchy
    ],
)
def test_claims_that_say_too_little_do_not_hold(claim):
    assert check(*sizes(), CLAIM, claim).status is Status.VIOLATED


@pytest.mark.parametrize("name", ["prefix", "halves", "ragged"])
def test_null_alone(name):
    _, dtype, described = KINDS[name]
    claim = {"column": "s", "t": 0, "distance": "hierarchical"}
    found = check(one_column([None, None], dtype, described), [1, 2], CLAIM, claim)
    assert (found.status, found.measured) == (Status.HOLDS, "t = 0 over 2 classes")


@pytest.mark.parametrize(
    "paths",
    [
        "",
        "flu,*\n",
        "flu,a,*\nulcer,b,*\nnone,a,b,*\n",
        "flu,a,*\nulcer,a,+\nnone,*\n",
        'flu,"a\n',
        "flu,*,x\nulcer,x\n*,flu\n",
    ],
)
def test_hierarchies_that_are_none(paths):
    _, dtype, described = KINDS["ragged"]
    made = one_column(["flu", "ulcer", "none"], dtype, described)
    claim = {"column": "s", "t": 1, "distance": "hierarchical"}
    assert check(made, [1, 1, 2], CLAIM, claim).status is Status.HOLDS
    assert check(made, [1, 1, 2], CLAIM, claim, paths=paths).status is Status.VIOLATED
