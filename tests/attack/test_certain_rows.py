"""Complete rows that follow from the cells, against all tables that fit them."""

import random

import numpy as np
import polars as pl
import pytest

import papilio as pp
from oracles import certain_rows as oracle
from papilio.attack.certain_rows import (
    UNKNOWN,
    Proof,
    attained,
    certain_rows,
    numbered_by_cells,
    rows_of,
)
from papilio.attack.result import Exposed
from papilio.data.encode import encode
from papilio.data.hierarchy.rules import PathsRule
from papilio.data.table import ColumnType, Role
from papilio.families.classes import Classes
from papilio.families.generalising.publish import generalised_release
from papilio.randomness import Randomness
from sizes import tries
from tables import column, table

TREES = [
    "a;X;*\nb;X;*\nc;Y;*\nd;Y;*\ne;Y;*\n",
    "a;*\nb;P;*\nc;P;*\n",
    "a;O;*\nb;O;*\n",
    "a;a;X;*\nb;N;X;*\nc;M;Z;*\nd;M;Z;*\n",
]
#: Tables that are tried for a class; larger ones are left out.
MOST = 1500
KNOWN = {"age": "quasi", "job": "quasi"}
#: The number of a tiny table, whose rows are a class.
TINY = "tiny"


def paths_of(text):
    return [line.split(";") for line in text.splitlines()]


def tiny_classes(seed, tree):
    """Classes of a few rows that can be tried out, each a table for itself."""
    draw = random.Random(seed)
    leaves = [path[0] for path in paths_of(tree)]
    while True:
        values = [
            draw.sample([*range(draw.randrange(2, 5)), None], 2 + draw.randrange(2)),
            draw.sample(["x", "y", "z", None], draw.randrange(1, 4)),
            draw.sample([*leaves, None], draw.randrange(1, 4)),
        ]
        for place in draw.sample(range(3), draw.randrange(3)):
            values[place] = values[place][:1]
        rows = [tuple(map(draw.choice, values)) for _ in range(draw.randrange(1, 5))]
        if oracle.tables(kinds_of(tree), rows) <= MOST:
            return rows


def kinds_of(tree):
    return [("range",), ("set",), ("tree", paths_of(tree))]


def released(classes, file, *, text):
    """A release whose classes are these, each apart from all others by a number."""
    lines = [(number, *row) for number, rows in enumerate(classes) for row in rows]
    schema = {TINY: pl.Int64, "age": pl.Int64, "job": pl.String, "town": pl.String}
    frame = pl.DataFrame(lines, schema=schema, orient="row")
    made = table(
        tiny=(frame[TINY], column(TINY, ColumnType.NUMERIC)),
        age=(frame["age"], column("age", ColumnType.NUMERIC)),
        job=(frame["job"], column("job")),
        town=(frame["town"], column("town", hierarchy=PathsRule(file))),
    )
    starts = np.cumsum([0, *map(len, classes)])
    release = generalised_release(
        made,
        encode(made, made.with_role(Role.QUASI)),
        Classes(np.arange(len(lines), dtype=np.int32), starts.astype(np.int64)),
        (),
        method="any",
        text=text,
        randomness=Randomness(1),
    ).release
    return release, made


def found_rows(release, made):
    """Certain rows, in values."""
    names = list(made.frame.columns)
    both = numbered_by_cells(release, release.manifest.table(made.name), made, names)
    found = rows_of(np.unique(both.cells, axis=0), both.proofs)
    assert (found > UNKNOWN).all()
    values = [[None, *made.frame[name].drop_nulls().unique().sort()] for name in names]
    return {tuple(values[c][number] for c, number in enumerate(row)) for row in found.tolist()}


@pytest.mark.searches
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("which", range(len(TREES)))
def test_certain_is_what_all_tables_have_in_common(which, text, tmp_path):
    file = tmp_path / "towns.csv"
    file.write_text(TREES[which], encoding="utf-8")
    seeds = range(tries(60, 1500))
    classes = [tiny_classes(f"{which} {text} {seed}", TREES[which]) for seed in seeds]
    release, made = released(classes, file, text=text)
    found = found_rows(release, made)
    for number, rows in enumerate(classes):
        wanted = oracle.certain(kinds_of(TREES[which]), rows)
        assert {row[1:] for row in found if row[0] == number} == wanted, rows
    several = [n for n, rows in enumerate(classes) if len(set(rows)) > 1]
    some = {row[0] for row in found}
    assert some.intersection(several)
    assert set(several) - some


