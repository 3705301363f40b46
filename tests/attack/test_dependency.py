"""Columns that say what was hidden, against counting one by one."""

import random

import numpy as np
import polars as pl
import pytest

import papilio as pp
from oracles import dependency as oracle
from oracles.people_risk import fits
from papilio.attack import dependency as module
from papilio.attack.dependency import Dependency, candidates_by_rules, dependencies_of
from shared_releases import shared_release
from sizes import tries

KNOWN, NAMES = ("age", "job"), ("age", "job", "ill")
COUNTY = {"age": "quasi", "town": "quasi", "county": "plain"}


def towns(rows=400, counties=4, seed=2):
    """People of towns, each of which lies in one county."""
    chance = np.random.default_rng(seed)
    town = chance.integers(0, 20, rows)
    return pl.DataFrame(
        {
            "age": chance.integers(20, 70, rows),
            "town": [f"t{each:02}" for each in town],
            "county": [f"c{each % counties}" for each in town],
        }
    )


def found_in(release, policy, frame):
    (found,) = (
        each
        for each in pp.attack(release, original=policy, data=frame)
        if each.attack == "dependency"
    )
    return found


def test_a_county_says_where_a_town_is():
    """Everybody has five rows in their class, and far fewer in their county."""
    frame = towns()
    policy = pp.Policy(columns=COUNTY, privacy=pp.K(5), method="mondrian")
    release = pp.publish(frame, policy, name="people", seed=1)
    assert release.verify().holds
    found = found_in(release, policy, frame)
    lines = release.frames["people"].to_dicts()
    left = [
        sum(
            each["age_min"] <= row["age"] <= each["age_max"]
            and row["town"] in each["town"]
            and each["county"] == row["county"]
            for each in lines
        )
        for row in frame.to_dicts()
    ]
    assert found.figures == {
        "dependencies": 1,
        "people": 400,
        "k": 5,
        "below": sum(each < 5 for each in left),
        "singled_out": left.count(1),
        "smallest": min(left),
    }
    assert found.figures["below"] > 100
    assert "town says county" in found.sentence


def test_the_remedy_is_silent():
    frame = towns().with_columns(ill=pl.Series(["x", "y", "z", "w"] * 100))
    columns = {**COUNTY, "county": "quasi", "ill": "sensitive"}
    policy = pp.Policy(columns=columns, privacy=pp.K(5))
    release = pp.publish(frame, policy, name="people")
    assert found_in(release, policy, frame).figures == {"dependencies": 0, "people": 400}
    nothing = frame.drop("ill")
    policy = pp.Policy(columns={**COUNTY, "county": "quasi"}, privacy=pp.K(5))
    release = pp.publish(nothing, policy, name="people")
    assert found_in(release, policy, nothing).sentence.startswith("Not tried")


def test_a_rule_in_the_other_direction():
    """A school is in one town; a town has several."""
    frame = towns().with_columns(county=pl.col("town") + pl.Series(["a", "b"] * 200))
    rules = dependencies_of(frame, ["age", "town"], ["county"])
    assert [(each.known, each.forward) for each in rules] == [(("town",), False)]
    assert "county says town" in str(rules[0])


def test_two_columns_say_a_third():
    chance = np.random.default_rng(5)
    one, two = chance.integers(0, 6, 2000), chance.integers(0, 6, 2000)
    frame = pl.DataFrame({"a": one, "b": two, "c": (one + two) % 6})
    (rule,) = dependencies_of(frame, ["a", "b"], ["c"])
    assert rule == Dependency(("a", "b"), "c", True, 0.0)


def test_a_few_exceptions_do_not_hide_a_rule():
    frame = towns(2000)
    moved = pl.when(pl.int_range(2000) % 50 == 0).then(pl.lit("c9")).otherwise("county")
    (rule,) = dependencies_of(frame.with_columns(county=moved), ["age", "town"], ["county"])
    assert 0.01 < rule.wrong < 0.03
    half = pl.when(pl.int_range(2000) % 2 == 0).then(pl.lit("c9")).otherwise("county")
    assert dependencies_of(frame.with_columns(county=half), ["age", "town"], ["county"]) == []


@pytest.mark.searches
@pytest.mark.parametrize(("fewest", "most"), [(5, 20), (20, 600)])
def test_independent_columns_are_no_alarm(fewest, most):
    """However many values they have, and however few rows."""
    alarms = 0
    for seed in range(tries(60, 600)):
        chance = np.random.default_rng(seed)
        rows = int(chance.integers(fewest, most))
        frame = pl.DataFrame(
            {
                name: chance.integers(0, int(chance.integers(1, rows * 2)), rows)
                for name in ("a", "b", "c", "d", "e")
            }
        )
        alarms += bool(dependencies_of(frame, ["a", "b", "c"], ["d", "e"]))
    assert alarms <= tries(60, 600) / 100


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(tries(25, 1000)))
def test_candidates_are_those_found_one_by_one(seed):
    draw = random.Random(seed)
    rows = draw.randrange(2, 12)
    frame = pl.DataFrame(
        {
            "age": [draw.randrange(5) for _ in range(rows)],
            "job": [draw.choice("abc") for _ in range(rows)],
            "ill": [draw.choice("xyz") for _ in range(rows)],
        }
    )
    blocks = {name: [draw.randrange(3) for _ in range(rows)] for name in KNOWN}
    made = shared_release(frame, blocks, None, sensitive=("ill",))
    every = [(("age",), "ill", True), (("job",), "ill", False), (KNOWN, "ill", True)]
    rules = [each for each in every if draw.random() < 0.6 and _is_settled(each, frame.to_dicts())]
    if not rules:
        return
    told = [Dependency(*each, 0.0) for each in rules]
    table = made.release.manifest.tables[0]
    found = candidates_by_rules(made.release, table, made.table, KNOWN, told)
    expected = [
        oracle.left(row, made.people, made.cells, KNOWN, rules, fits) for row in made.people
    ]
    assert found.tolist() == expected


