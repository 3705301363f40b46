"""Damage to files, manifest, tables and columns: each must be named by the right finding.

Damage to rows, cells and claims is in ``test_sabotaged_rows.py`` and its like.
"""

import hashlib
import json

import polars as pl
import pytest
from damage import KINDS, assert_holds, assert_violated, status_of

from forged_parquet import columns_of, metadata_of, read_footer, write_footer
from papilio.errors import ReleaseError
from papilio.verify.verdict import Status
from sizes import some

FORMATS = ["parquet", "csv"]


@pytest.mark.parametrize("cells", some(["bounds", "text"]))
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_valid_release_holds(samples, kind, form, cells):
    sample = samples(kind, form, cells)
    verdict = sample.verdict(original=True)
    assert_holds(verdict)
    assert {f.claim for f in verdict.findings} == {
        "files",
        "tables",
        "columns of people",
        "rows of people",
        "claims about people",
        "cells of people",
        "k-anonymity",
        "truthfulness",
        "order of lines",
        "order of the source",
        "promised kind",
        "promised tables",
        "promised columns",
        "promised rows",
        "promised claims",
    }
    assert len(sample.classes()) > 2


# -- files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_changed_bytes(damaged, form):
    sample = damaged(form=form)
    frame = sample.published
    manifest = sample.manifest
    sample.rewrite(frame.reverse()).declare(manifest)  # true, k-anonymous, but not what was listed
    assert_violated(sample.verdict(original=True), "files")


def test_changed_hierarchy_file(damaged):
    sample = damaged("paths")
    file = sample.directory / "hierarchy_1.csv"
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert_violated(sample.verdict(), "files")


def test_extra_file(damaged):
    sample = damaged()
    (sample.directory / "notes.txt").write_text("from the source")
    assert_violated(sample.verdict(), "files")


def test_extra_folder(damaged):
    sample = damaged()
    (sample.directory / "more").mkdir()
    assert_violated(sample.verdict(), "files")


@pytest.mark.parametrize("form", FORMATS)
def test_missing_table_file(damaged, form):
    sample = damaged(form=form)
    sample.file.unlink()
    verdict = sample.verdict()
    assert_violated(verdict, "files")
    assert_violated(verdict, "tables")
    assert status_of(verdict, "k-anonymity") == {Status.NOT_CHECKED}


def test_missing_hierarchy_file(damaged):
    sample = damaged("paths")
    (sample.directory / "hierarchy_1.csv").unlink()
    verdict = sample.verdict()
    assert_violated(verdict, "files")
    assert_violated(verdict, "cells of people", "city")


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe,\x00\n", b'"open,Anywhere\n', b"Bern,A\nZug,B\n"]
)
def test_useless_hierarchy_file(damaged, content):
    sample = damaged("paths")
    (sample.directory / "hierarchy_1.csv").write_bytes(content)
    verdict = sample.rehash().verdict(original=True)
    assert_violated(verdict, "cells of people", "city")
    assert_violated(verdict, "truthfulness")


def test_hierarchy_with_two_roots(damaged):
    """Which of them covers NULL and everything else could not be told."""
    sample = damaged("paths")
    file = sample.directory / "hierarchy_1.csv"
    file.write_text(file.read_text(encoding="utf-8") + "Atlantis,Elsewhere\n", encoding="utf-8")
    assert_violated(sample.rehash().verdict(), "cells of people", "city")


@pytest.mark.parametrize("keep", [0, 3, 0.5, 0.9])
def test_truncated_parquet(damaged, keep):
    sample = damaged()
    content = sample.file.read_bytes()
    sample.file.write_bytes(content[: int(len(content) * keep) if keep < 1 else keep])
    assert_violated(sample.rehash().verdict(), "tables")


def test_damage_in_the_middle_of_parquet(damaged):
    sample = damaged()
    content = bytearray(sample.file.read_bytes())
    content[8:200] = bytes(192)
    sample.file.write_bytes(content)
    verdict = sample.rehash().verdict()
    assert_violated(verdict, "files")
    assert_violated(verdict, "tables")
    assert status_of(verdict, "k-anonymity") == {Status.NOT_CHECKED}