def attacked(frame, columns, k, **more):
    policy = pp.Policy(columns=columns, privacy=pp.K(k), **more)
    release = pp.publish(frame, policy, name="people", seed=1)
    assert release.verify().holds
    (found,) = (
        each
        for each in pp.attack(release, original=policy, data=frame)
        if each.attack == "certain_rows"
    )
    return release, found


def test_the_ends_of_the_only_range_are_two_people():
    """Three nurses of 30, 40 and 50: somebody is 30, and somebody 50; four clerks are alike."""
    frame = pl.DataFrame({"age": [30, 40, 50, 20, 20, 20, 20], "job": [*"nnn", *"cccc"]})
    release, found = attacked(frame, KNOWN, 3, method="mondrian")
    assert release.frames["people"].select("age_min", "age_max").unique().height == 2
    assert found.figures == {
        "rows": 7,
        "classes": 2,
        "one_varying": 1,
        "certain": 3,
        "wrong": 0,
        "k": 3,
        "shared_by_few": 2,
        "shared_by_one": 2,
        "people": 7,
        "people_few": 2,
    }
    assert found.sentence == (
        "2 people's complete rows follow from the release alone: 3 rows must exist, 2 of them "
        "shared by fewer than 3 people; 2 people (28.6%) have such a row."
    )


def test_where_two_columns_vary_nothing_is_certain():
    frame = pl.DataFrame({"age": [30, 40, 50], "job": ["n", "n", "c"]})
    _, found = attacked(frame, KNOWN, 3)
    assert found.figures["certain"] == found.figures["shared_by_one"] == 0
    assert found.sentence == "No complete row follows from the release alone."


def test_rows_that_many_share_are_told_as_such():
    frame = pl.DataFrame({"age": [30] * 4, "job": ["n"] * 4})
    _, found = attacked(frame, KNOWN, 3)
    assert found.sentence == (
        "1 complete row follows from the release alone, shared by 3 or more people each."
    )


def test_people_with_several_rows_count_once():
    """Both rows of 50 are one person's, who does not hide behind them."""
    frame = pl.DataFrame(
        {"id": [1, 2, 3, 4, 5, 5], "age": [30, 40, 40, 45, 50, 50], "job": ["n"] * 6}
    )
    columns = {"id": "identifier", **KNOWN}
    _, found = attacked(frame, columns, 3, person="id")
    assert (found.figures["shared_by_one"], found.figures["people_few"]) == (2, 2)
    assert found.figures["people"] == 5


def test_an_automatic_label_of_two_values_proves_both():
    frame = pl.DataFrame({"job": ["a"] * 2 + ["b"] * 2 + ["c"] * 4 + ["d"] * 4})
    columns = {"job": {"role": "quasi", "hierarchy": "automatic"}}
    release, found = attacked(frame, columns, 4)
    assert set(release.frames["people"]["job"]) == {'["a","b"]', "c", "d"}
    assert (found.figures["certain"], found.figures["shared_by_few"]) == (4, 2)


def test_labels_of_a_whole_level_prove_nothing(tmp_path):
    """A level is the same for all classes, so a label is not the smallest that covers its class."""
    frame = pl.DataFrame({"age": [1, 1, 1, 9, 9], "job": [*"abc", *"de"]})
    file = tmp_path / "jobs.csv"
    file.write_text("a,X,*\nb,X,*\nc,X,*\nd,Y,*\ne,Y,*\n", encoding="utf-8")
    tree = {"age": "quasi", "job": {"role": "quasi", "hierarchy": str(file)}}
    release, found = attacked(frame, tree, 2, method="incognito")
    assert set(release.frames["people"]["job"]) == {"X", "Y"}
    assert found.figures["certain"] == 0
    release, found = attacked(frame, tree, 2, method="mondrian")
    assert set(release.frames["people"]["job"]) == {"X", "Y"}
    assert (found.figures["certain"], found.figures["shared_by_one"]) == (2, 2)


def test_a_column_that_follows_proves_nothing():
    """The counties beside a town may be those of other rows with a town of the cell."""
    frame = pl.DataFrame({"town": ["t", "t", "u", "u"] * 2, "county": ["c", "d", "d", "d"] * 2})
    columns = {"town": "quasi", "county": {"role": "quasi", "follows": "town"}}
    release, found = attacked(frame, columns, 4)
    described = release.manifest.tables[0]
    told = {c.name: attained(release.manifest, described, c) for c in described.columns}
    assert told == {"town": True, "county": False}
    assert set(release.frames["people"]["county"]) == {'["c","d"]', '["d"]'}
    assert (found.figures["certain"], found.figures["shared_by_few"]) == (2, 0)


