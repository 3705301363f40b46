"""The part of a report about the risk of being found."""

from __future__ import annotations

import re

import polars as pl
import pytest
from releases import HOSTILE, hostile_table, owned, release_of

from papilio import K, Policy, publish
from papilio.attack.exposure import Band
from papilio.attack.risk import views_of
from papilio.document import RiskFound
from papilio.document.charts.bars import (
    BandBar,
    band_bars,
    band_label,
    describe,
    people_by_class_chart,
)
from papilio.document.html import render
from papilio.document.of_release import risk_rows
from papilio.families.generalising.document import document
from papilio.workflow.report import report

PEOPLE = pl.DataFrame(
    {
        "age": [30 + i // 2 for i in range(40)],
        "town": [f"town{i % 4}" for i in range(40)],
        "illness": [f"illness{i % 3}" for i in range(40)],
    }
)
ROLES = {"age": "quasi", "town": "quasi", "illness": "sensitive"}
ONE = Policy(columns=ROLES, privacy=K(5))
TWO = Policy(
    columns=ROLES, recipients={"insurer": ["age"], "press": ["town"]}, privacy=K(5), method="union"
)


def page_of(policy, tmp_path, **options):
    release = publish(PEOPLE, policy, name="people")
    path = report(release, tmp_path / "r.html", original=policy, data=PEOPLE, **options)
    text = re.sub(r"<style>.*?</style>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"\s+", " ", text)


def test_one_recipient_has_one_table_of_risk(tmp_path):
    page = page_of(ONE, tmp_path)
    assert page.count('<table class="risk">') == 1
    assert "Everyone, knowing age, town" in page
    assert "The table is taken for the whole population" in page
    assert "Nobody&#39;s value of illness can be told from their class" in page


def test_several_recipients_have_one_each_and_one_together(tmp_path):
    page = page_of(TWO, tmp_path)
    assert page.count('<table class="risk">') == 3
    for who in ("Insurer, knowing age<", "Press, knowing town<", "Insurer and press together"):
        assert f"<h3>{who}" in page


def test_the_population_reaches_the_page(tmp_path):
    page = page_of(ONE, tmp_path, population=5000)
    assert "among 5,000 people it was drawn from" in page
    assert "a random sample of 5,000 people" in page


def test_rows_say_what_the_measures_are(tmp_path):
    release = publish(PEOPLE, ONE, name="people")
    from papilio.policy.apply import order_of

    (view,) = views_of(release, order_of(PEOPLE, ONE, "people")[0].table, ONE)
    rows = {(who, what.split(";")[0]): shares for who, what, *shares in risk_rows(view)}
    assert rows["Prosecutor", "knows that a person is in the table"][0] == "100%"
    assert rows["Alone", "people who are like nobody else in the table"] == ["40 (100%)", "nobody"]
    marketer = f"{view.after.classes} ({100 * view.after.classes / 40:#.3g}%)".replace(".%", "%")
    assert marketer in {after for _, after in rows.values()}


@pytest.mark.parametrize(
    ("band", "label"),
    [
        (Band(1, 1, 0), "alone"),
        (Band(2, 2, 0), "2"),
        (Band(3, 4, 0), "3–4"),
        (Band(100, None, 0), "≥ 100"),
    ],
)
def test_bands_are_named_by_sizes(band, label):
    assert band_label(band) == label


def test_the_picture_tells_its_numbers_to_those_who_cannot_see_it():
    bars = [BandBar("alone", 1200, 0), BandBar("2", 3, 1203)]
    assert "alone: 1,200 and 0; 2: 3 and 1,203" in describe(bars)
    drawn = people_by_class_chart(bars, width=400)
    assert describe(bars) in drawn
    # Both colours, before and after, are there.
    assert "#b6c2cf" in drawn
    assert "#0f6b75" in drawn


def test_hostile_names_are_text():
    # No policy takes a name with a control character.
    original = hostile_table("bell</title>")
    release = release_of(original, 2)
    policy = Policy(columns={c.name: c.role.value for c in original.columns}, privacy=K(2))
    views = views_of(release, original, policy)
    assert len(band_bars(views[0])) == 7
    page = render(document(owned(release, original, risk=RiskFound(views, ""))))
    assert HOSTILE not in page
