"""Demands no division of a table can meet are refused, with the nearest that can be met."""

import re

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import diversity as oracle
from papilio import L, T
from papilio.errors import InfeasibleError
from papilio.privacy.feasible import check_feasible
from sensitive_tables import one_column, sensitive


def labels(text):
    return one_column([None if v == "-" else v for v in text], pl.String, sensitive())


def nearest(requirement, text):
    with pytest.raises(InfeasibleError) as caught:
        check_feasible((requirement,), labels(text))
    assert caught.value.exit_code == 1
    assert caught.value.reason == "not-diverse"
    assert str(caught.value).endswith(caught.value.nearest)
    return caught.value.nearest


@pytest.mark.parametrize(
    ("requirement", "text", "said"),
    [
        (L("s", 4), "aabc", "an l of at most 3 is accepted"),
        (L("s", 4), "aab-", "an l of at most 3 is accepted"),
        (L("s", entropy=4), "aabbcc", "an l of at most 3 is accepted"),
        (L("s", entropy=3), "aabc", "an entropy l of at most 2.828 is accepted"),
        (L("s", recursive=(1, 2)), "aaab", "with this l, a c of at least 3.0001 is accepted"),
        (L("s", recursive=(1, 5)), "aabc", "an l of at most 3 is accepted"),
    ],
)
def test_nearest(requirement, text, said):
    assert nearest(requirement, text) == said


@given(st.text("abcd-", min_size=1, max_size=12), st.data())
def test_what_is_offered_is_accepted(text, data):
    """Ask for too much, take what is offered, and it can be met; a little more cannot."""
    made = labels(text)
    values = made.frame["s"].to_list()
    kind = data.draw(st.sampled_from(["l", "entropy", "c"]))
    demanded = {
        "l": L("s", 6),
        "entropy": L("s", entropy=6),
        "c": L("s", recursive=(0.01, len(set(values)))),
    }[kind]
    offered = float(re.search(r"(\d+(\.\d+)?) is accepted", nearest(demanded, text))[1])
    if kind == "l":
        check_feasible((L("s", int(offered)),), made)
        assert not oracle.distinct(values, int(offered) + 1)
    elif kind == "entropy":
        check_feasible((L("s", entropy=offered),), made)
        assert not oracle.entropy(values, round(offered + 0.0011, 4))
    else:
        check_feasible((L("s", recursive=(offered, len(set(values)))),), made)


def test_closeness_can_always_be_met():
    check_feasible((T("s", 0),), labels("aaab"))


def test_a_column_called_count():
    made = labels("ab")
    frame = made.frame.rename({"s": "count"})
    renamed = type(made.columns[-1])("count", made.columns[-1].role, made.columns[-1].type)
    with pytest.raises(InfeasibleError):
        check_feasible((L("count", 3),), type(made)("t", frame, (made.columns[0], renamed)))