def test_a_column_that_follows_leaves_no_more_open_than_its_leader():
    """Who lives in which county is known with the town, so that one town is one person's row."""
    frame = pl.DataFrame({"job": ["n"] * 4, "town": [*"tuuu"], "county": [*"cddd"]})
    columns = {"job": "quasi", "town": "quasi", "county": {"role": "quasi", "follows": "town"}}
    release, found = attacked(frame, columns, 4)
    assert set(release.frames["people"]["county"]) == {'["c","d"]'}
    figures = [found.figures[name] for name in ("one_varying", "certain", "shared_by_one")]
    assert figures == [1, 2, 1]


@pytest.mark.parametrize("classes", [None, "shared"])
def test_tables_of_projections_are_looked_at_one_by_one(classes):
    """Three nurses of 30, 40 and 50 in each table; ills and drugs say nothing of each other."""
    frame = pl.DataFrame(
        {
            "age": [30, 40, 50, 20, 20, 20] * 4,
            "job": [*"nnnccc"] * 4,
            "ill": [*"ab"] * 12,
            "drug": [*"xxyy"] * 6,
        }
    )
    columns = {**KNOWN, "ill": "sensitive", "drug": "sensitive"}
    more = {"classes": classes} if classes else {}
    demanded = {"k": 12, "exposure": 0}
    policy = pp.Policy(columns=columns, privacy=demanded, method="projections", **more)
    release = pp.publish(frame, policy, name="people", seed=1)
    told = pp.attack(release, original=policy, data=frame)
    found = [each for each in told if each.attack == "certain_rows"]
    assert [each.attacker for each in found] == [
        "anyone who reads the release, in people_1",
        "anyone who reads the release, in people_2",
    ]
    for each in found:
        figures = [each.figures[name] for name in ("classes", "certain", "wrong", "people_few")]
        assert figures == [2, 3, 0, 8]
    assert len([each for each in told if each.attack == "singling_out"]) == 2
    (first, *_) = [each for each in release.lights.alone.findings if each.attack == "certain_rows"]
    assert (first.people, first.remedy.line) == (8, "cells: safe")
    safe = pp.publish(frame, policy.varied(first.remedy.changes), name="people", seed=1)
    assert safe.verify().holds
    assert not [each for each in safe.lights.alone.findings if each.attack == "certain_rows"]


def test_dates_and_booleans():
    days = pl.Series(["2020-01-01", "2020-02-01", "2020-02-02"] * 2).str.to_date()
    frame = pl.DataFrame({"day": days, "ill": [True] * 3 + [False] * 3})
    _, found = attacked(frame, {"day": "quasi", "ill": "quasi"}, 3)
    assert (found.figures["certain"], found.figures["shared_by_one"]) == (4, 4)


def test_cells_that_overlap_prove_less():
    """Of a list that several classes share, a member may be in any of them."""
    varying = Proof(np.array([False]), np.array([0, 0]), np.array([1, 2]))
    exact = Proof(np.array([True, True]), np.array([0, 1]), np.array([7, 8]))
    both, one = np.array([[0, 0], [0, 1]]), np.array([[0, 0]])
    assert rows_of(both, [varying, exact]).tolist() == [[1, 7], [1, 8], [2, 7], [2, 8]]
    assert rows_of(both, [varying, exact], apart=True).tolist() == []
    assert rows_of(one, [varying, exact], apart=True).tolist() == [[1, 7], [2, 7]]


@pytest.mark.searches
def test_nothing_wrong_is_said_of_releases_for_several_recipients():
    """There each column is divided by itself; taken for classes, cells would prove too much."""
    wrong, certain = 0, 0
    for seed in range(tries(8, 60)):
        chance = np.random.default_rng(seed)
        frame = pl.DataFrame(
            {
                "age": chance.integers(0, 3, 24),
                "sex": chance.integers(0, 2, 24),
                "job": chance.choice(["n", "c"], 24),
            }
        )
        policy = pp.Policy(
            columns={"age": "quasi", "sex": "quasi", "job": "quasi"},
            privacy=pp.K(3),
            recipients={"one": ["sex", "age"], "two": ["sex", "job"]},
        )
        release = pp.publish(frame, policy, name="people", seed=seed)
        told = release.attack(original=policy, data=frame)
        (found,) = (each for each in told if each.attack == "certain_rows")
        assert found.figures["wrong"] == 0
        certain += found.figures["certain"]
        both = table(
            "people",
            age=(frame["age"], column("age", ColumnType.NUMERIC)),
            sex=(frame["sex"], column("sex", ColumnType.NUMERIC)),
            job=(frame["job"], column("job")),
        )
        wrong += next(certain_rows(release, both, policy)).figures["wrong"]
    assert certain
    assert wrong


