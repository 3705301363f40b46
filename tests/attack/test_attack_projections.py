"""Background join and intersection against going through everybody."""

import random
from dataclasses import replace

import polars as pl
import pytest

import projected_releases as small
from oracles import projected_attacks as oracle
from papilio.attack.background_join import background_join
from papilio.attack.intersection import intersection
from papilio.data.encode import encode
from papilio.data.table import Role
from papilio.families.classes import Classes
from papilio.families.generalising.publish import generalised_release
from papilio.policy.apply import order_of
from papilio.policy.policy import Policy
from papilio.privacy.k_anonymity import KAnonymity
from papilio.randomness import Randomness
from papilio.workflow.publish import publish
from papilio.workflow.risk import attack


def covers(row, person):
    sexes = row["sex"].strip("[]").replace('"', "").split(",")
    return row["age_min"] <= person["age"] <= row["age_max"] and person["sex"] in sexes


@pytest.fixture(params=[(0.4, 2, 3), (0.2, 3, 7), (0.6, 4, 11)])
def case(request):
    exposure, k, seed = request.param
    frame = small.people(40, seed)
    policy = small.policy(privacy={"k": k, "exposure": exposure, "l": 2})
    return small.release(frame, policy, seed), order_of(frame, policy, "people")[0].table, policy


def sensitive_of(release):
    return [[c.name for c in t.columns if c.role == "sensitive"] for t in release.manifest.tables]


def test_background_join_is_as_defined(case):
    release, original, policy = case
    people = original.frame.to_dicts()
    results = list(background_join(release, original, policy))
    told = {each.attacker.rsplit(" ", 1)[1]: each.figures for each in results[:-1]}
    gain = certain = pairs = 0
    for table, names in zip(release.manifest.tables, sensitive_of(release), strict=True):
        if len(names) < 2:
            continue
        rows = release.frames[table.name].to_dicts()
        found = [
            oracle.background_join(people, rows, covers, known, wanted)
            for known in names
            for wanted in names
            if known != wanted
        ]
        figures = told[table.name]
        count = len(found)
        assert figures["pairs"] == count
        assert figures["before"] == pytest.approx(sum(f[0] for f in found) / count)
        assert figures["after"] == pytest.approx(sum(f[1] for f in found) / count)
        newly = [sum(flags) for flags in zip(*(f[2] for f in found), strict=True)]
        assert figures["certain"] == pytest.approx(sum(newly) / len(people))
        assert figures["learnt"] == sum(each > 0 for each in newly)
        gain += sum(f[1] - f[0] for f in found)
        certain += sum(newly)
        pairs += count
    whole = results[-1].figures
    assert (whole["pairs"], whole["inside"]) == (6 * 5, pairs)
    assert whole["gain"] == pytest.approx(gain / 30)
    assert whole["certain"] == pytest.approx(certain / len(people))


def test_intersection_is_as_defined(case):
    release, original, policy = case
    people = original.frame.to_dicts()
    tables = [release.frames[t.name].to_dicts() for t in release.manifest.tables]
    (result,) = intersection(release, original, policy)
    joined, surest, certain, whole = oracle.intersection(
        people, tables, covers, sensitive_of(release)
    )
    assert result.figures["joined"] == joined
    assert result.figures["confidence"] == pytest.approx(surest)
    assert result.figures["certain"] == certain
    assert result.figures["whole"] == pytest.approx(whole)
    assert result.figures["confidence"] <= result.figures["bound"] + 1e-12


def test_the_printed_bound_is_wrong_for_classes_larger_than_k():
    """Ten rows, k = 2, l = 2: nine of ten share a value, where 1 / 2 is printed."""
    frame = pl.DataFrame(
        {"age": [30] * 10, "one": ["a"] * 9 + ["b"], "two": ["c", "d"] + ["c", "d"] * 4}
    )
    policy = small.policy(
        {"age": "quasi", "one": "sensitive", "two": "sensitive"},
        privacy={"k": 2, "l": 2, "exposure": 0.0},
    )
    release = small.release(frame, policy)
    assert len(release.manifest.tables) == 2
    (result,) = intersection(release, order_of(frame, policy, "people")[0].table, policy)
    assert result.figures["confidence"] == pytest.approx(0.9)
    assert result.figures["bound"] == pytest.approx(0.9)
    assert result.figures["paper"] == pytest.approx(0.5)


def test_no_bound_without_an_l_on_every_column():
    policy = small.policy()
    original = order_of(small.people(), policy, "people")[0].table
    (result,) = intersection(small.release(made=policy), original, policy)
    assert "bound" not in result.figures