def test_damage_inside_a_page_of_parquet(damaged):
    sample = damaged()
    before, footer = read_footer(sample.file)
    chunk = metadata_of(columns_of(footer)[0])
    # Zstandard's data begin with this; without it no reader can take them for anything.
    begin = before.index(b"\x28\xb5\x2f\xfd", chunk[11][1], chunk[11][1] + chunk[7][1])
    write_footer(sample.file, before[:begin] + bytes(4) + before[begin + 4 :], footer)
    verdict = sample.rehash().verdict()
    assert_violated(verdict, "content")
    assert status_of(verdict, "k-anonymity") == {Status.NOT_CHECKED}


def test_truncated_csv(damaged):
    sample = damaged(form="csv")
    content = sample.file.read_bytes()
    sample.file.write_bytes(content[: content.rindex(b",")])
    assert_violated(sample.rehash().verdict(), "tables")


def test_csv_that_is_not_text(damaged):
    sample = damaged(form="csv")
    sample.file.write_bytes(b"\xff\xfe" + sample.file.read_bytes())
    assert_violated(sample.rehash().verdict(), "tables")


@pytest.mark.parametrize("name", ["../people.parquet", "/dev/null", "", "..", "people\0.parquet"])
def test_file_outside_the_release(damaged, name):
    sample = damaged()
    sample.file.rename(sample.directory.parent / "people.parquet")
    manifest = sample.manifest
    manifest["files"][0]["name"] = name
    with pytest.raises(ReleaseError) as refused:
        sample.declare(manifest).verdict()
    assert refused.value.reason == "bad-manifest"


# -- not a release ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "not-a-release"),
        (b"\xff", "not-a-release"),
        (b"", "bad-manifest"),
        (b"[]", "bad-manifest"),
        (b"{}", "bad-manifest"),
        (b'{"format": 2}', "release-format"),
    ],
)
def test_not_a_release_at_all(damaged, content, reason):
    sample = damaged()
    file = sample.directory / "release.json"
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ReleaseError) as refused:
        sample.verdict()
    assert refused.value.reason == reason


def test_manifest_of_another_format(damaged):
    sample = damaged()
    with pytest.raises(ReleaseError) as refused:
        sample.declare({**sample.manifest, "format": 99}).verdict()
    assert refused.value.reason == "release-format"


def test_no_directory(tmp_path, samples):
    sample = samples("numbers", "parquet", "bounds")
    with pytest.raises(ReleaseError):
        type(sample)(tmp_path / "nothing", sample.policy, sample.frame).verdict()


def places_in(content, path=()):
    """Every place in plain data that holds something."""
    if path:
        yield path
    if isinstance(content, dict | list):
        keys = content if isinstance(content, dict) else range(len(content))
        for key in keys:
            yield from places_in(content[key], (*path, key))


def replaced(content, path, junk):
    copy = json.loads(json.dumps(content))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = junk
    return copy


#: Entries that say nothing about the data.
HARMLESS = ("kind", "method", "papilio", "seeded", "recipient")


@pytest.mark.parametrize("junk", some([None, 7, "x", [], [{}], float("nan")], first=2))
def test_junk_anywhere_in_a_manifest_is_noticed(damaged, junk):
    """Neither another exception than ours, nor a release that is said to hold."""
    sample = damaged("intervals")
    honest = sample.manifest
    unnoticed = []
    for path in places_in(honest):
        try:
            verdict = sample.declare(replaced(honest, path, junk)).verdict(original=True)
        except ReleaseError:
            continue
        unused = path[-2:-1] == ("intervals",)  # a width that no label has
        if verdict.holds and path[-1] not in HARMLESS and not unused:
            unnoticed.append(path)
    assert not unnoticed


# -- tables and columns -----------------------------------------------------------------------


def test_table_the_manifest_does_not_describe(damaged):
    sample = damaged()
    manifest = sample.manifest
    sample.published.write_parquet(sample.directory / "more.parquet")
    digest = hashlib.sha256((sample.directory / "more.parquet").read_bytes()).hexdigest()
    manifest["files"].append({"name": "more.parquet", "sha256": digest, "table": "more"})
    assert_violated(sample.declare(manifest).verdict(), "tables")


