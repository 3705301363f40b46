"""Options, shares and pictures of the forms."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from papilio.policy.family import Family
from papilio.policy.graph_policy import EdgesPolicy, GraphPolicy
from papilio.policy.policy import Method, Policy
from papilio.web.forms.options import METHODS, OPTIONS, option_text, options_for
from papilio.web.forms.recipients_form import RecipientForm, RecipientsForm
from papilio.web.forms.shares import percent_text, share_of
from papilio.web.pictures.bars import bars, lying_bars
from papilio.web.pictures.target import target_picture
from papilio.web.pictures.who_knows_what import described, who_knows_what

BASE: dict[str, Any] = {"columns": {"age": "quasi"}, "privacy": {"k": 2}}


def test_every_method_can_be_chosen() -> None:
    offered = {method for methods in METHODS.values() for method in methods}
    assert offered == set(get_args(Method)) - {"auto"}


def test_every_value_of_an_option_can_be_chosen() -> None:
    for option in OPTIONS:
        model = {1: Policy, 2: GraphPolicy, 3: EdgesPolicy}[len(option.path)]
        field = model.model_fields[option.path[-1]].annotation
        literal = {value for value in _values(field) if isinstance(value, str)}
        if option.path == ("improve",):
            continue
        assert set(option.choices) == literal, option.path


def _values(annotation: Any) -> list[Any]:
    found = []
    for each in get_args(annotation):
        found += _values(each) if get_args(each) else [each]
    return found


def test_all_options_of_a_policy_are_reached() -> None:
    reached = {option.path[0] for option in OPTIONS} | {"method"}
    plain = {"papilio", "source", "columns", "tables", "person", "database", "recipients"}
    assert set(Policy.model_fields) - plain - {"privacy"} == reached


def shown(tree: dict[str, Any], family: Family = Family.ONE_TABLE) -> set[str]:
    return {option.path[-1] for option in options_for(tree, family)}


def test_options_go_with_methods() -> None:
    assert shown(BASE) == {"metric", "objective", "improve", "cells"}
    assert shown({**BASE, "method": "mondrian"}) == {"improve", "cells"}
    assert shown({**BASE, "method": "incognito"}) == {"metric", "cells"}
    assert shown({**BASE, "method": "mondrian", "metric": "dm"}) == {"metric", "improve", "cells"}
    two = {**BASE, "recipients": {"a": ["age"], "b": ["age"]}}
    assert shown(two, Family.RECIPIENTS) == {"generalise", "wings", "improve", "cells"}
    assert "wings" not in shown({**two, "method": "union"}, Family.RECIPIENTS)
    assert shown(BASE, Family.GRAPH) == {"order", "dangling"}


@pytest.mark.parametrize(
    ("said", "text"), [(None, ""), ("10s", "10s"), ({"steps": 500}, "500 steps"), (3, "3")]
)
def test_what_cannot_be_chosen_is_shown_in_words(said: Any, text: str) -> None:
    assert option_text(said) == text


def test_shares() -> None:
    assert share_of("2.5 %") == 0.025
    assert share_of("a lot") == "a lot"
    assert share_of(0.3) == 0.3
    assert [percent_text(each) for each in (0.07, 0.005, 1.5, 0)] == ["7%", "0.5%", "150%", "0%"]
    assert percent_text(-0.1) == -0.1


def test_who_knows_what() -> None:
    left, right = RecipientForm("A&B", ("age", "<b>")), RecipientForm("C", ("age", "job"))
    form = RecipientsForm(("age", "<b>", "job"), (left, right))
    assert described(form) == ("Known to all: age. Known to A&B only: <b>. Known to C only: job.")
    butterfly = who_knows_what(form)
    assert "A&amp;B" in butterfly
    assert "<b>" not in butterfly
    third = RecipientsForm(("age", "x"), (left, right, RecipientForm("D", ())))
    grid = who_knows_what(third)
    assert grid.count("<circle") == 6
    assert "Known to nobody: x." in described(third)
    assert "Known to A&B and C only: age." in described(third)


def test_small_pictures() -> None:
    assert bars([1, 0, 3], "how <often>").count("<rect") == 3
    assert "&lt;often&gt;" in bars([], "how <often>")
    assert "<i>" not in lying_bars(["<i>"], [3], 3)
    assert "100.0%" in lying_bars(["x"], [3], 3)
    picture = target_picture(["<i>", "b"], [0.5, 0.5], [1.0, 0.0], 0.5)
    assert "<i>" not in picture
    assert "50% apart" in picture
    assert target_picture([], [], [], 0).startswith("<svg")
