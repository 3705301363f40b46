"""Policies for permutation: what they need, what they refuse, and what cannot be met."""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest

from papilio import KE, Policy, publish
from papilio.errors import InfeasibleError, PolicyError
from papilio.families import choose
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import KeAnonymity, Near

COLUMNS = {"age": "quasi", "pay": "sensitive"}
FRAME = pl.DataFrame({"age": [20, 30, 40, 50], "pay": [1.5, 2.5, 2.5, 9.0]})


def policy(**changes):
    said = {"columns": COLUMNS, "privacy": {"k": 2, "e": 1}} | changes
    return Policy(**said)


def test_e_makes_k_about_values():
    assert policy().requirements == (KeAnonymity("pay", 2, 1),)
    # Who says nothing of e gets a share of the range.
    (usual,) = policy(privacy={"k": 2}, method="permutation").requirements
    assert usual == KeAnonymity("pay", 2, "5%")
    assert usual.settle(0, 30) == KeAnonymity("pay", 2, 1.5)
    (told,) = policy(privacy={"k": 2, "e": 0}, method="permutation").requirements
    assert told == KeAnonymity("pay", 2, 0)


def test_a_share_of_the_range_is_settled_upwards():
    near = Near("10%", 0.5)
    settled = KeAnonymity("pay", 2, "5%", 1, near).settle(0.1, 0.4)
    span = Fraction(0.4) - Fraction(0.1)
    assert span / 20 <= Fraction(str(settled.e)) < span / 20 * Fraction(1.000001)
    assert settled.near.at_most == 0.5
    assert settled.settle(0, 10**6) == settled


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"privacy": {"k": 2, "e": "5 percent"}}, "must be a number"),
        ({"privacy": {"k": 2, "e": "101%"}}, "at most 100%"),
        ({"privacy": {"k": 2, "e": 1, "known": 0}}, "give a number of rows from 1 to 100"),
        ({"privacy": {"k": 1, "e": 0, "known": 1}}, "a larger k or e"),
        ({"privacy": {"k": 2, "e": 1, "near": "half"}}, "50% within 5%"),
        ({"privacy": {"k": 2, "e": 1, "near": {"width": 1, "at_most": 1}}}, "less than 1"),
        ({"privacy": {"k": 2, "e": 1, "known": 1}, "minimise": "random"}, "sum, max and groups"),
        (
            {"privacy": {"k": 2, "e": 1, "near": "50% within 1"}, "minimise": "max-exact"},
            "sum, max and groups",
        ),
    ],
)
def test_what_is_no_demand_is_refused(changes, message):
    with pytest.raises(PolicyError, match=message):
        policy(**changes)
    assert policy(privacy={"k": 2}).requirements == (KAnonymity(2),)


def test_the_method_is_chosen():
    assert choose(policy(), 4).method == "permutation"


def test_the_shorthand_means_the_same():
    assert policy(privacy=KE(2, 1)) == policy()
    assert policy(privacy=[KE(2, "0.25")]) == policy(privacy={"k": 2, "e": 0.25})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"columns": {"age": "quasi"}}, "no column is sensitive"),
        ({"columns": COLUMNS | {"tax": "sensitive"}}, "a second sensitive column"),
        ({"columns": COLUMNS | {"pay": {"role": "sensitive", "type": "date"}}}, "not numeric"),
        ({"privacy": {"k": 2, "e": -1}}, "greater than or equal to 0|at least 0"),
        ({"privacy": {"k": 2, "e": 1, "l": 2}}, "does not go with permutation"),
        ({"privacy": {"k": 2, "e": 1, "t": 0.5}}, "does not go with permutation"),
        ({"privacy": {"k": 2, "e": 1, "suppress": "2%"}}, "does not go with permutation"),
        ({"privacy": {"l": 2}, "method": "permutation"}, "needs k"),
        (
            {"method": "mondrian"},
            "e: does not go with one generalised table.* goes with permutation",
        ),
        ({"recipients": {"a": ["age"]}}, "e: does not go with recipients"),
        (
            {"recipients": {"a": ["age"]}, "method": "permutation"},
            "recipients: does not go with permutation",
        ),
        ({"method": "permutation", "cells": "text"}, "cells: does not go with permutation"),
        ({"improve": "1s"}, "improve: does not go with permutation"),
        ({"metric": "ncp"}, "metric: does not go with permutation"),
        ({"minimise": "average"}, "sum"),
        ({"privacy": {"k": 2}, "minimise": "sum"}, "minimise: .* it goes with permutation"),
        ({"privacy": [KE(2, 1), KAnonymity(3)]}, "about groups"),
        ({"privacy": KeAnonymity("age", 2, 1)}, "its column is the sensitive one"),
    ],
)
def test_mistakes_are_told(changes, message):
    with pytest.raises(PolicyError, match=message):
        policy(**changes)


@pytest.mark.parametrize(
    "values",
    [
        ["a", "b", "a", "b"],
        [True, False, True, True],
        pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 1, 4), eager=True),
    ],
)
def test_columns_that_are_not_numeric_are_refused(values):
    frame = FRAME.with_columns(pl.Series("pay", values))
    with pytest.raises(PolicyError, match=r"columns.pay.*the column is (category|boolean|date)"):
        publish(frame, policy())


@pytest.mark.parametrize(
    ("k", "e", "nearest"),
    [
        (4, 0, "a k of at most 3 and an e of at most 7.5 are accepted"),
        (2, "7.6", "a k of at most 3 and an e of at most 7.5 are accepted"),
    ],
)
def test_what_cannot_be_met_names_the_nearest(k, e, nearest):
    with pytest.raises(InfeasibleError) as error:
        publish(FRAME, policy(privacy=KE(k, e)))
    assert error.value.nearest == nearest
    assert error.value.exit_code == 1
    assert publish(FRAME, policy(privacy=KE(3, 7.5))).manifest.kind == "permuted"


def test_the_nearest_e_can_be_met():
    frame = FRAME.with_columns(pay=pl.Series([0.2, 0.3, 0.2, 0.3]))
    with pytest.raises(InfeasibleError, match=r"e of at most 0\.0999") as error:
        publish(frame, policy(privacy=KE(2, 0.1)))
    publish(frame, policy(privacy=KE(2, error.value.nearest.split()[-3])))


def test_a_column_without_values_cannot_be_permuted():
    frame = FRAME.with_columns(pay=pl.lit(None, pl.Float64))
    with pytest.raises(InfeasibleError, match="NULL in every row"):
        publish(frame, policy(privacy=KE(1)))


@pytest.mark.parametrize("e", ["x", -1, float("nan"), float("inf"), True, "1e400"])
def test_e_is_a_distance(e):
    with pytest.raises(ValueError, match="e "):
        KE(2, e)


@pytest.mark.parametrize("k", [0, -1, 1.5, True])
def test_k_is_a_number_of_values(k):
    with pytest.raises(ValueError, match="k "):
        KE(k, 1)
