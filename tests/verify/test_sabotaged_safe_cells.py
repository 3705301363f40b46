"""Releases that claim safe cells and do not have them are found out, from the release alone."""

from dataclasses import replace

import polars as pl
import pytest

from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release
from papilio.verify.verdict import Status

PATHS = "1010,101*,*\n1011,101*,*\n2000,200*,*\n"
AGE = PublishedColumn("age", "quasi", "numeric", "range", ("age_min", "age_max", "age_null"))
JOB = PublishedColumn("job", "quasi", "category", "set", ("job",))
ZIP = PublishedColumn("zip", "quasi", "category", "node", ("zip",), hierarchy={"paths": "zip.csv"})
#: Two columns vary in the first class, three in the second, none in the third.
CLASSES = [
    (20, 29, False, '["elm"]', "101*", 2),
    (30, 30, True, '["elm","fir"]', "*", 2),
    (40, 40, False, '["ash"]', "2000", 3),
]


def released(classes=CLASSES, columns=(AGE, JOB, ZIP), claims=(), **said):
    rows = [cells for *cells, many in classes for _ in range(many)]
    names = ["age_min", "age_max", "age_null", "job", "zip"]
    frame = pl.DataFrame(rows, schema=names, orient="row", strict=False)
    among = [column.name for column in columns if column.name != "area"]
    names = tuple(column.name for column in columns)
    parameters = {"k": 3, "among": among} | said
    claim = Claim("safe-cells", "people", "everyone", names, parameters)
    table = PublishedTable("people", tuple(columns), frame.height)
    manifest = Manifest("generalised", "hybrid", (claim, *claims), (table,))
    frame = frame.select(name for column in columns for name in column.published)
    return Release(manifest, {"people": frame}, {"zip.csv": PATHS})


def judged(release):
    found = [each for each in release.verify().findings if each.claim == "safe-cells"]
    assert len(found) == 1
    return found[0]


def test_a_valid_release_holds():
    found = judged(released())
    assert found.status is Status.HOLDS
    assert found.measured == "2 of 3 classes vary, 1 are of equal rows"


@pytest.mark.parametrize(
    ("number", "cells"),
    [
        (0, (20, 29, False, '["elm"]', "1010", 2)),  # ends
        (0, (20, 20, True, '["elm"]', "1010", 2)),  # a value and NULL
        (0, (None, None, True, '["elm","fir"]', "1010", 2)),  # a list beside NULL
        (0, (20, 20, False, '["elm"]', "101*", 2)),  # a node
        (0, (20, 20, False, '[null,"elm"]', "1010", 2)),  # NULL in a list
        (0, (20, 20, False, '["elm"]', None, 2)),  # nothing but NULL is one value
        (2, (40, 40, False, '["ash"]', "2000", 2)),  # equal rows of fewer than k
    ],
)
def test_a_class_of_which_complete_rows_follow_is_found(number, cells):
    classes = [cells if place == number else each for place, each in enumerate(CLASSES)]
    found = judged(released(classes))
    assert found.status is Status.VIOLATED
    assert found.measured.endswith("complete rows follow from 1 classes of 2 rows")


def test_a_column_of_readable_text_is_read():
    age = replace(AGE, published=("age",), text=True)
    job = replace(JOB, text=True)
    wide, one = ("[20, 29]", "{elm, fir}"), ("20", "{elm}")
    for ages, jobs, holds in ((wide, wide, True), (wide, one, False), (one, wide, False)):
        frame = pl.DataFrame({"age": [ages[0]] * 3, "job": [jobs[1]] * 3})
        release = released(columns=(AGE, JOB))
        table = replace(release.manifest.tables[0], columns=(age, job), rows=3)
        manifest = replace(release.manifest, tables=(table,))
        found = judged(Release(manifest, {"people": frame}))
        assert (found.status is Status.HOLDS) == holds


@pytest.mark.parametrize(
    "said",
    [
        {"among": ["age", "job"]},  # a column that varies is not spoken of
        {"among": ["age", "job", "zip", "town"]},
        {"k": 0},
        {"k": True},
        {"k": 4},
    ],
)
def test_a_claim_that_says_something_else_is_violated(said):
    assert judged(released(**said)).status is Status.VIOLATED


def test_a_column_that_follows_another_does_not_count():
    """Whoever knows which zip is where knows the area with the zip."""
    area = replace(JOB, name="area")
    follows = Claim("follows", "people", "everyone", ("zip", "area"),
                    {"column": "area", "leader": "zip"})  # fmt: skip
    one = [(20, 20, False, '["elm","fir"]', "*", 3)]
    alone = released(one, columns=(AGE, area, ZIP), claims=(follows,))
    assert judged(alone).status is Status.VIOLATED
    counted = released(one, columns=(AGE, area, ZIP), claims=(follows,),
                       among=["age", "area", "zip"])  # fmt: skip
    assert judged(counted).measured == "other columns than the quasi-identifiers that follow none"
    free = released([(20, 29, False, '["elm","fir"]', "*", 3)], columns=(AGE, area, ZIP),
                    claims=(follows,))  # fmt: skip
    assert judged(free).status is Status.HOLDS


def test_a_rule_nobody_knows_is_not_checked():
    strange = replace(ZIP, hierarchy={"magic": True})
    found = judged(released(columns=(AGE, JOB, strange)))
    assert found.status is Status.NOT_CHECKED
