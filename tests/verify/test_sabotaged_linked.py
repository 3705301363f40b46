"""Linked tables damaged as a careful forger would; each damage must be found."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.verify.verdict import Status
from papilio.workflow.publish import publish
from papilio.workflow.verify import verify

EXAMPLE = Path(__file__).parents[2] / "examples" / "linked-tables" / "policy.yaml"


@pytest.fixture(scope="module")
def policy():
    return Policy.load(EXAMPLE)


@pytest.fixture(scope="module")
def release(policy):
    return publish(None, policy, seed=1)


def with_frame(release, name, change):
    frame = change(release.frames[name])
    tables = tuple(
        replace(table, rows=frame.height) if table.name == name else table
        for table in release.manifest.tables
    )
    manifest = replace(release.manifest, tables=tables)
    return replace(release, manifest=manifest, frames={**release.frames, name: frame})


def first(frame, column, value):
    """Put a value into the first row."""
    return frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 0)
        .then(pl.lit(value))
        .otherwise(pl.col(column))
        .alias(column)
    )


def violated(release, **more):
    verdict = verify(release, **more)
    assert not verdict.holds
    return {f.claim for f in verdict.findings if f.status is not Status.HOLDS}


DAMAGES = {
    "a label is refined": ("takes", lambda f: f.with_columns(
        pl.col("course").replace("Science", "Math")).pipe(
        lambda g: g.with_row_index().with_columns(
            pl.when(pl.col("index") == pl.col("index").filter(pl.col("course") == "Math").first())
            .then(pl.lit("Science")).otherwise(pl.col("course")).alias("course")).drop("index")),
        "entity-k-anonymity"),
    "a book is dropped": ("book", lambda f: f[1:], "entity-k-anonymity"),
    "a book is added": ("book", lambda f: pl.concat([f, f[:1]]), "entity-k-anonymity"),
    "a book moves to another course": (
        "book", lambda f: first(f, "scid", f["scid"][1]), "entity-k-anonymity"),
    "a book belongs to nobody": ("book", lambda f: first(f, "scid", 99), "references of book"),
    "a book has no course": ("book", lambda f: first(f, "scid", None), "references of book"),
    "a key is there twice": ("takes", lambda f: first(f, "scid", f["scid"][1]), "keys of takes"),
    "keys are those of the source": (
        "student", lambda f: f.with_columns(sid=pl.col("sid") + 1000), "keys of student"),
    "a label is no label": ("takes", lambda f: first(f, "course", "Maths"), "cells of takes"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found(release, damage):
    table, change, claim = DAMAGES[damage]
    assert claim in violated(with_frame(release, table, change))


def test_a_childless_row_counts(release):
    """A book for one Religion without books: the natural join would not show the difference."""
    takes, book = release.frames["takes"], release.frames["book"]
    (lonely,) = takes.filter(pl.col("course") == "Religion")["scid"][:1]
    more = pl.DataFrame({"scid": [lonely], "book": ["Relg Book"], "price": [39]})
    damaged = with_frame(release, "book", lambda f: pl.concat([book, more]))
    assert "entity-k-anonymity" in violated(damaged)


ORIGINAL = {
    "a grade changes": ("takes", lambda f: f.with_columns(grade=pl.col("grade") + 1)),
    "one grade changes": ("takes", lambda f: first(f, "grade", 77)),
    "grades move to other rows": (
        "takes", lambda f: f.with_columns(grade=f["grade"].shift(1).fill_null(f["grade"][-1]))),
    "a gpa is invented": ("student", lambda f: first(f, "gpa", 1.0)),
    "gpas are exchanged": (
        "student", lambda f: f.sort("gpa").with_columns(gpa=f["gpa"].sort(descending=True))),
    "prices are exchanged": ("book", lambda f: f.with_columns(price=f["price"].reverse())),
}  # fmt: skip


@pytest.mark.parametrize("damage", ORIGINAL)
def test_untruth_is_found_beside_the_original(release, policy, damage):
    table, change = ORIGINAL[damage]
    damaged = with_frame(release, table, change)
    assert verify(damaged).holds
    claims = violated(damaged, original=policy)
    assert any(claim.startswith("truthfulness") or claim == "entities" for claim in claims)


def test_a_row_under_another_person_is_found(release, policy):
    """Two students of one class exchange a course: labels and values stay, the person is wrong."""
    takes = release.frames["takes"]
    history = takes.filter(pl.col("course") == "History")
    (one, other) = history["scid"].to_list()
    (mine, theirs) = history["sid"].to_list()
    swapped = takes.with_columns(
        sid=pl.when(pl.col("scid") == one).then(theirs)
        .when(pl.col("scid") == other).then(mine).otherwise("sid")
    )  # fmt: skip
    damaged = with_frame(release, "takes", lambda _: swapped)
    assert verify(damaged).holds
    assert violated(damaged, original=policy)


MANIFESTS = {
    "k is higher": lambda m: m["claims"][0]["parameters"].update(k=3),
    "no k": lambda m: m["claims"][0]["parameters"].clear(),
    "a column is not claimed": lambda m: m["claims"][0]["columns"].pop(),
    "about no table": lambda m: m["claims"][0].update(table="pupil"),
    "no claim": lambda m: m["claims"].clear(),
    "people may be missing": lambda m: m["tables"][0].update(left_out_at_most=0.5),
    "a table hangs off itself": lambda m: m["tables"][1].update(parent={"takes": "sid"}),
    "a table hangs off none": lambda m: m["tables"][2].pop("parent"),
    "a table hangs off an unknown one": lambda m: m["tables"][2].update(parent={"x": "scid"}),
    "another key": lambda m: m["tables"][1].update(key="grade"),
    "a quasi-identifier is plain": lambda m: m["tables"][1]["columns"][2].update(role="plain"),
    "a key is plain": lambda m: m["tables"][0]["columns"][0].update(role="plain"),
    "another number of rows": lambda m: m["tables"][1].update(rows=11),
    "another kind": lambda m: m.update(kind="generalised"),
    "an unknown claim": lambda m: m["claims"][0].update(claim="perfect privacy"),
}


@pytest.mark.parametrize("damage", MANIFESTS)
def test_a_false_manifest_is_found(release, tmp_path, damage):
    release.save(tmp_path / "out")
    file = tmp_path / "out" / "release.json"
    content = json.loads(file.read_text())
    MANIFESTS[damage](content)
    file.write_text(json.dumps(content))
    assert not verify(tmp_path / "out").holds


def test_diversity_that_is_not_there(release, tmp_path):
    release.save(tmp_path / "out")
    file = tmp_path / "out" / "release.json"
    content = json.loads(file.read_text())
    claim = {**content["claims"][0], "claim": "entity-distinct-l-diversity", "table": "takes"}
    for l, holds in ((2, True), (3, False)):
        content["claims"][1:] = [claim | {"parameters": {"column": "grade", "l": l}}]
        file.write_text(json.dumps(content))
        assert verify(tmp_path / "out").holds == holds


def test_csv_and_parquet_read_alike(release, policy, tmp_path):
    for format_ in ("csv", "parquet"):
        release.save(tmp_path / format_, format=format_)
        assert verify(tmp_path / format_, original=policy).holds
        assert Release.open(tmp_path / format_).verify(original=policy).holds
