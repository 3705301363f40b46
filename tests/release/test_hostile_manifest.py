"""Manifests of strangers that cannot be followed: one line from everybody who reads them."""

import json

import pytest
from releases_by_hand import release

from papilio.errors import ReleaseError
from papilio.release.manifest import LONGEST
from papilio.release.release import Release
from papilio.release.store import LARGEST_MANIFEST, read_manifest
from papilio.verify.verdict import Status
from papilio.workflow.ask import ask
from papilio.workflow.verify import verify
from parts import declare
from sizes import spread


@pytest.fixture
def target(tmp_path):
    return release().save(tmp_path / "release")


# -- text -------------------------------------------------------------------------------------

TEXTS = {
    "twice the same key": lambda text: text.replace('"kind"', '"seeded": false, "kind"', 1),
    "k twice": lambda text: text.replace('"k": 2', '"k": 9, "k": 2'),
    "no number": lambda text: text.replace('"rows": 4', '"rows": NaN'),
    "infinite": lambda text: text.replace('"k": 2', '"k": 1e999'),
    "long number": lambda text: text.replace('"k": 2', '"k": ' + "9" * 60),
    "deep": lambda text: text.replace('"k": 2', '"k": ' + "[" * 40 + "]" * 40),
    "very deep": lambda text: text.replace('"k": 2', '"k": ' + "[" * 100_000),
    "half a character": lambda text: text.replace('"everyone"', '"\\ud800"'),
    "escape": lambda text: text.replace('"everyone"', '"\\u001b[31mholds"'),
    "two lines": lambda text: text.replace('"everyone"', '"a\\nb"'),
    "turned": lambda text: text.replace('"mondrian"', '"\\u202emondrian"'),
    "long name": lambda text: text.replace('"everyone"', '"' + "x" * (LONGEST + 1) + '"'),
}


@pytest.mark.parametrize("change", TEXTS)
def test_text_that_is_no_manifest(target, change):
    file = target / "release.json"
    text = file.read_text(encoding="utf-8")
    changed = TEXTS[change](text)
    assert changed != text
    file.write_text(changed, encoding="utf-8")
    for read in (Release.open, verify, lambda place: ask(place, "SELECT count(*) FROM people")):
        with pytest.raises(ReleaseError, match="is not a manifest of Papilio") as caught:
            read(target)
        assert len(str(caught.value).splitlines()) == 1


def test_a_manifest_that_is_no_file(target, tmp_path):
    file = target / "release.json"
    file.rename(tmp_path / "elsewhere.json")
    file.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ReleaseError, match="has no readable"):
        read_manifest(target)
    file.unlink()
    file.mkdir()
    with pytest.raises(ReleaseError, match="has no readable"):
        read_manifest(target)


def test_a_huge_manifest(target):
    file = target / "release.json"
    file.write_text(file.read_text(encoding="utf-8") + " " * LARGEST_MANIFEST)
    with pytest.raises(ReleaseError, match="has no readable"):
        read_manifest(target)


# -- content ----------------------------------------------------------------------------------


def _column(number, **changes):
    return lambda told: told["tables"][0]["columns"][number].update(changes)


def _claim(**changes):
    return lambda told: told["claims"][0].update(changes)


def _second_table(told):
    told["tables"].append(json.loads(json.dumps(told["tables"][0])) | {"name": "again"})
    told["files"][-1]["table"] = "again"


CONTENTS = {
    "role": _column(0, role="identifier"),
    "type": _column(0, type="text"),
    "cells": _column(0, cells="group"),
    "too few columns": _column(0, published=["age_min"]),
    "claim that names a column twice": lambda told: told["claims"][0]["columns"].append(
        told["claims"][0]["columns"][0]
    ),
    "column of another name": _column(3, name="x"),
    "column that is not there": _column(0, published=["age_min", "age_max", "x"]),
    "column of another": _column(3, published=["age_min"]),
    "name of another": _column(3, name="age"),
    "no hierarchy": lambda told: told["tables"][0]["columns"][1].pop("hierarchy"),
    "no such file": _column(1, hierarchy={"paths": "nowhere.csv"}),
    "file outside": _column(1, hierarchy={"paths": "/etc/passwd"}),
    "two rules": _column(1, hierarchy={"paths": "hierarchy_2.csv", "prefix": [1]}),
    "garbage level": _column(1, hierarchy={"paths": "hierarchy_2.csv", "level": "many"}),
    "negative level": _column(1, hierarchy={"paths": "hierarchy_2.csv", "level": -1}),
    "levels of text": _column(1, hierarchy={"prefix": ["x"], "level": 1}),
    "huge level": _column(1, hierarchy={"prefix": [10**21], "level": 10**9}),
    "no width": _column(1, hierarchy={"intervals": [0], "level": 1}),
    "no period": _column(1, hierarchy={"dates": ["fortnight"], "level": 1}),
    "no k": _claim(parameters={}),
    "k of text": _claim(parameters={"k": "2"}),
    "more than k": _claim(parameters={"k": 2, "more": 1}),
    "unknown claim": _claim(claim="safety"),
    "unknown table": _claim(table="others"),
    "unknown column": _claim(columns=["age", "name"]),
    "negative rows": lambda told: told["tables"][0].update(rows=-1),
    "table described twice": lambda told: told["tables"].append(told["tables"][0]),
    "file listed twice": lambda told: told["files"].append(told["files"][0]),
    "no table": lambda told: told.update(tables=[]),
    "a second table about the same people": _second_table,
}


@pytest.mark.parametrize("change", spread(CONTENTS, 8))
def test_content_that_cannot_be_followed(target, change):
    declare(target, CONTENTS[change])
    for read in (Release.open, lambda place: ask(place, "SELECT count(*) FROM people")):
        with pytest.raises(ReleaseError) as caught:
            read(target)
        assert len(str(caught.value).splitlines()) == 1
    assert verify(target).status is not Status.HOLDS


def test_a_second_table_about_the_same_people(target):
    """Two k-anonymous tables of one table are not k-anonymous together."""
    first = next(target.glob("people*"))
    second = target / "again.parquet"
    second.write_bytes(first.read_bytes())

    def change(told):
        (table,) = told["tables"]
        told["tables"].append({**table, "name": "again"})
        told["claims"].append({**told["claims"][0], "table": "again"})
        (entry,) = (file for file in told["files"] if file.get("table"))
        told["files"].append({**entry, "name": "again.parquet", "table": "again"})

    declare(target, change)
    verdict = verify(target)
    assert verdict.status is Status.VIOLATED
    assert {f.measured for f in verdict.findings if f.claim == "number of tables"} == {"2"}
    with pytest.raises(ReleaseError, match="has not one table"):
        Release.open(target)
