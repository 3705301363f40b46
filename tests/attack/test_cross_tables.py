"""Candidates of several tables put side by side, against going through all that may be true."""

import random

import numpy as np
import polars as pl
import pytest

import projected_releases as small
from oracles import projected_attacks as oracle
from papilio.attack.cross_tables import cross_tables, values_that_never_meet
from papilio.attack.intersection import intersection
from papilio.data.encode import encode
from papilio.data.table import Role
from papilio.families.classes import Classes
from papilio.families.generalising.publish import generalised_release
from papilio.families.projections.make import projected, projected_release
from papilio.policy.apply import order_of
from papilio.policy.policy import Policy
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.randomness import Randomness
from sizes import tries

COLUMNS = {"age": "quasi", "a": "sensitive", "b": "sensitive", "c": "sensitive"}


def divided(chance, rows, least):
    """Random classes of at least so many rows."""
    order, sizes = chance.sample(range(rows), rows), []
    while rows - sum(sizes) >= 2 * least:
        sizes.append(chance.randrange(least, rows - sum(sizes) - least + 1))
    sizes.append(rows - sum(sizes))
    return Classes(np.array(order, np.int32), np.cumsum([0, *sizes]))


def made_by_hand(frame, plan, classes, l):
    """Tables with given classes, each of which claims an l of its columns."""
    columns = {name: COLUMNS.get(name, "plain") for name in frame.columns}
    policy = Policy(columns=columns, privacy={"k": 2})
    original = order_of(frame, policy, "people")[0].table
    encoded = encode(original, original.with_role(Role.QUASI))
    chance, parts = Randomness(1), []
    for number, names in enumerate(plan, 1):
        kept = [name for name in names if columns[name] == "sensitive"]
        plain = [name for name in names if columns[name] == "plain"]
        demands = (KAnonymity(2), *(DistinctDiversity(name, l) for name in kept))
        parts.append(
            generalised_release(
                projected(original, number, kept, plain), encoded, classes[number - 1], demands,
                method="none", text=False, randomness=chance,
            )
        )  # fmt: skip
    return projected_release(parts, "none").release, original, policy


def covers(row, person):
    return row["age_min"] <= person["age"] <= row["age_max"]


def expected(release, plan, frame, allowed, l):
    """People below l and certain, and per column, by the oracle."""
    tables = [release.frames[table.name].to_dicts() for table in release.manifest.tables]
    sensitive = [[name for name in names if COLUMNS.get(name) == "sensitive"] for names in plan]
    below = certain = 0
    columns = dict.fromkeys((name for names in sensitive for name in names), 0)
    for person in frame.to_dicts():
        before, after = oracle.cross_tables(person, tables, covers, sensitive, allowed)
        sure = [len(before[name]) > 1 and len(after[name]) == 1 for name in columns]
        short = [
            known or (len(after[name]) < l <= len(before[name]))
            for name, known in zip(columns, sure, strict=True)
        ]
        for name, found in zip(columns, short, strict=True):
            columns[name] += found
        below, certain = below + any(short), certain + any(sure)
    return below, certain, columns


@pytest.mark.searches
def test_all_rows_that_may_be_a_persons():
    chance, found = random.Random(8), 0
    for _ in range(tries(12, 300, "PAPILIO_CROSS_TABLES")):
        rows = chance.randrange(4, 9)
        frame = pl.DataFrame(
            {
                "age": [chance.randrange(20, 26) for _ in range(rows)],
                **{name: [chance.choice("wxyz") for _ in range(rows)] for name in "abc"},
            }
        )
        if chance.random() < 0.3:
            frame = frame.with_columns(a=pl.when(pl.int_range(pl.len()) > 1).then("a"))
        plan = chance.choice([[["a"], ["b"]], [["a", "c"], ["b"]], [["a"], ["b", "c"]]])
        frame = frame.select("age", *(name for names in plan for name in names))
        least = chance.choice([2, 3])
        classes = [divided(chance, rows, least) for _ in plan]
        l = chance.choice([2, 3])
        release, original, policy = made_by_hand(frame, plan, classes, l)
        true = set(zip(frame["a"].to_list(), frame["b"].to_list(), strict=True))
        extra = {(chance.choice("wxyz"), chance.choice("wxyz")) for _ in range(chance.randrange(4))}
        allowed = {("a", "b"): true | extra}
        support = {
            pair: pl.DataFrame(sorted(known, key=str), schema=list(pair), orient="row")
            for pair, known in allowed.items()
        }
        (result,) = cross_tables(release, original, policy, support)
        below, certain, columns = expected(release, plan, frame, allowed, l)
        assert (result.figures["below"], result.figures["certain"]) == (below, certain)
        assert {each.column: each.people for each in result.exposed} == columns
        found += certain
    assert found


