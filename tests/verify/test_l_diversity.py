"""The verifier's l-diversity against the definitions, and claims that say too little."""

import math
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimed import check, rows_by_class
from oracles import diversity as oracle
from papilio.verify.verdict import Status
from sensitive_tables import KINDS, one_column, sensitive, sensitive_tables


@st.composite
def classified(draw, **more):
    made = draw(sensitive_tables(sorted(KINDS), **more))
    cells = st.sampled_from([None, 1, 2, 3])
    return made, draw(st.lists(cells, min_size=made.height, max_size=made.height))


def classes_of(made, cells):
    values = made.frame["s"].to_list()
    return [[values[row] for row in rows] for rows in rows_by_class(cells)]


def agrees(found, classes, holds):
    failing = [each for each in classes if not holds(each)]
    assert (found.status is Status.HOLDS) == (not failing), found
    assert f"over {len(classes)} classes" in found.measured
    if failing:
        rows = sum(map(len, failing))
        assert f"; {rows} rows in {len(failing)} classes fall short" in found.measured
    assert (found.column, found.recipient) == ("s", "everyone")


@settings(max_examples=60)
@given(classified(), st.integers(1, 4))
def test_distinct(drawn, least):
    classes = classes_of(*drawn)
    found = check(*drawn, "distinct-l-diversity", {"column": "s", "l": least})
    agrees(found, classes, lambda values: oracle.distinct(values, least))
    assert found.measured.startswith(f"l = {min(len(set(each)) for each in classes)} over")


@settings(max_examples=60)
@given(classified(), st.sampled_from([1, 1.5, 2, 2.5, 3]))
def test_entropy(drawn, least):
    classes = classes_of(*drawn)
    found = check(*drawn, "entropy-l-diversity", {"column": "s", "l": least})
    agrees(found, classes, lambda values: oracle.entropy(values, Fraction(str(least))))


@settings(max_examples=60)
@given(classified(), st.sampled_from([0.5, 1, 1.5, 3]), st.integers(1, 3))
def test_recursive(drawn, c, least):
    classes = classes_of(*drawn)
    found = check(*drawn, "recursive-l-diversity", {"column": "s", "c": c, "l": least})
    agrees(found, classes, lambda values: oracle.recursive(values, Fraction(str(c)), least))


def labels(text):
    return one_column(list(text), pl.String, sensitive()), [1] * len(text)


@pytest.mark.parametrize(
    ("text", "claim", "parameters", "status"),
    [
        ("aaabbb", "recursive-l-diversity", {"c": 1, "l": 2}, Status.VIOLATED),
        ("aaabbb", "recursive-l-diversity", {"c": 1.000000001, "l": 2}, Status.HOLDS),
        ("aaabbb", "recursive-l-diversity", {"c": 9, "l": 3}, Status.VIOLATED),
        ("aaabbb", "entropy-l-diversity", {"l": 2}, Status.HOLDS),
        ("aaabbb", "entropy-l-diversity", {"l": 2.000000001}, Status.VIOLATED),
        ("aaaabcde", "entropy-l-diversity", {"l": 4}, Status.VIOLATED),
        ("aaaabcde", "entropy-l-diversity", {"l": 3.99999999}, Status.HOLDS),
    ],
)
def test_ties(text, claim, parameters, status):
    found = check(*labels(text), claim, {"column": "s", **parameters})
    assert found.status is status, found


def test_what_is_measured():
    made, cells = labels("aaaabbbcc")
    found = check(made, cells, "recursive-l-diversity", {"column": "s", "c": 3, "l": 2})
    assert (found.demanded, found.measured) == (
        "r1 < 3 (r2 + ...)",
        "r1 / (r2 + ...) = 0.8 at most over 1 classes",
    )
    found = check(made, cells, "entropy-l-diversity", {"column": "s", "l": 2})
    shares = (4 / 9, 3 / 9, 2 / 9)
    expected = math.exp(-sum(p * math.log(p) for p in shares))
    assert found.measured == f"entropy l = {expected:.4g} over 1 classes"


@pytest.mark.parametrize("claim", ["distinct", "entropy", "recursive"])
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"column": "s"},
        {"column": "s", "l": 0, "c": 1},
        {"column": "s", "l": True, "c": 1},
        {"column": "s", "l": "2", "c": 1},
        {"column": "s", "l": math.nan, "c": 1},
        {"column": "s", "l": 1e300, "c": 1},
        {"column": "g", "l": 1, "c": 9},
        {"column": "no such column", "l": 1, "c": 9},
        {"column": ["s"], "l": 1, "c": 9},
    ],
)
def test_claims_that_say_too_little_do_not_hold(claim, parameters):
    found = check(*labels("ab"), f"{claim}-l-diversity", parameters)
    assert found.status is Status.VIOLATED, found


def test_without_columns_the_table_is_one_class():
    for least, status in ((2, Status.HOLDS), (3, Status.VIOLATED)):
        parameters = {"column": "s", "l": least}
        found = check(*labels("ab"), "distinct-l-diversity", parameters, columns=())
        assert (found.measured.startswith("l = 2 over 1"), found.status) == (True, status)


@pytest.mark.parametrize("columns", [("s",), ("no such column",)])
def test_claims_need_quasi_identifiers(columns):
    parameters = {"column": "s", "l": 1}
    found = check(*labels("ab"), "distinct-l-diversity", parameters, columns=columns)
    assert found.status is Status.VIOLATED, found