def _is_settled(rule, rows):
    """Whether nothing is said by two values equally often, where either may be taken."""
    columns, published, forward = rule
    ends = (list(columns), [published]) if forward else ([published], list(columns))
    return all(len(said) == 1 for said in oracle.says(rows, *ends).values())


@pytest.mark.searches
def test_wrong_rows_are_counted_as_they_should_be():
    for seed in range(tries(40, 400)):
        draw = random.Random(seed)
        rows = [{"a": draw.randrange(4), "b": draw.randrange(4)} for _ in range(1 + seed % 17)]
        one, other = (np.array([row[name] for row in rows]) for name in "ab")
        assert module._wrong(one, other) == pytest.approx(oracle.wrong(rows, ["a"], ["b"]))


def test_a_recipient_who_knows_nothing_knows_no_rule():
    frame = towns(50)
    policy = pp.Policy(
        columns=COUNTY, recipients={"a": ["age"], "b": ["town"], "c": []}, privacy=pp.K(2)
    )
    release = pp.publish(frame, policy, name="people")
    found = {
        each.attacker.partition(",")[0]: each.figures["dependencies"]
        for each in pp.attack(release, original=policy, data=frame)
        if each.attack == "dependency"
    }
    assert found == {"a": 0, "b": 1, "c": 0}


def release_of(policy, frame):
    return pp.publish(frame, policy, name="people", seed=1)


def remedy_for(found, policy):
    (exposed,) = found.exposed
    attack = next(each for each in policy.family.attacks if each.name == "dependency")
    return exposed, attack.remedy(exposed, policy)


@pytest.mark.parametrize(
    "recipients", [{}, {"recipients": {"one": ["age", "town"], "two": ["age"]}}]
)
def test_what_is_proposed_stops_it(recipients):
    frame = towns()
    policy = pp.Policy(columns=COUNTY, privacy=pp.K(5), **recipients)
    release = pp.publish(frame, policy, name="people", seed=1)
    found = [
        each
        for each in pp.attack(release, original=policy, data=frame)
        if each.attack == "dependency" and each.exposed[0].people
    ]
    exposed, remedy = remedy_for(found[0], policy)
    assert (exposed.through, exposed.by) == ("county", ("town",))
    assert remedy.line == "columns: {county: {role: plain, follows: town}}"
    safe = policy.varied(remedy.changes)
    release = pp.publish(frame, safe, name="people", seed=1)
    assert release.verify().holds
    after = pp.attack(release, original=safe, data=frame)
    # Its cells are tight all the same.
    others = [each for each in after if each.attack != "certain_rows"]
    assert not [e for each in others for e in each.exposed if e.people]


def test_two_columns_that_say_a_third_are_written_as_a_rule():
    chance = np.random.default_rng(7)
    a, b = chance.integers(0, 6, (2, 300))
    frame = pl.DataFrame({"a": a, "b": b, "c": [f"c{x}" for x in (a + b) % 6]})
    policy = pp.Policy(columns={"a": "quasi", "b": "quasi", "c": "plain"}, privacy=pp.K(6))
    release = pp.publish(frame, policy, name="people", seed=1)
    exposed, remedy = remedy_for(found_in(release, policy, frame), policy)
    assert (exposed.through, exposed.by) == ("c", ("a", "b"))
    assert remedy.changes == ((("depends",), [[["a", "b"], "c"]]),)
    safe = policy.varied(remedy.changes)
    assert safe.quasi == ("a", "b", "c")
    release = pp.publish(frame, safe, name="people", seed=1)
    assert release.verify().holds
    # A rule leaves two columns no more open than one, so cells that were safe cannot be so.
    for form, tight in (("safe", "bounds"), ("safe-text", "text")):
        before = policy.varied([(("cells",), form)])
        _, remedy = remedy_for(found_in(release_of(before, frame), before, frame), before)
        assert before.varied(remedy.changes).cells == tight


def test_a_school_that_says_its_town_becomes_quasi():
    frame = towns().with_columns(school=pl.col("town") + pl.Series(["x", "y"] * 200))
    policy = pp.Policy(
        columns={"age": "quasi", "town": "quasi", "school": "plain"}, privacy=pp.K(5)
    )
    release = pp.publish(frame, policy, name="people", seed=1)
    exposed, remedy = remedy_for(found_in(release, policy, frame), policy)
    assert exposed.people
    assert exposed.by == ()
    assert remedy.line == "columns: {school: quasi}"
