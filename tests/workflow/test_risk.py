"""The risk of a release, as workflow puts it together, for every kind of release."""

from __future__ import annotations

import json
from collections import Counter

import polars as pl
import pytest

from papilio import KE, K, Policy, publish
from papilio.errors import PapilioError, ReleaseError
from papilio.workflow.risk import attack, risk

ROWS = 60
PEOPLE = pl.DataFrame(
    {
        "age": [20 + (7 * i) % 31 for i in range(ROWS)],
        "town": [f"town{i % 4}" for i in range(ROWS)],
        "job": [f"job{i % 5}" for i in range(ROWS)],
        "pay": [1000 + 10 * i for i in range(ROWS)],
        "illness": [f"illness{i % 7}" for i in range(ROWS)],
    }
)
ROLES = {"age": "quasi", "town": "quasi", "job": "quasi", "illness": "sensitive"}
ONE = Policy(columns=ROLES, privacy=K(4))
SEVERAL = Policy(
    columns=ROLES,
    recipients={"insurer": ["age", "town"], "personnel": ["age", "job"]},
    privacy=K(4),
    method="butterfly",
)


def chances(frame, columns):
    """Number of rows alike, of each row."""
    alike = Counter(frame.select(columns).rows())
    return [alike[row] for row in frame.select(columns).rows()]


def test_before_and_after_are_those_of_the_tables():
    release = publish(PEOPLE, ONE, name="people")
    (view,) = risk(release, original=ONE, data=PEOPLE).views
    old = chances(PEOPLE, ["age", "town", "job"])
    new = chances(release.frames["people"], ["age_min", "age_max", "town", "job"])
    for found, sizes in ((view.before, old), (view.after, new)):
        assert (found.people, found.unique, found.smallest) == (ROWS, sizes.count(1), min(sizes))
        assert found.prosecutor.largest == pytest.approx(1 / min(sizes))
        assert found.prosecutor.at_risk == sum(size < 5 for size in sizes)
        assert found.marketer.expected == pytest.approx(sum(1 / size for size in sizes))
    assert view.before.unique > 0
    assert view.after.unique == 0


def test_every_recipient_is_looked_at_and_all_together():
    release = publish(PEOPLE, SEVERAL, name="people")
    found = risk(release, original=SEVERAL, data=PEOPLE)
    assert [view.recipient for view in found.views] == [
        "insurer", "personnel", "all recipients together"
    ]  # fmt: skip
    assert [view.columns for view in found.views] == [
        ("age", "town"), ("age", "job"), ("age", "town", "job")
    ]  # fmt: skip
    for view in found.views[:2]:
        assert view.after.prosecutor.largest <= 1 / 4
        assert view.before.unique == chances(PEOPLE, list(view.columns)).count(1)
    together = found.views[2].attacker
    assert [each.attack for each in found.attacks if each.attacker == together] == ["collusion"]


def test_attacks_are_those_of_attack():
    release = publish(PEOPLE, ONE, name="people")
    found = risk(release, original=ONE, data=PEOPLE)
    assert found.attacks == attack(release, original=ONE, data=PEOPLE)


def test_a_population_takes_risk_off_the_journalist_only():
    release = publish(PEOPLE, ONE, name="people")
    alone = risk(release, original=ONE, data=PEOPLE)
    among = risk(release, original=ONE, data=PEOPLE, population=6000)
    assert "6,000" in among.assumption
    (one,), (other,) = alone.views, among.views
    assert one.after.journalist == one.after.prosecutor == other.after.prosecutor
    assert other.after.journalist.largest < one.after.journalist.largest
    assert other.after.marketer.expected < one.after.marketer.expected
    assert [each.population for each in other.before.population] == [6000]
    assert [each.population for each in one.before.population] == [600, 6000]


def test_it_is_plain_data_without_a_cell_of_the_table():
    release = publish(PEOPLE, SEVERAL, name="people")
    text = json.dumps(risk(release, original=SEVERAL, data=PEOPLE).to_dict())
    assert not [value for value in ("town1", "job1", "illness1") if value in text]
    assert json.loads(text)["kind"] == "generalised"


def test_sentences_name_people():
    release = publish(PEOPLE, ONE, name="people")
    (view,) = risk(release, original=ONE, data=PEOPLE).views
    assert [each.attack for each in view.results] == [
        "prosecutor",
        "journalist",
        "marketer",
        "sample_uniqueness",
        "population_uniqueness",
        "population_uniqueness",
    ]
    said = view.results[3].sentence
    assert said.startswith("Nobody is alone in the table with what is known, instead of ")
    assert all(each.sentence.endswith(".") for each in view.results)


def test_permuted_rows_are_as_easy_to_find_as_they_were():
    roles = {"age": "quasi", "town": "quasi", "pay": "sensitive"}
    policy = Policy(columns=roles, privacy=KE(3, 20))
    release = publish(PEOPLE, policy, name="people")
    found = risk(release, original=policy, data=PEOPLE)
    (view,) = found.views
    assert view.before == view.after
    assert "as in the original" in view.results[0].sentence
    (identity,) = [each for each in found.attacks if each.attack == "open_identity"]
    assert identity.figures["found"] == chances(PEOPLE, ["age", "town"]).count(1)
    assert identity.figures["least_values"] >= 3
    assert "as easy to find as in the original" in found.notes[0]


def test_projections_are_looked_at_one_by_one(shared_projections):
    policy, release, frame = shared_projections
    found = risk(release, original=policy, data=frame)
    assert [view.table for view in found.views] == [t.name for t in release.manifest.tables]
    assert all(view.after.smallest >= 3 for view in found.views)


@pytest.fixture
def shared_projections():
    roles = {"age": "quasi", "town": "quasi", "job": "sensitive", "illness": "sensitive"}
    policy = Policy(columns=roles, privacy={"k": 3, "exposure": 0.5}, method="projections")
    return policy, publish(PEOPLE, policy, name="people"), PEOPLE


@pytest.mark.parametrize("population", [1, ROWS - 1])
def test_a_population_smaller_than_the_table_is_refused(population):
    release = publish(PEOPLE, ONE, name="people")
    with pytest.raises(PapilioError, match="at least as large as the table"):
        risk(release, original=ONE, data=PEOPLE, population=population)


def test_the_policy_of_another_release_is_refused():
    release = publish(PEOPLE, ONE, name="people")
    other = Policy(columns={**ROLES, "pay": "plain"}, privacy=K(4))
    with pytest.raises(ReleaseError, match="which the release does not have"):
        risk(release, original=other, data=PEOPLE)


def test_rows_left_out_are_not_counted_after():
    few = PEOPLE.vstack(PEOPLE.head(1).with_columns(age=pl.lit(99, pl.Int64)))
    policy = Policy(columns=ROLES, privacy={"k": 4, "suppress": 0.1}, method="incognito")
    release = publish(few, policy, name="people")
    (view,) = risk(release, original=policy, data=few).views
    assert view.before.people == few.height
    assert view.after.people == release.frames["people"].height
    assert [each.population for each in view.after.population] == [
        each.population for each in view.before.population
    ]