def test_no_cell_is_told():
    frame = pl.DataFrame({"age": [987651, 987652, 987653], "job": ["Zqx"] * 3})
    _, found = attacked(frame, KNOWN, 3)
    assert found.figures["shared_by_one"] == 2
    assert "98765" not in str(found)
    assert "Zqx" not in str(found)


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({}, "cells: safe"),
        ({"cells": "text"}, "cells: safe-text"),
        ({"columns": {"age": "quasi"}}, None),
        ({"depends": [[["age"], "job"]]}, None),
        ({"recipients": {"one": ["age"], "two": ["job"]}}, "method: union; cells: safe"),
    ],
)
def test_people_whose_rows_follow_stand_alone_until_cells_say_less(more, line):
    draw = random.Random(3)
    rows = [(draw.randrange(40), draw.choice("xyz")) for _ in range(60)]
    frame = pl.DataFrame(rows, schema=["age", "job"], orient="row")
    policy = pp.Policy(**{"columns": KNOWN, "privacy": pp.K(3), **more})
    alone = pp.publish(frame, policy, seed=1).lights.alone
    (found,) = [each for each in alone.findings if each.attack == "certain_rows"]
    assert found.people > 0
    assert not found.beyond
    if line is None:
        assert found.remedy is None
        return
    assert found.remedy.line == line
    safe = pp.publish(frame, policy.varied(found.remedy.changes), seed=1)
    assert safe.verify().holds
    assert not [each for each in safe.lights.alone.findings if each.attack == "certain_rows"]
    assert not safe.lights.told


def whole_class(seed, tree, k):
    """A class that could not be cut, large enough for two, small enough to be tried out."""
    draw = random.Random(seed)
    leaves = [path[0] for path in paths_of(tree)]
    while True:
        values = [
            draw.sample([*range(3), None], draw.randrange(1, 4)),
            draw.sample(["x", "y", "z", None], draw.randrange(1, 4)),
            draw.sample([*leaves, None], draw.randrange(1, 3)),
        ]
        often = [draw.choice(column) for column in values]
        rows = [
            tuple(
                draw.choice(column) if draw.random() < 0.4 else usual
                for column, usual in zip(values, often, strict=True)
            )
            for _ in range(2 * k + draw.randrange(2))
        ]
        kinds = kinds_of(tree)
        if oracle.tables(kinds, rows) <= MOST and not oracle.can_be_cut(kinds, rows, k):
            return rows


@pytest.mark.searches
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("which", range(len(TREES)))
def test_that_a_class_was_not_cut_under_k_proves_no_further_row(which, k):
    """What docs/limits.md says: only where two cells name 2k - 1 values each more may follow."""
    kinds, varying = kinds_of(TREES[which]), 0
    for seed in range(tries(15, 400)):
        rows = whole_class(f"{which} {k} {seed}", TREES[which], k)
        ages, jobs = ({row[place] for row in rows} for place in range(2))
        named = [3 if None in ages and len(ages) > 2 else 2, len(jobs)]
        known = oracle.certain(kinds, rows, k)
        if named != [2 * k - 1] * 2:
            assert known == oracle.certain(kinds, rows), rows
        assert known >= oracle.certain(kinds, rows)
        varying += len(set(rows)) > 1
    assert varying > 5


def test_two_lists_of_just_as_many_values_as_fit_prove_a_row_to_who_knows_the_method():
    lists = [("set",), ("set",)]
    rows = [("a", "y"), ("c", "y"), ("b", "x"), ("b", "z"), ("b", "y")]
    assert not oracle.can_be_cut(lists, rows, 2)
    assert oracle.certain(lists, rows) == set()
    assert oracle.certain(lists, rows, 2) == {("b", "y")}


def test_what_is_put_into_separate_tables_keeps_safe_cells():
    columns = {**KNOWN, "ill": "sensitive", "drug": "sensitive"}
    policy = pp.Policy(columns=columns, privacy=pp.K(3), cells="safe")
    (attack,) = [each for each in policy.family.attacks if each.name == "background_join"]
    remedy = attack.remedy(Exposed(1, 10, "ill"), policy)
    assert policy.varied(remedy.changes).cells == "safe"
