"""Conditions that are read off a release and true of one person, against counting one by one."""

import math
import random

import numpy as np
import polars as pl
import pytest

import papilio as pp
from oracles import singling_out as oracle
from papilio.attack.certain_rows import numbered_by_cells
from papilio.attack.singling_out import meeting, predicates_of, rarest
from papilio.data.encode import encode
from papilio.data.hierarchy.rules import PathsRule
from papilio.data.table import ColumnType, Role
from papilio.families.classes import Classes
from papilio.families.generalising.publish import generalised_release
from papilio.randomness import Randomness
from sizes import tries
from tables import column, table

TREE = "a;X;*\nb;X;*\nc;Y;*\nd;Y;*\ne;Y;*\n"
KINDS = [("range",), ("set",), ("tree", [line.split(";") for line in TREE.splitlines()])]


def tiny(seed, file):
    """A few classes that overlap, and a release of them."""
    draw = random.Random(seed)
    classes = [
        [
            (draw.choice([1, 2, 3, 5, None]), draw.choice(["x", "y", None]), draw.choice("abcd"))
            for _ in range(draw.randrange(1, 5))
        ]
        for _ in range(draw.randrange(2, 6))
    ]
    # Classes with equal cells are one to whoever reads them.
    made = {}
    for rows in classes:
        cells = [oracle.cell(kind, [r[c] for r in rows]) for c, kind in enumerate(KINDS)]
        made.setdefault(tuple(cells), []).extend(rows)
    classes = list(made.values())
    schema = {"age": pl.Int64, "job": pl.String, "town": pl.String}
    lines = [row for rows in classes for row in rows]
    frame = pl.DataFrame(lines, schema=schema, orient="row")
    original = table(
        age=(frame["age"], column("age", ColumnType.NUMERIC)),
        job=(frame["job"], column("job")),
        town=(frame["town"], column("town", hierarchy=PathsRule(file))),
    )
    release = generalised_release(
        original,
        encode(original, original.with_role(Role.QUASI)),
        Classes(
            np.arange(len(lines), dtype=np.int32),
            np.cumsum([0, *map(len, classes)]).astype(np.int64),
        ),
        (),
        method="any",
        text=draw.random() < 0.5,
        randomness=Randomness(seed),
    ).release
    return classes, original, release


@pytest.mark.searches
def test_weights_and_rows_are_those_counted_one_by_one(tmp_path):
    file = tmp_path / "towns.csv"
    file.write_text(TREE, encoding="utf-8")
    several = 0
    for seed in range(tries(25, 400, "PAPILIO_SINGLING_OUT")):
        classes, original, release = tiny(seed, file)
        n = original.height
        wanted = oracle.predicates(KINDS, classes)
        both = numbered_by_cells(
            release, release.manifest.tables[0], original, ["age", "job", "town"]
        )
        found = predicates_of(both)
        # Classes are told apart by how many rows and weights they have, not by their order.
        told = zip(found.weight.tolist(), found.again.tolist(), strict=True)
        asked = ((float(weight), float(again)) for weight, again, _ in wanted.values())
        assert _rounded(told) == _rounded(asked), seed
        limit = 1 / n + 1e-12
        chosen = rarest(found, limit)
        light = {}
        for (number, _, _), (weight, again, met) in wanted.items():
            if weight < limit:
                light.setdefault(number, []).append((again, weight, met))
        assert len(chosen.of_class) == len(light), seed
        least = sorted(float(min(each)[0]) for each in light.values())
        assert np.allclose(np.sort(chosen.again), np.array(least)), seed
        met = meeting(both, chosen)
        possible = {
            (round(float(again), 9), round(float(weight), 9), count)
            for each in light.values()
            for again, weight, count in each
        }
        for again, weight, count in zip(chosen.again, chosen.weight, met, strict=True):
            assert (round(again, 9), round(weight, 9), count) in possible, seed
        several += len(light) > 1
    assert several


def _rounded(pairs):
    """Pairs in order, in whole billionths; no share of so few rows lies right between two."""
    return sorted((round(one * 1e9 + 0.1234), round(other * 1e9 + 0.1234)) for one, other in pairs)


def attacked(frame, columns, k, **more):
    policy = pp.Policy(columns=columns, privacy=pp.K(k), **more)
    release = pp.publish(frame, policy, name="people", seed=1)
    (found,) = (
        each
        for each in pp.attack(release, original=policy, data=frame)
        if each.attack == "singling_out"
    )
    return found


COLUMNS = {"age": "quasi", "job": "quasi"}


def test_the_oldest_of_a_class():
    """Of ages 0 to 3 and 10 to 13 each cell holds four values, and a class of them four people.

    A row drawn from the marginals is of a class's job with 1/2, in its range with 1/2 and has one
    of its four values with 1/4 of that: 1/16, below one of the eight rows.
    """
    ages = [0, 1, 2, 3, 10, 11, 12, 13]
    frame = pl.DataFrame({"age": ages, "job": [*"nnnn", *"cccc"]})
    found = attacked(frame, COLUMNS, 4)
    assert found.figures == {
        "rows": 8,
        "classes": 2,
        "read_off": 2,
        "isolating": 2,
        "share": 1.0,
        "chance": pytest.approx(8 / 16 * (15 / 16) ** 7),
    }
    assert found.exposed == ()
    assert found.sentence == (
        "From 2 classes 2 conditions can be read off that hardly anybody meets; 2 of them (100%) "
        "are true of exactly one row, where chance makes it 31.8%."
    )


def test_values_that_two_people_have_isolate_nobody():
    ages = [0, 1, 2, 3, 10, 11, 12, 13] * 2
    frame = pl.DataFrame({"age": ages, "job": [*"nnnn", *"cccc"] * 2})
    found = attacked(frame, COLUMNS, 8)
    assert (found.figures["classes"], found.figures["isolating"]) == (2, 0)


def test_nothing_can_be_read_off_classes_of_equal_rows():
    frame = pl.DataFrame({"age": [30] * 4 + [40] * 4, "job": ["n"] * 8})
    found = attacked(frame, COLUMNS, 4)
    assert (found.figures["read_off"], found.figures["chance"]) == (0, 0.0)
    assert found.sentence == "No condition that hardly anybody meets can be read off a class."


def test_heavy_conditions_do_not_count():
    """In a table of one class, who is youngest is no rare thing to be."""
    frame = pl.DataFrame({"age": [1, 2, 2, 2], "job": ["n"] * 4})
    found = attacked(frame, COLUMNS, 4)
    assert (found.figures["classes"], found.figures["read_off"]) == (1, 0)


def test_chance_is_never_more_than_it_can_be():
    chance = np.random.default_rng(1)
    frame = pl.DataFrame(
        {"age": chance.integers(0, 1000, 400), "job": chance.choice(["n", "c"], 400)}
    )
    found = attacked(frame, COLUMNS, 5)
    assert 0 < found.figures["chance"] < (1 - 1 / 400) ** 399 < 1 / math.e + 0.001


def test_no_cell_is_told():
    frame = pl.DataFrame({"age": [987651, 987652, 987653], "job": ["Zqx"] * 3})
    found = attacked(frame, COLUMNS, 3)
    assert "98765" not in str(found)
    assert "Zqx" not in str(found)
