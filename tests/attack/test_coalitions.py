"""Coalitions of every size up to four, against trying every set of recipients."""

import random
from dataclasses import replace
from itertools import combinations

import polars as pl
import pytest

from oracles import attacks as oracle
from papilio.attack import collusion as module
from papilio.attack.collusion import coalitions_of, collusion
from papilio.attack.result import Exposed
from papilio.data.people import people_of, person_names
from papilio.policy.policy import Policy
from shared_releases import shared_release
from sizes import tries

QUASI = ("age", "job", "city", "pay")


def four(seed, recipients, **more):
    """A release of a few rows for four recipients, each of whom knows one column."""
    draw = random.Random(seed)
    rows = draw.randrange(1, 7)
    frame = pl.DataFrame(
        {
            "age": [draw.randrange(4) for _ in range(rows)],
            "job": [draw.choice("abc") for _ in range(rows)],
            "city": [draw.choice("xyz") for _ in range(rows)],
            "pay": [draw.randrange(3) for _ in range(rows)],
            "ill": [draw.choice(["flu", "none"]) for _ in range(rows)],
        }
    )
    blocks = {name: [draw.randrange(3) for _ in range(rows)] for name in QUASI}
    return shared_release(frame, blocks, recipients, sensitive=("ill",), **more)


@pytest.mark.searches
@pytest.mark.parametrize("seed", range(tries(2, 200)))
def test_every_coalition_as_by_brute_force(seed):
    recipients = {f"knows {name}": (name,) for name in QUASI}
    promised = random.Random(seed).choice([None, 2, 3])
    made = four(seed, recipients, collusion_k=promised)
    found = list(collusion(made.release, made.table, made.policy))
    tried = [some for size in (2, 3, 4) for some in combinations(QUASI, size)]
    assert len(found) == len(tried) == 11
    for result, known in zip(found, tried, strict=True):
        assert result.attacker.endswith("together, knowing " + ", ".join(known))
        assert result.figures == pytest.approx(
            oracle.linked(made.people, made.cells, known, ("ill",))
        )
        left = [oracle.fitting_rows(person, made.cells, known) for person in made.people]
        alone = sum(len(rows) < (promised or 2) for rows in left)
        learnt = sum(len({row["ill"] for row in rows}) == 1 for rows in left)
        of = len(made.people)
        assert result.exposed == (Exposed(alone, of), Exposed(learnt, of, "ill"))


def test_three_of_four_find_somebody_whom_no_two_of_them_find():
    """Bits of which any two say nothing: every combination of two is there twice."""
    rows = [(a, b, (a + b) % 2, 0) for a in (0, 1) for b in (0, 1)] * 2
    rows[4:] = [(a, b, 1 - c, 0) for a, b, c, _ in rows[4:]]
    frame = pl.DataFrame(rows, schema=list(QUASI), orient="row").with_columns(ill=pl.lit("flu"))
    blocks = {name: frame[name].to_list() for name in QUASI}
    recipients = {name: (name,) for name in QUASI}
    made = shared_release(frame, blocks, recipients, k=2, sensitive=("ill",))
    assert made.verdict().holds
    alone = {
        result.attacker.partition(" together")[0]: result.exposed[0].people
        for result in collusion(made.release, made.table, made.policy)
    }
    assert {name for name, number in alone.items() if number} == {
        "age and job and city", "age and job and city and pay"
    }  # fmt: skip
    assert alone["age and job and city"] == 8


def test_nothing_is_found_where_all_are_alike():
    frame = pl.DataFrame({**dict.fromkeys(QUASI, [1] * 6), "ill": list("abcdef")})
    recipients = {name: (name,) for name in QUASI}
    blocks = {name: [0] * 6 for name in QUASI}
    made = shared_release(frame, blocks, recipients, k=6, collusion_k=6, sensitive=("ill",))
    for result in collusion(made.release, made.table, made.policy):
        assert all(exposed.people == 0 for exposed in result.exposed)


def test_who_knows_no_more_than_another_makes_no_coalition():
    recipients = {"a": ("age",), "b": ("age", "job"), "c": ("city",), "d": ("pay",)}
    policy = Policy(columns=dict.fromkeys(QUASI, "quasi"), recipients=recipients, privacy={"k": 2})
    known = policy.known
    assert coalitions_of(known, policy) == {
        ("a", "c"): ("age", "city"),
        ("a", "d"): ("age", "pay"),
        ("b", "c"): ("age", "job", "city"),
        ("b", "d"): ("age", "job", "pay"),
        ("c", "d"): ("city", "pay"),
        ("a", "c", "d"): ("age", "city", "pay"),
        ("b", "c", "d"): QUASI,
        ("a", "b", "c", "d"): QUASI,
    }
    two = {name: known[name] for name in "ab"}
    assert coalitions_of(two, policy) == {("a", "b"): ("age", "job")}


def test_of_many_coalitions_the_widest_are_tried(monkeypatch):
    names = [f"c{number}" for number in range(6)]
    recipients = {f"r {name}": (name,) for name in names}
    policy = Policy(columns=dict.fromkeys(names, "quasi"), recipients=recipients, privacy={"k": 2})
    every = coalitions_of(policy.known, policy)
    assert sorted(map(len, every)) == [2] * 15 + [3] * 20 + [4] * 15 + [6]
    monkeypatch.setattr(module, "_MANY", 40)
    widest = coalitions_of(policy.known, policy)
    assert sorted(map(len, widest)) == [4] * 15 + [6]


def test_people_with_several_rows_are_counted_once():
    """Two of the three rows that fit are one person's: more than one in two."""
    frame = pl.DataFrame(
        {"age": [1, 1, 1, 2, 2], "job": ["a"] * 5, "ill": list("abcde"), "who": [1, 1, 2, 3, 4]}
    )
    blocks = {"age": [0, 0, 0, 1, 1], "job": [0] * 5}
    recipients = {"one": ("age",), "two": ("job",)}
    made = shared_release(frame, blocks, recipients, collusion_k=2, sensitive=("ill",))
    owners = person_names(frame["who"].cast(pl.String))
    table = replace(made.table, people=people_of(owners))
    (result,) = collusion(made.release, table, made.policy)
    assert result.exposed == (Exposed(1, 4), Exposed(0, 4, "ill"))
