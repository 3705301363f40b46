"""Whom attacks count as exposed: exact numbers of people, by column or by who they are."""

from __future__ import annotations

import polars as pl
import pytest

import papilio as pp
from papilio.attack.result import Exposed

COLUMNS = {"age": "quasi", "ill": "sensitive"}


def _exposed(people, policy, attack):
    release = pp.publish(people, policy, name="people")
    results = pp.attack(release, original=policy, data=people)
    return [e for result in results if result.attack == attack for e in result.exposed]


@pytest.fixture
def alike():
    """Two classes of three: all of the younger have one illness."""
    return pl.DataFrame({"age": [20, 20, 20, 50, 50, 50], "ill": [*"aaabcd"]})


@pytest.mark.parametrize("attack", ["linkage", "homogeneity"])
def test_people_of_a_class_that_shares_a_value_are_exposed(alike, attack):
    policy = pp.Policy(columns=COLUMNS, privacy=pp.K(3), method="mondrian")
    assert Exposed(3, 6, "ill") in _exposed(alike, policy, attack)


def test_nobody_has_fewer_candidates_than_k_or_a_value_that_is_learnt(alike):
    policy = pp.Policy(columns=COLUMNS, privacy=[pp.K(3), pp.L("ill", 2)], method="mondrian")
    found = _exposed(alike, policy, "linkage") + _exposed(alike, policy, "homogeneity")
    assert found == [Exposed(0, 6), Exposed(0, 6, "ill"), Exposed(0, 6, "ill")]


def test_those_with_fewer_rows_than_a_stricter_policy_promises_are_alone(alike):
    policy = pp.Policy(columns=COLUMNS, privacy=pp.K(3), method="mondrian")
    release = pp.publish(alike, policy, name="people")
    stricter = pp.Policy(columns=COLUMNS, privacy=pp.K(4), method="mondrian")
    (linkage, *_) = pp.attack(release, original=stricter, data=alike)
    assert linkage.exposed[0] == Exposed(6, 6)


def test_of_a_coalition_without_a_promise_those_who_are_singled_out_count():
    people = pl.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 1, 2], "ill": [*"wxyz"]})
    columns = {"a": "quasi", "b": "quasi", "ill": "sensitive"}
    policy = pp.Policy(
        columns=columns, privacy=pp.K(2), recipients={"one": ["a"], "two": ["b"]}, method="union"
    )
    release = pp.publish(people, policy, name="people")
    (collusion,) = (
        result
        for result in pp.attack(release, original=policy, data=people)
        if result.attack == "collusion"
    )
    alone = int(collusion.figures["singled_out"])
    assert collusion.exposed == (Exposed(alone, 4), Exposed(alone, 4, "ill"))


def test_a_rule_names_the_column_that_gives_people_away():
    towns = [f"t{number}" for number in range(8)] * 5
    people = pl.DataFrame(
        {"town": towns, "county": [f"c{int(t[1]) // 2}" for t in towns], "ill": [*"abcd"] * 10}
    )
    columns = {"town": "quasi", "county": "plain", "ill": "sensitive"}
    policy = pp.Policy(columns=columns, privacy=pp.K(20), method="mondrian")
    (found,) = _exposed(people, policy, "dependency")
    assert (found.people > 0, found.of, found.column, found.through) == (True, 40, None, "county")
    assert found.to_dict()["through"] == "county"


def test_a_value_that_a_known_one_makes_certain_is_exposed_per_column():
    people = pl.DataFrame({"age": [30] * 4, "ill": [*"aabb"], "drug": [*"xxyz"]})
    columns = {"age": "quasi", "ill": "sensitive", "drug": "sensitive"}
    policy = pp.Policy(columns=columns, privacy=pp.K(4), method="mondrian")
    # Each drug says its illness; of illness a the drug is certain, of b it is not.
    assert _exposed(people, policy, "background_join") == [
        Exposed(4, 4, "ill"),
        Exposed(2, 4, "drug"),
    ]
