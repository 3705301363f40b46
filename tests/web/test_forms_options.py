"""Options, shares and pictures of the forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papilio.families import families, forget, register
from papilio.families.family import Family, Method
from papilio.families.graph.family import GRAPH
from papilio.families.keys import Key, key_at, keys_of
from papilio.families.one_table.family import ONE_TABLE
from papilio.families.permutation.family import PERMUTATION
from papilio.families.projections.family import PROJECTIONS
from papilio.families.recipients.family import RECIPIENTS
from papilio.policy.demands import without_percent
from papilio.policy.faults import out_of_range
from papilio.policy.privacy_policy import PrivacyPolicy
from papilio.policy.words import FamilyWords
from papilio.web.draft import Draft
from papilio.web.forms.edits import Edit, on_draft
from papilio.web.forms.fields import (
    asked_together,
    demand_keys,
    family_of,
    methods_of,
    offers,
    option_text,
    options,
    options_for,
    percent_text,
)
from papilio.web.forms.recipients_form import RecipientForm, RecipientsForm
from papilio.web.forms.switch_family import switch_family
from papilio.web.parts.fields import _DRAW
from papilio.web.parts.live import View
from papilio.web.pictures import (
    bars,
    described,
    lying_bars,
    target_picture,
    who_knows_what,
)

BASE: dict[str, Any] = {"columns": {"age": "quasi"}, "privacy": {"k": 2}}


@pytest.mark.parametrize("family", families(), ids=lambda each: each.name)
def test_every_method_can_be_chosen(family: Family) -> None:
    assert tuple(methods_of(family)) == tuple(method.name for method in family.methods)
    assert all(text.startswith(name) for name, text in methods_of(family).items())
    assert set(key_at("method").choices) >= {*methods_of(family), "auto"}


@pytest.mark.parametrize("family", families(), ids=lambda each: each.name)
def test_every_key_that_a_family_takes_is_asked_for_or_says_why_not(family: Family) -> None:
    """A key that is added to a family's table appears in its form, or its words say where."""
    asked = {key.path[0] for key in options() if family in key.families} | {"method", "privacy"}
    elsewhere = {key.path[0] for key in keys_of() if key.words.elsewhere}
    assert asked | elsewhere >= family.keys
    assert not asked & elsewhere
    apart = {key.path[-1] for key in keys_of("privacy") if key.words.elsewhere} & family.demands
    assert {key.path[-1] for key in demand_keys(family)} == family.demands - apart


def test_every_control_can_be_drawn() -> None:
    by_hand = {"demands", "target"}
    for family in families():
        for key in (*demand_keys(family), *options()):
            assert key.widget in {*_DRAW, *by_hand}, key.dotted


def test_keys_that_make_one_requirement_stand_together() -> None:
    def together(family: Family) -> list[tuple[str, ...]]:
        groups = asked_together(demand_keys(family))
        return [tuple(key.path[-1] for key in group) for group in groups]

    assert together(PERMUTATION) == [("k", "e"), ("known",), ("near",)]
    assert together(GRAPH) == [("k", "l"), ("suppress",), ("known",)]
    assert together(ONE_TABLE) == [("k",), ("l",), ("t",), ("suppress",)]


def test_what_a_form_writes_first_is_accepted() -> None:
    for family in (ONE_TABLE, RECIPIENTS, PROJECTIONS):
        for key in demand_keys(family):
            if key.words.start is not None:
                PrivacyPolicy(**{"k": 2, key.path[-1]: key.words.start})


@pytest.mark.parametrize("key", [k for k in keys_of("privacy") if k.bounds], ids=lambda k: k.dotted)
def test_the_form_tells_of_a_number_what_the_policy_tells(key: Key, tmp_path: Path) -> None:
    """The form writes what was typed; what is wrong with it is said beside the control."""
    (bound, number) = next(iter(key.bounds.items()))
    typed = number - 1
    value = percent_text(typed) if key.widget == "percent" else typed
    text = "columns: {age: quasi}\nprivacy: {k: 2}\n"
    draft = on_draft(Draft(text, tmp_path), (Edit(key.path, value),))
    view = View(draft, draft.tree, draft.faults())
    assert view.complaint(key.path) == out_of_range(bound, number)


def shown(tree: dict[str, Any], family: Family = ONE_TABLE) -> set[str]:
    return {option.path[-1] for option in options_for(tree, family)}


def test_options_go_with_methods() -> None:
    assert shown(BASE) == {"metric", "objective", "improve", "cells"}
    assert shown({**BASE, "method": "mondrian"}) == {"improve", "cells"}
    assert shown({**BASE, "method": "incognito"}) == {"metric"}
    assert shown({**BASE, "method": "mondrian", "metric": "dm"}) == {"metric", "improve", "cells"}
    two = {**BASE, "recipients": {"a": ["age"], "b": ["age"]}}
    assert shown(two, RECIPIENTS) == {"generalise", "wings", "improve", "cells"}
    assert "wings" not in shown({**two, "method": "union"}, RECIPIENTS)
    assert shown({**BASE, "privacy": {"k": 2, "suppress": "2%"}}) == {"metric"}
    assert "metric" in shown(BASE, PROJECTIONS)
    assert "metric" not in shown({**BASE, "generalise": "mondrian"}, PROJECTIONS)
    assert shown(BASE, GRAPH) == {"order", "dangling", "retries"}


@pytest.mark.parametrize(
    ("said", "text"), [(None, ""), ("10s", "10s"), ({"steps": 500}, "500 steps"), (3, "3")]
)
def test_what_cannot_be_chosen_is_shown_in_words(said: Any, text: str) -> None:
    assert option_text(said) == text


def test_shares() -> None:
    assert without_percent("2.5 %") == 0.025
    assert without_percent("a lot") == "a lot"
    assert without_percent(0.3) == 0.3
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


@pytest.fixture
def eighth() -> Iterator[Family]:
    """A family that Papilio does not have by itself."""
    family = replace(
        ONE_TABLE,
        name="eighth",
        methods=(Method("eighth-method", good_for="for a test"),),
        keys=frozenset({"papilio", "source", "columns", "privacy", "method", "cells"}),
        demands=frozenset({"k", "e"}),
        words=FamilyWords("Eighth", "When a test asks for it.", "star"),
        why=lambda policy: None,
    )
    register(family)
    yield family
    forget(family)


def test_a_family_that_is_added_has_its_card_and_forms(eighth: Family) -> None:
    tree = {**BASE, "method": "eighth-method"}
    assert family_of(tree) is eighth
    assert eighth in {offer.family for offer in offers(tree, ())}
    assert [key.path[-1] for key in demand_keys(eighth)] == ["k", "e"]
    assert shown(tree, eighth) == {"cells"}
    assert key_at("method").choices["eighth-method"] == "eighth-method: for a test"
    assert eighth in key_at("privacy", "e").families
    edits = switch_family({**BASE, "metric": "dm"}, (), eighth)
    assert Edit(("metric",)) in edits
    assert Edit(("method",), "eighth-method") in edits