def test_table_without_a_file(damaged):
    sample = damaged()
    manifest = sample.manifest
    manifest["tables"].append({**manifest["tables"][0], "name": "more"})
    assert_violated(sample.declare(manifest).verdict(), "tables")


def test_table_named_like_a_file_outside(damaged, tmp_path):
    sample = damaged()
    outside = tmp_path / "outside.parquet"
    sample.published.write_parquet(outside)
    manifest = sample.manifest
    manifest["tables"].append({**manifest["tables"][0], "name": str(outside)})
    assert_violated(sample.declare(manifest).verdict(), "tables")


def test_table_twice_in_two_files(damaged):
    sample = damaged()
    manifest = sample.manifest
    copy = sample.directory / "copy.parquet"
    copy.write_bytes(sample.file.read_bytes())
    manifest["files"].append({**manifest["files"][0], "name": copy.name})
    assert_violated(sample.declare(manifest).verdict(), "rows of people")


@pytest.mark.parametrize("form", FORMATS)
def test_extra_column(damaged, form):
    sample = damaged(form=form)
    sample.rewrite(sample.published.with_columns(name=pl.lit("somebody")))
    assert_violated(sample.verdict(), "columns of people")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["disease", "age_min"])
def test_missing_column(damaged, form, name):
    sample = damaged(form=form)
    sample.rewrite(sample.published.drop(name))
    assert_violated(sample.verdict(), "columns of people")


def test_extra_column_that_is_described(damaged):
    sample = damaged()
    sample.rewrite(sample.published.with_columns(name=pl.lit("somebody")))
    manifest = sample.manifest
    described = {"name": "name", "role": "plain", "type": "category", "cells": "value"}
    manifest["tables"][0]["columns"].append({**described, "published": ["name"], "text": False})
    assert_violated(sample.declare(manifest).verdict(original=True), "truthfulness")


def test_missing_column_that_is_not_described(damaged):
    sample = damaged()
    sample.rewrite(sample.published.drop("disease"))
    manifest = sample.manifest
    columns = manifest["tables"][0]["columns"]
    manifest["tables"][0]["columns"] = [c for c in columns if c["name"] != "disease"]
    assert_violated(sample.declare(manifest).verdict(original=True), "truthfulness")


def test_column_published_as_an_identifier(damaged):
    sample = damaged()
    manifest = sample.manifest
    manifest["tables"][0]["columns"][-1]["role"] = "identifier"
    assert_violated(sample.declare(manifest).verdict(), "columns of people")


def test_columns_that_share_a_published_column(damaged):
    sample = damaged()
    manifest = sample.manifest
    columns = manifest["tables"][0]["columns"]
    columns[-1]["published"] = columns[-2]["published"]
    sample.rewrite(sample.published.drop("visits"))
    assert_violated(sample.declare(manifest).rehash().verdict(), "columns of people")


@pytest.mark.parametrize("form", FORMATS)
def test_numbers_that_became_text(damaged, form):
    sample = damaged(form=form)
    frame = sample.published.with_columns(age_min=pl.format("{} years", "age_min"))
    assert_violated(sample.rewrite(frame).verdict(), "columns of people")


def test_values_of_another_type(damaged):
    sample = damaged()
    frame = sample.published.with_columns(visits=pl.col("visits").cast(pl.String))
    assert_violated(sample.rewrite(frame).verdict(original=True), "columns of people")


# -- in memory -------------------------------------------------------------------------------


def test_release_in_memory_is_judged_alike(samples):
    from papilio.release.release import Release
    from papilio.workflow.verify import verify

    release = Release.open(samples("sets", "parquet", "bounds").directory)
    assert_holds(verify(Release(release.manifest, release.frames, release.hierarchies)))
    fewer = {"people": release.frames["people"][1:]}
    assert_violated(verify(Release(release.manifest, fewer, {})), "rows of people")
    assert_violated(verify(Release(release.manifest, {}, {})), "tables")
    more = {**release.frames, "more": release.frames["people"]}
    assert_violated(verify(Release(release.manifest, more, {})), "tables")
