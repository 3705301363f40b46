"""What the page about people says its example costs is what publishing the example costs."""

from __future__ import annotations

import re

import pytest
from generate import ROOT

import papilio as pp
from papilio.workflow.publish import publish_to
from papilio.workflow.report import loss

PAGE = ROOT / "docs" / "people.md"
EXAMPLE = ROOT / "examples" / "visits"
WORDS = ("one", "two", "three")


def said(key):
    """The cells of the table of costs beside one way to say whose row it is."""
    _, _, table = PAGE.read_text(encoding="utf-8").partition("What it costs, for the [example]")
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    (found,) = [line[1:] for line in lines if line and line[0] == key]
    return found


def published(folder, name, **changes):
    """The publication of a policy of the example, and the policy."""
    policy = pp.Policy.load(EXAMPLE / f"{name}.yaml").model_copy(update=changes)
    return publish_to(folder / "release", policy), policy


@pytest.mark.parametrize("person", ["rows", "patient"])
def test_the_loss_of_one_table(tmp_path, person):
    made, policy = published(tmp_path, "policy", person=person)
    assert made.choice.method == "hybrid"
    assert policy.privacy.k == 5
    assert said(f"`person: {person}`")[0] == f"{loss(made.release, original=policy):.1%}"


def test_what_is_learnt_where_rows_are_counted(tmp_path):
    made, policy = published(tmp_path, "policy", person="rows")
    (quoted,) = re.findall('"(.+?)"', said("`person: rows`")[1])
    assert quoted in pp.attack(made.release, original=policy)[0].sentence


def test_what_is_learnt_where_people_are_counted(tmp_path):
    made, policy = published(tmp_path, "policy")
    after = pp.risk(made.release, original=policy).views[0].after
    found = pp.attack(made.release, original=policy)[0].figures
    text = said("`person: patient`")[1]
    assert f"with more than 1 chance in {1 / after.prosecutor.largest:g}, nobody's diag" in text
    assert found["learnt: diagnosis"] == 0
    assert f"{after.several.together} of {after.people} patients are alone" in text


def test_what_linked_tables_lose_and_tell(tmp_path):
    made, policy = published(tmp_path, "linked")
    lost, learnt = said("`person: patient`, `link: yes`")
    (removed,) = re.findall(r"(\d+ of \d+) visits removed", lost)
    assert any(f"{removed} rows removed" in note for note in made.notes)
    attacks = pp.attack(made.release, original=policy)
    whole = [each.figures for each in attacks if each.attack == "whole_person"]
    found = [each.figures for each in attacks if each.attack == "known_children"]
    assert {each["alone_after"] for each in [*whole, *found]} == {0}
    assert [each["known"] for each in found] == [1, 2, 3]
    (rules,) = [each.figures for each in attacks if each.attack == "dependency"]
    few = f"fewer than 5 people for {rules['below']} of {rules['people']}, with one for"
    assert f"diagnosis tells the ward is left with {few} {rules['singled_out']}," in learnt
    assert f"by {', '.join(WORDS[:-1])} or {WORDS[-1]} known visits, or all" in learnt