def test_what_each_table_hides_and_both_tell():
    """Of two rows in each class only one goes with a row of the other table."""
    frame = pl.DataFrame({"age": [20, 20, 30, 30], "a": [*"xyxz"], "b": [*"uvuw"]})
    one = Classes(np.array([0, 1, 2, 3], np.int32), np.array([0, 2, 4]))
    plan = [["a"], ["b"]]
    together = pl.DataFrame({"a": [*"xyz"], "b": [*"uvw"]})
    same, original, policy = made_by_hand(frame, plan, [one, one], 2)
    (result,) = cross_tables(same, original, policy, {("a", "b"): together})
    assert result.figures["certain"] == 0
    moved = frame.with_columns(age=pl.Series([20, 25, 25, 30]))
    other = Classes(np.array([0, 2, 1, 3], np.int32), np.array([0, 2, 4]))
    release, original, policy = made_by_hand(moved, plan, [one, other], 2)
    (result,) = cross_tables(release, original, policy, {("b", "a"): together.select("b", "a")})
    (alone,) = intersection(release, original, policy)
    # Whoever is 20 has x or y, and u by both of its rows: x. Whoever is 30 has x or z, v or w: z.
    assert alone.figures["certain"] == 1
    assert result.figures["certain"] == 2
    assert {each.column: each.people for each in result.exposed} == {"a": 2, "b": 1}
    assert not {"x", "y", "z", "u"} & set(result.sentence.split())


@pytest.mark.searches
def test_independent_columns_have_no_rule():
    """Whatever their numbers of values; 1 in 1000 would be allowed to."""
    chance, found = np.random.default_rng(4), 0
    for _ in range(tries(100, 3000)):
        rows = int(chance.integers(2, 3000))
        first, second = (
            np.unique(chance.zipf(1.3, rows) % chance.integers(2, 2000), return_inverse=True)[1]
            for _ in "ab"
        )
        tests = 8 * (first.max() + 2) * (second.max() + 2)
        found += values_that_never_meet(first, second, int(tests)) is not None
    assert found == 0


def ill(rows=3000, seed=5):
    """Each of 60 drugs is for one of 40 illnesses or two; age and town say nothing."""
    chance = np.random.default_rng(seed)
    drug = chance.integers(0, 60, rows)
    illness = np.where(chance.random(rows) < 0.5, drug % 40, drug * 7 % 40)
    return pl.DataFrame(
        {
            "age": chance.integers(18, 90, rows),
            "town": chance.integers(0, 20, rows),
            "illness": [f"i{n}" for n in illness],
            "drug": [f"d{n}" for n in drug],
        }
    )


def ill_policy(**more):
    columns = {"age": "quasi", "town": "quasi", "illness": "sensitive", "drug": "sensitive"}
    return Policy(
        columns=columns,
        privacy={"k": 3, "l": 3, "exposure": 0.0},
        method="projections",
        **more,
    )


def tried(frame, policy):
    release = small.release(frame, policy)
    original = order_of(frame, policy, "people")[0].table
    return next(cross_tables(release, original, policy))


def test_a_rule_is_learnt_and_used_and_shared_classes_stop_it():
    frame = ill(800)
    open_to_it = tried(frame, ill_policy(generalise="mondrian"))
    assert open_to_it.figures["rules"] == 1
    assert open_to_it.figures["below"] > 10
    closed = tried(frame, ill_policy(generalise="mondrian", classes="shared"))
    assert closed.figures["rules"] == 1
    assert closed.figures["below"] == closed.figures["certain"] == 0


def test_shuffled_columns_tell_nothing():
    frame = ill(800)
    frame = frame.with_columns(drug=pl.col("drug").shuffle(seed=3))
    result = tried(frame, ill_policy(generalise="mondrian"))
    assert result.figures["rules"] == 0
    assert "tells nothing more" in result.sentence


def test_one_table_has_nothing_to_put_aside():
    frame = ill(60)
    policy = Policy(
        columns={"age": "quasi", "illness": "sensitive"}, privacy={"k": 3}, method="projections"
    )
    result = tried(frame.select("age", "illness"), policy)
    assert "Not tried" in result.sentence
