"""Tables 1 and 2 and figure 3 of Nergiz, Clifton, Nergiz (ICDE 2007), with its slips corrected."""

from collections import Counter
from pathlib import Path

import polars as pl
import pytest

import linked
from oracles import trees as oracle
from papilio.attack.known_children import candidates, original_side, published_side
from papilio.data.link import Snowflake
from papilio.families.linked.methods.forest import distance, forest_of
from papilio.policy.apply_tables import linked_order
from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.workflow.publish import publish
from papilio.workflow.risk import attack
from papilio.workflow.verify import verify

EXAMPLE = Path(__file__).parents[2] / "examples" / "linked-tables" / "policy.yaml"


@pytest.fixture(scope="module")
def policy():
    return Policy.load(EXAMPLE)


@pytest.fixture(scope="module")
def release(policy):
    return publish(None, policy, seed=1)


def student(gpa, courses):
    return gpa, Counter(courses)


def students(release):
    """GPA of each student, and how often each (course, grade, books) occurs among theirs."""
    frames = {name: frame.to_dicts() for name, frame in release.frames.items()}
    found = []
    for person in frames["student"]:
        mine = [row for row in frames["takes"] if row["sid"] == person["sid"]]
        books = {
            row["scid"]: tuple(
                sorted((b["book"], b["price"]) for b in frames["book"] if b["scid"] == row["scid"])
            )
            for row in mine
        }
        courses = [(row["course"], row["grade"], books[row["scid"]]) for row in mine]
        found.append((person["gpa"], Counter(courses)))
    return sorted(found, key=lambda each: each[0])


def test_table_2_corrected(release):
    """Grade 75 (not 77) of SC8, three removed books, one removed course with its book."""
    expected = [
        student(3.72, [
            ("Science", 93, (("Discrete", 63),)),
            ("Physics", 91, (("Dynamics", 42),)),
            ("Social", 85, (("Relg Book", 33),)),
        ]),
        student(2.34, [
            ("Science", 78, (("Discrete", 65),)),
            ("Physics", 62, (("Dynamics", 51),)),
            ("Social", 42, (("Relg Book", 38),)),
        ]),
        student(3.12, [("History", 85, (("Hist Book", 49),)), ("Religion", 75, ())]),
        student(4.00, [("History", 98, (("Hist Book", 54),)), ("Religion", 96, ())]),
    ]  # fmt: skip
    assert students(release) == sorted(expected, key=lambda each: each[0])


def test_every_tree_is_there_twice_with_childless_rows(release):
    trees = Counter(oracle.canonical(tree) for tree in linked.published_trees(release))
    assert sorted(trees.values()) == [2, 2]


def test_it_verifies_with_the_original(release, policy):
    verdict = verify(release, original=policy)
    assert verdict.holds
    claims = {finding.claim: finding.measured for finding in verdict.findings}
    assert claims["entities"] == "4 of 4 people can be matched"
    assert claims["entity-k-anonymity"].startswith("k = 2 people over 2 classes")


def test_figure_3(policy):
    """Math with CS, Physics with Physics, History with Religion; Calculus is removed."""
    forest = forest_of(linked_order(policy).snowflake)
    science, social, religious = 2 / 4, 1 / 4, 1 / 6
    removed = 2  # a row and its one quasi-identifier
    assert distance(forest, 0, 1) == pytest.approx(2 * (science + social + religious) + removed)


def small(tables):
    return {name: pl.DataFrame(rows) for name, rows in tables.items()}


def test_joining_or_single_tables_single_chris_out(policy):
    """Section 3: with CS and Math as Science, each row of the join occurs twice; Chris is alone."""
    snowflake = linked_order(policy).snowflake
    order = [table for table in snowflake.tables if table.name != "book"]
    courses = Snowflake(tuple(order))
    takes = courses.tables[1].table.frame
    coarse = takes.get_column("course").cast(pl.String).replace(["Math", "CS"], "Science")
    assert min(coarse.value_counts()["count"]) >= 2
    side = original_side(courses)
    side.fits[1][0] = lambda row: (coarse == coarse[row]).to_numpy()
    known = [(1, 0), (1, 1), (1, 2)]
    assert candidates(side, courses, 0, known) == 1


def test_known_rows_leave_two_students(policy, release):
    snowflake = linked_order(policy).snowflake
    side = published_side(release, snowflake)
    facts = [(1, row) for row in range(11)] + [(2, row) for row in range(11)]
    for one in facts:
        for other in facts:
            if one != other:
                assert candidates(side, snowflake, 0, [one, other]) != 1


def test_the_attack_says_what_changed(policy, release):
    results = attack(release, original=policy)
    results = [each for each in results if each.attack == "known_children"]
    assert [each.figures["known"] for each in results] == [1, 2, 3]
    # Whatever three rows of S4 are known, nobody else has them.
    assert results[-1].figures["alone_before"] >= 1
    assert all(each.figures["alone_after"] == 0 for each in results)


def test_keys_and_order_say_nothing(policy):
    one, other = publish(None, policy), publish(None, policy)
    assert isinstance(one, Release)
    assert set(one.frames["takes"]["scid"]) == set(range(1, 11))
    pairs = [
        r.frames["student"].sort("gpa")["sid"].to_list() + r.frames["takes"]["grade"].to_list()
        for r in (one, other)
    ]
    assert pairs[0] != pairs[1]