def test_one_table_has_nothing_to_join():
    policy = small.policy(privacy={})
    original = order_of(small.people(), policy, "people")[0].table
    (result,) = intersection(small.release(made=policy), original, policy)
    assert "Not tried" in result.sentence


def paper_release(partition):
    policy = Policy(columns=small.PAPER_COLUMNS, privacy={"k": 2})
    original = order_of(small.PAPER, policy, "people")[0].table
    rows = [row for each in partition for row in each]
    classes = Classes(pl.Series(rows, dtype=pl.Int32).to_numpy(), pl.Series([0, 2, 4]).to_numpy())
    encoded = encode(original, original.with_role(Role.QUASI))
    release = generalised_release(
        original,
        encoded,
        classes,
        (KAnonymity(2),),
        method="none",
        text=False,
        randomness=Randomness(1),
    ).release
    return release, original, policy


def test_example_2_of_the_paper():
    """Table 1 (b): who knows that Bob, t4, is a teacher knows that he has asthma.

    Cells of both classes cover t4's quasi-identifiers only in the second class, so that he has two
    candidates; each sensitive column leaves a chance of one half, and any known value is enough.
    """
    release, original, policy = paper_release(small.PARTITIONS["b"])
    # Leave one man among the people: {sex: m, race: black} lies in the second class alone.
    bob = replace(original, frame=original.frame.tail(1))
    (result,) = background_join(release, bob, policy)
    assert result.figures == {
        "people": 1,
        "pairs": 6,
        "before": 0.5,
        "after": 1.0,
        "certain": 6.0,
        "learnt": 1,
    }


def test_one_sensitive_column_says_nothing_of_others():
    frame = small.people().select("age", "sex", "drug")
    policy = Policy(columns={"age": "quasi", "sex": "quasi", "drug": "sensitive"}, privacy={"k": 3})
    release = small.release(frame, policy)
    original = order_of(frame, policy, "people")[0].table
    assert list(background_join(release, original, policy)) == []


def test_all_attacks_by_the_verb():
    results = attack(small.release(), original=small.policy(), data=small.people())
    names = {"linkage", "dependency", "background_join", "cross_tables", "intersection"}
    names |= {"certain_rows", "singling_out"}
    assert {each.attack for each in results} == names
    text = " ".join(each.sentence + each.attacker for each in results)
    assert not {"flu", "hiv", "cook", "clerk"} & set(text.replace(",", "").split())


def towns(rows=200):
    """People of towns, each of which lies in one county; pay and illness depend on nothing."""
    chance = random.Random(4)
    town = [chance.randrange(12) for _ in range(rows)]
    return pl.DataFrame(
        {
            "age": [chance.randrange(20, 70) for _ in town],
            "town": [f"t{each:02}" for each in town],
            "county": [f"c{each % 4}" for each in town],
            "ill": [chance.choice("abcd") for _ in town],
            "pay": [chance.randrange(5) for _ in town],
        }
    )


def test_a_county_gives_people_away_in_the_table_that_has_it():
    """Each table has five rows for everybody; the one with counties has fewer for who has a map."""
    frame = towns()
    columns = {"age": "quasi", "town": "quasi", "county": "plain"}
    order = Policy(
        columns={**columns, "ill": "sensitive", "pay": "sensitive"},
        privacy={"k": 5, "l": 2, "exposure": 0},
        method="projections",
        cells="safe",
    )
    release = publish(frame, order, name="people", seed=1)
    part = next(
        each for each in release.manifest.tables if "county" in {c.name for c in each.columns}
    )
    lines = release.frames[part.name].to_dicts()
    left = [
        sum(
            line["age_min"] <= row["age"] <= line["age_max"]
            and row["town"] in line["town"]
            and line["county"] == row["county"]
            for line in lines
        )
        for row in frame.to_dicts()
    ]
    few = sum(each < 5 for each in left)
    assert few > 20
    (found,) = (each for each in release.lights.alone.findings if each.people)
    assert (found.attack, found.people, found.of) == ("dependency", few, 200)
    assert found.attacker.endswith(f"in {part.name}")
    assert found.remedy.line == "columns: {county: quasi}"
    better = publish(frame, order.varied(found.remedy.changes), name="people", seed=1)
    assert better.lights.alone.colour == "green"
    assert better.lights.alone.sentence == "Nobody of 200 people stands alone."
    again = attack(release, original=order, data=frame)
    assert [each.attacker for each in again if each.attack == "linkage"] == [
        f"everyone, knowing age, town, in {each.name}" for each in release.manifest.tables
    ]
    assert [each.figures["below"] for each in again if "below" in each.figures][:1] == [few]
    assert all(each.figures["smallest"] >= 5 for each in again if each.attack == "linkage")
