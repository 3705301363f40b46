"""Policies with a target: what they may say, and what is refused where."""

import pytest

from papilio import Policy
from papilio.errors import PolicyError
from papilio.families import choose

COLUMNS = {"age": "quasi", "pay": "sensitive"}


def make(columns=None, privacy=None, **more):
    return Policy(columns={**COLUMNS, **(columns or {})}, privacy=privacy, **more)


def test_a_bare_name_is_a_distribution():
    policy = make(privacy={"target": {"pay": "uniform"}, "fakes": "5%"})
    assert policy.privacy.target["pay"].distribution == "uniform"
    assert policy.privacy.fakes == 0.05
    assert choose(policy, 10).method == "disguise"


@pytest.mark.parametrize(
    ("privacy", "more", "where", "message"),
    [
        ({"target": {"pay": "linear"}}, {}, "privacy.target.pay.distribution", "accepted"),
        ({"target": {"pay": {}}}, {}, "privacy.target.pay", "exactly one of"),
        ({"target": {"pay": {"distribution": "same", "file": "x.csv"}}}, {}, "", "exactly one of"),
        ({"target": {"pay": {"distribution": "same", "std": 1}}}, {}, "", "std goes with"),
        ({"target": {"pay": {"distribution": "same", "column": "a"}}}, {}, "", "column goes with"),
        ({"target": {"pay": {"file": "a", "weight": "w"}}}, {}, "", "weight goes with column"),
        ({"target": {"pay": {"distribution": "zipf", "tree": {"lowest": 1}}}}, {}, "", "both"),
        ({"target": {"pay": {"distribution": "zipf", "tree": {"width": 1}}}}, {}, "", "lowest"),
        ({"target": {"age": "same"}}, {}, "privacy.target.age", "sensitive"),
        ({"target": {"none": "same"}}, {}, "privacy.target.none", "sensitive"),
        ({"target": {"pay": {"distribution": "same", "by": ["pay"]}}}, {}, "", "not a quasi"),
        ({"target": {"pay": "same"}, "t": 0.3}, {}, "privacy.t", "does not go with target"),
        ({"target": {"pay": "same"}, "e": "5%"}, {}, "privacy.e", "a number"),
        ({"target": {"pay": "same"}}, {"method": "mondrian"}, "method", "disguise"),
        ({"target": {"pay": "same"}}, {"cells": "text"}, "cells", "does not go with target"),
        (
            {"target": {"pay": "same"}, "personal": "a", "fakes": 0.1},
            {},
            "privacy.fakes",
            "personal",
        ),
        (
            {"target": {"pay": "same"}, "personal": "age"},
            {},
            "privacy.personal",
            "not be published",
        ),
        ({"k": 2, "shift": 0.1}, {}, "privacy.shift", "goes with target"),
        ({"k": 2}, {"method": "disguise"}, "method", "needs a target"),
        (
            {"target": {"pay": {"distribution": "same", "allocation": "randomised"}}, "shift": 0.1},
            {},
            "privacy.target.pay.allocation",
            "randomised",
        ),
    ],
)
def test_what_does_not_fit_is_refused(privacy, more, where, message):
    with pytest.raises(PolicyError) as caught:
        make(privacy=privacy, **more)
    faults = [f for f in caught.value.faults if where in f.where and message in f.message]
    assert faults, caught.value


def test_one_sensitive_column_only():
    with pytest.raises(PolicyError, match="one sensitive column"):
        make({"job": "sensitive"}, privacy={"target": {"pay": "same"}})


def test_a_hierarchy_and_a_tree_are_one_too_many():
    said = {"distribution": "same", "tree": {"arity": 3}}
    with pytest.raises(PolicyError, match="leave that or tree out"):
        make(
            {"pay": {"role": "sensitive", "hierarchy": "automatic"}},
            privacy={"target": {"pay": said}},
        )


def test_names_that_would_collide():
    with pytest.raises(PolicyError, match="rename one of them"):
        make({"pay_min": "plain"}, privacy={"target": {"pay": "same"}})
