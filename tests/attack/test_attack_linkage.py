"""Linkage, homogeneity and collusion against attacks by brute force."""

import random

import polars as pl
import pytest

from oracles import attacks as oracle
from papilio.attack.collusion import collusion
from papilio.attack.homogeneity import homogeneity
from papilio.attack.linkage import linkage
from shared_releases import shared_release
from sizes import some

RECIPIENTS = {"one": ("age", "job"), "two": ("job", "city"), "three": ("city", "pay")}


def random_release(seed, recipients):
    draw = random.Random(seed)
    rows = draw.randrange(1, 9)
    frame = pl.DataFrame(
        {
            "age": [draw.randrange(4) for _ in range(rows)],
            "job": [draw.choice("abc") for _ in range(rows)],
            "city": [draw.choice("xyz") for _ in range(rows)],
            "pay": [draw.randrange(3) for _ in range(rows)],
            "ill": [draw.choice(["flu", "none"]) for _ in range(rows)],
            "seen": [draw.randrange(2) for _ in range(rows)],
        }
    )
    blocks = {
        name: [draw.randrange(3) for _ in range(rows)] for name in ("age", "job", "city", "pay")
    }
    return shared_release(frame, blocks, recipients, sensitive=("ill", "seen"))


def close(figures, expected):
    return figures == pytest.approx(expected)


@pytest.mark.parametrize("seed", some(range(15), first=5))
def test_linkage_finds_what_comparing_all_with_all_finds(seed):
    made = random_release(seed, RECIPIENTS)
    found = list(linkage(made.release, made.table, made.policy))
    assert len(found) == len(RECIPIENTS)
    for result, known in zip(found, RECIPIENTS.values(), strict=True):
        assert close(result.figures, oracle.linked(made.people, made.cells, known, ("ill", "seen")))


@pytest.mark.parametrize("seed", some(range(15), first=5))
def test_coalitions_have_the_rows_that_fit_all_they_know(seed):
    made = random_release(seed, RECIPIENTS)
    found = list(collusion(made.release, made.table, made.policy))
    known = [("age", "job", "city"), ("age", "job", "city", "pay"), ("job", "city", "pay")]
    known.append(("age", "job", "city", "pay"))
    for result, columns in zip(found, known, strict=True):
        expected = oracle.linked(made.people, made.cells, columns, ("ill", "seen"))
        assert close(result.figures, expected)


@pytest.mark.parametrize("seed", range(10))
def test_homogeneity_counts_classes_with_one_value(seed):
    made = random_release(seed, RECIPIENTS)
    found = iter(homogeneity(made.release, made.table, made.policy))
    rows = [
        {name: str(cell) if name != "ill" else cell for name, cell in row.items()}
        for row in made.cells
    ]
    for known in RECIPIENTS.values():
        for name in ("ill", "seen"):
            assert next(found).figures == oracle.alike(rows, known, name)
    assert next(found, None) is None


def test_one_recipient_has_nobody_to_collude_with():
    made = random_release(3, None)
    (result,) = collusion(made.release, made.table, made.policy)
    assert "one recipient" in result.sentence
    assert result.figures == {}
    (linked,) = linkage(made.release, made.table, made.policy)
    assert linked.attacker.startswith("everyone, knowing age, job, city, pay")


def test_who_knows_no_column_may_take_any_row():
    made = random_release(5, {"one": ("age", "job", "city", "pay"), "auditor": ()})
    _, auditor = linkage(made.release, made.table, made.policy)
    rows = made.frame.height
    assert auditor.figures["smallest"] == auditor.figures["average"] == rows
    assert auditor.figures["singled_out"] == (1 if rows == 1 else 0)
    assert auditor.figures["learnt: ill"] == (rows if made.frame["ill"].n_unique() == 1 else 0)
    assert "no column" in auditor.attacker


def test_people_who_were_left_out_are_not_found():
    """A policy's original may have more rows than the release covers."""
    made = random_release(7, None)
    extra = made.frame.head(1).with_columns(age=pl.lit(99, pl.Int64))
    table = type(made)(pl.concat([made.frame, extra]), made.policy, made.release, []).table
    (result,) = linkage(made.release, table, made.policy)
    found = oracle.linked([*made.people, extra.row(0, named=True)], made.cells,
                          ("age", "job", "city", "pay"), ("ill", "seen"))  # fmt: skip
    assert close(result.figures, found)
    assert result.figures["people"] == made.frame.height + 1


def test_without_a_sensitive_column_homogeneity_says_so():
    frame = pl.DataFrame({"age": [1, 2]})
    made = shared_release(frame, {"age": [0, 0]}, None)
    (result,) = homogeneity(made.release, made.table, made.policy)
    assert "no sensitive column" in result.sentence


def test_sentences_say_what_was_found():
    frame = pl.DataFrame({"age": [1, 1, 5], "ill": ["flu", "flu", "none"]})
    made = shared_release(frame, {"age": [0, 0, 1]}, None, sensitive=("ill",))
    (linked,) = linkage(made.release, made.table, made.policy)
    assert linked.sentence == (
        "At least 1 row may be a person's, 1.67 on average; 1 person (33.3%) is singled out, and "
        "guessing finds about 2 of 3; the value of ill is learnt of 3 people (100%)."
    )
    (alike,) = homogeneity(made.release, made.table, made.policy)
    assert alike.sentence == (
        "2 of 2 classes share one value of ill: it is known of 3 people (100%)."
    )
    assert linked.to_dict()["figures"]["singled_out"] == 1
