"""``papilio publish`` when all is well."""

import gzip
import json
import os
import stat
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from cli_bench import PEOPLE, POLICY
from polars.testing import assert_frame_equal

import papilio as pp


def manifest(bench, release="release"):
    return json.loads(bench.folder.joinpath(release, "release.json").read_text())


def table(bench, release="release", name="people"):
    return pl.read_parquet(bench.folder / release / f"{name}.parquet")


def names_in(folder):
    return {path.name for path in Path(folder).iterdir()}


def mode_of(path):
    return stat.S_IMODE(Path(path).stat().st_mode)


def published(bench, *options):
    """A release, written without a word on standard error but for lights that are not green."""
    result = bench.publish(*options)
    assert result.code == 0, result
    assert [line for line in result.lines if not line.startswith("a light of the release")] == []
    return result


def verified(bench, *options):
    """The release verifies, also against the original."""
    result = bench.run("verify", "release", "--original", "policy.yaml", *options)
    assert (result.code, result.err) == (0, ""), result
    return result


def test_the_release_and_nothing_else(bench):
    before = set(bench.folder.iterdir())
    published(bench)
    assert set(bench.folder.iterdir()) - before == {bench.folder / "release"}
    assert sorted(names_in("release")) == ["people.parquet", "release.json"]
    verified(bench)


def test_it_says_what_it_did(bench):
    out = published(bench).out
    for part in ("k >= 5", "holds", "Method: ", "Release written to release."):
        assert part in out
    assert "Not published" not in out
    assert "seed" not in out


def test_manifest(bench):
    published(bench)
    content = manifest(bench)
    assert list(content) == [
        "format", "kind", "method", "claims", "tables", "files", "seeded", "papilio",
    ]  # fmt: skip
    assert content["format"] == 1
    assert content["seeded"] is False
    assert content["papilio"] == pp.__version__
    assert content["claims"] == [
        {
            "claim": "k-anonymity",
            "table": "people",
            "recipient": "everyone",
            "columns": ["age", "job"],
            "parameters": {"k": 5},
        }
    ]
    (described,) = content["tables"]
    assert described["rows"] == 40
    assert [each["name"] for each in described["columns"]] == ["age", "job", "disease"]
    assert [each["name"] for each in content["files"]] == ["people.parquet"]


def test_rows_are_kept_and_classes_are_large_enough(bench):
    published(bench)
    frame = table(bench)
    assert frame.columns == ["age_min", "age_max", "job", "disease"]
    assert Counter(frame["disease"]) == Counter(f"illness{i % 5}" for i in range(40))
    sizes = frame.group_by("age_min", "age_max", "job").len()["len"]
    assert sizes.min() >= 5
    assert len(sizes) > 1


@pytest.mark.parametrize(
    ("umask", "folder", "file"),
    [(0o022, 0o755, 0o644), (0o077, 0o700, 0o600), (0o002, 0o775, 0o664)],
)
def test_modes_follow_the_umask(bench, umask, folder, file):
    before = os.umask(umask)
    try:
        published(bench)
        assert bench.run("init", "people.csv", "-o", "draft.yaml").code == 0
    finally:
        os.umask(before)
    assert mode_of("release") == folder
    for name in ("release/release.json", "release/people.parquet", "draft.yaml"):
        assert mode_of(name) == file


def test_report_is_for_its_owner_only(bench):
    published(bench)
    result = bench.run("report", "release", "--original", "policy.yaml", "-o", "report.html")
    assert result.code == 0
    assert "keep it to yourself" in result.out
    assert mode_of("report.html") == 0o600
    assert bench.folder.joinpath("report.html").read_text().lstrip().startswith("<!DOCTYPE html>")


def test_json(bench):
    content = json.loads(published(bench, "--json").out)
    assert list(content) == ["release", "method", "why", "left_out", "notes", "verdict", "lights"]
    (told,) = content["notes"]
    assert told.startswith("Tight cells: ")
    assert content["release"] == "release"
    assert content["method"] == manifest(bench)["method"]
    assert content["left_out"] == []
    assert content["verdict"]["holds"] is True


def test_columns_the_policy_does_not_mention(bench):
    bench.write("policy.yaml", POLICY.replace("  name: identifier\n  age: quasi\n", ""))
    result = published(bench)
    assert "Not published, because the policy does not mention them: name, age." in result.out
    assert table(bench).columns == ["job", "disease"]


def test_columns_the_policy_does_not_mention_as_json(bench):
    bench.write("policy.yaml", POLICY.replace("  age: quasi\n", ""))
    assert json.loads(published(bench, "--json").out)["left_out"] == ["age"]


def test_a_seed_repeats_and_is_marked(bench):
    for name in ("first", "second", "other"):
        seed = "8" if name == "other" else "7"
        result = bench.run("publish", "policy.yaml", "-o", name, "--seed", seed)
        assert result.code == 0
        assert "do not publish it" in result.out
        assert manifest(bench, name)["seeded"] is True
    first, second, other = (table(bench, name) for name in ("first", "second", "other"))
    assert_frame_equal(first, second)
    assert not first.equals(other)
    text = bench.folder.joinpath("first", "release.json").read_text()
    assert "seed" not in text.replace('"seeded": true', "")


def test_unseeded_runs_differ_in_the_order_of_rows_only(bench):
    for name in ("first", "second"):
        assert bench.run("publish", "policy.yaml", "-o", name).code == 0
    first, second = table(bench, "first"), table(bench, "second")
    assert not first.equals(second)
    assert_frame_equal(first, second, check_row_order=False)
    known = {"files"}
    assert {key: value for key, value in manifest(bench, "first").items() if key not in known} == {
        key: value for key, value in manifest(bench, "second").items() if key not in known
    }


def test_rows_do_not_stand_in_the_order_of_the_source(bench):
    bench.write("people.csv", "age,row\n" + "".join(f"{i // 20},{i}\n" for i in range(40)))
    bench.write(
        "policy.yaml", "source: people.csv\ncolumns: {age: quasi, row: plain}\nprivacy: {k: 20}\n"
    )
    published(bench)
    rows = table(bench)["row"].to_list()
    assert sorted(rows) == list(range(40))
    halves = {tuple(rows[:20]), tuple(rows[20:])}
    assert halves != {tuple(range(20)), tuple(range(20, 40))}


def test_readable_cells(bench):
    bench.write("policy.yaml", POLICY + "cells: text\n")
    published(bench)
    frame = table(bench)
    assert frame.columns == ["age", "job", "disease"]
    assert frame["age"].str.contains(r"^(\d+|\[\d+, \d+\])$").all()
    assert frame["job"].str.contains(r"^\{job\d(, job\d)*\}$").all()
    verified(bench)


HIERARCHIES = {
    "automatic": "automatic",
    "intervals": "{intervals: [5, 20], origin: 3}",
    "file": "age.csv",
}


@pytest.mark.parametrize("kind", HIERARCHIES)
@pytest.mark.parametrize("format_", ["parquet", "csv"])
def test_hierarchies(bench, kind, format_):
    bench.write("lists/age.csv", "".join(f"{i},{i // 5 * 5}s,*\n" for i in range(20, 40)))
    rule = HIERARCHIES[kind].replace("age.csv", "lists/age.csv")
    bench.write(
        "policy.yaml", POLICY.replace("age: quasi", f"age: {{role: quasi, hierarchy: {rule}}}")
    )
    published(bench, "--format", format_)
    verified(bench)
    files = {each["name"] for each in manifest(bench)["files"]}
    assert ("hierarchy_1.csv" in files) == (kind == "file")
    assert files | {"release.json"} == names_in("release")


# Cells that a CSV file may confuse.

AWKWARD = [
    "", None, '"', 'a "quote"', "two\nlines", "cr\rlf\r\n", "a,b", "'", "größe", "年齢 🦋", "007",
    "1e5", "NaN", "null", "NULL", "true", "2020-01-01", " blank ", "-", "\\N",
]  # fmt: skip


@pytest.fixture
def awkward(bench):
    rows = len(AWKWARD) * 6
    frame = pl.DataFrame(
        {
            "age": [i % 30 if i % 9 else None for i in range(rows)],
            "job": [AWKWARD[i % len(AWKWARD)] for i in range(rows)],
            "digits": [f"{i % 4:03}" for i in range(rows)],
            "born": pl.Series([f"19{i % 90 + 10}-01-02" for i in range(rows)]).str.to_date(),
            "seen": pl.Series([1_600_000_000_123_456 + i for i in range(rows)]).cast(
                pl.Datetime("us")
            ),
            "married": [i % 2 == 0 if i % 5 else None for i in range(rows)],
            "pay": [i / 4 if i % 7 else None for i in range(rows)],
            "whole": [float(i) for i in range(rows)],
            "disease": [AWKWARD[i * 7 % len(AWKWARD)] for i in range(rows)],
        }
    )
    frame.write_parquet("people.parquet")
    bench.write(
        "policy.yaml",
        "source: people.parquet\ncolumns: {age: quasi, job: quasi, digits: quasi, born: quasi, "
        "seen: plain, married: plain, pay: sensitive, whole: plain, disease: sensitive}\n"
        "privacy: {k: 4}\n",
    )
    return bench


@pytest.mark.parametrize("format_", ["parquet", "csv"])
@pytest.mark.parametrize("cells", ["bounds", "text"])
def test_awkward_cells_survive(awkward, format_, cells):
    with awkward.folder.joinpath("policy.yaml").open("a") as file:
        file.write(f"cells: {cells}\n")
    published(awkward, "--format", format_)
    verified(awkward)
    kept = ["seen", "married", "pay", "whole", "disease"]
    opened = pp.Release.open("release").frames["people"].select(kept)
    original = pl.read_parquet("people.parquet").select(kept)
    assert_frame_equal(opened, original, check_row_order=False)


def test_both_formats_hold_the_same(awkward):
    for format_ in ("parquet", "csv"):
        options = ("--seed", "1", "--format", format_)
        assert awkward.run("publish", "policy.yaml", "-o", format_, *options).code == 0
    parquet, csv = pp.Release.open("parquet"), pp.Release.open("csv")
    assert_frame_equal(parquet.frames["people"], csv.frames["people"])
    assert parquet.manifest.tables == csv.manifest.tables


def test_empty_text_and_null_stay_apart_in_csv(awkward):
    published(awkward, "--format", "csv")
    opened = pp.Release.open("release").frames["people"]
    original = pl.read_parquet("people.parquet")
    assert opened["disease"].null_count() == original["disease"].null_count() > 0
    assert (opened["disease"] == "").sum() == (original["disease"] == "").sum() > 0


# Sources.


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("people.csv", PEOPLE.encode()),
        ("people.CSV", PEOPLE.encode()),
        ("people.csv", b"\xef\xbb\xbf" + PEOPLE.encode()),
        ("people.csv", PEOPLE.replace(",", ";").encode()),
        ("people.csv", PEOPLE.replace("\n", "\r\n").encode()),
        ("people.tsv", PEOPLE.replace(",", "\t").encode()),
        ("people.csv.gz", gzip.compress(PEOPLE.encode())),
    ],
)
def test_text_files(bench, file, content):
    bench.write(file, content)
    bench.write("policy.yaml", POLICY.replace("people.csv", file))
    published(bench)
    assert table(bench).height == 40
    verified(bench)


def test_parquet(bench):
    pl.read_csv("people.csv").write_parquet("people.parquet")
    bench.write("policy.yaml", POLICY.replace("people.csv", "people.parquet"))
    published(bench)
    verified(bench)


@pytest.mark.parametrize("slash", ["", "/"])
def test_folder(bench, slash):
    header, *rows = PEOPLE.splitlines()
    for number in range(2):
        bench.write(f"people/{number}.csv", "\n".join([header, *rows[number::2]]))
    bench.write("policy.yaml", POLICY.replace("people.csv", f"people{slash}"))
    published(bench)
    assert table(bench).height == 40
    verified(bench)


def test_query_over_files(bench):
    bench.write("data/jobs.csv", "job,field\njob0,a\njob1,b\njob2,b\n")
    query = (
        "SELECT p.age, j.field AS job, p.disease "
        "FROM 'people.csv' p JOIN 'data/jobs.csv' j USING (job)"
    )
    source = f'source: {{sql: "{query}", name: joined}}'
    policy = POLICY.replace("source: people.csv", source).replace("  name: identifier\n", "")
    bench.write("policy.yaml", policy)
    published(bench)
    assert table(bench, name="joined").height == 40
    verified(bench)


def test_query_without_a_name(bench):
    source = """source: {sql: "SELECT * FROM 'people.csv'"}"""
    bench.write("policy.yaml", POLICY.replace("source: people.csv", source))
    published(bench)
    assert "table.parquet" in names_in("release")


def test_texts_that_mean_null(bench):
    bench.write("people.csv", PEOPLE.replace("illness3", "n/a").replace("illness4", "-9"))
    source = "source: {file: people.csv, null: [n/a, -9]}"
    bench.write("policy.yaml", POLICY.replace("source: people.csv", source))
    published(bench)
    assert table(bench)["disease"].null_count() == 16
    verified(bench)


def test_name_of_the_table(bench):
    source = "source: {file: people.csv, name: patients-2024}"
    bench.write("policy.yaml", POLICY.replace("source: people.csv", source))
    published(bench)
    assert sorted(names_in("release")) == ["patients-2024.parquet", "release.json"]


def test_files_are_relative_to_the_policy(bench, monkeypatch):
    bench.write("deep/data/people.csv", PEOPLE)
    bench.write("deep/lists/job.csv", "job0,*\njob1,*\njob2,*\n")
    policy = POLICY.replace("people.csv", "data/people.csv")
    policy = policy.replace("job: quasi", "job: {role: quasi, hierarchy: lists/job.csv}")
    bench.write("deep/policy.yaml", policy)
    assert bench.run("publish", "deep/policy.yaml", "-o", "first").code == 0
    monkeypatch.chdir("deep/lists")
    assert bench.run("publish", "../policy.yaml", "-o", "../../second").code == 0
    assert bench.run("verify", "../../second", "--original", "../policy.yaml").code == 0


def test_relative_sources_of_sql_too(bench, monkeypatch):
    bench.write("deep/people.csv", PEOPLE)
    source = """source: {sql: "SELECT * FROM 'people.csv'"}"""
    bench.write("deep/policy.yaml", POLICY.replace("source: people.csv", source))
    bench.folder.joinpath("people.csv").unlink()
    assert bench.run("publish", "deep/policy.yaml", "-o", "release").code == 0


def test_awkward_names_of_columns(bench):
    names = ["2020", "yes", "null", "with space", "größe", 'quo"te', "co'lon: x", "#hash", "~"]
    header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    rows = "".join(",".join(str((i * j) % 4) for j in range(len(names))) + "\n" for i in range(40))
    bench.write("people.csv", f"{header}\n{rows}")
    lines = "".join(f"  {json.dumps(name)}: quasi\n" for name in names[3:])
    policy = (
        f"source: people.csv\ncolumns:\n  2020: quasi\n  yes: plain\n  null: sensitive\n{lines}"
    )
    bench.write("policy.yaml", policy + "privacy: {k: 3}\n")
    for format_ in ("parquet", "csv"):
        options = ("publish", "policy.yaml", "-o", format_, "--format", format_)
        assert bench.run(*options).code == 0
        assert bench.run("verify", format_, "--original", "policy.yaml").code == 0
    described = manifest(bench, "csv")["tables"][0]["columns"]
    assert [each["name"] for each in described] == names


def test_domain_is_taken_as_written(bench):
    bench.write(
        "people.csv",
        "code,ill\n" + "".join(f"{v},x\n" for v in ["007", "no", "1.0", "2020-01-01"] * 5),
    )
    column = "{role: quasi, domain: [007, no, 1.0, 2020-01-01, 010, null]}"
    bench.write(
        "policy.yaml",
        f"source: people.csv\ncolumns:\n  code: {column}\n  ill: plain\nprivacy: {{k: 5}}\n",
    )
    published(bench)
    assert set(table(bench)["code"]) == {'["007"]', '["no"]', '["1.0"]', '["2020-01-01"]'}


def test_release_that_does_not_verify_is_not_written(bench, monkeypatch):
    from papilio.verify.verdict import Finding, Status, Verdict

    found = Finding("k-anonymity", "k >= 5", "k = 1 over 40 classes", Status.VIOLATED)
    monkeypatch.setattr("papilio.workflow.publish.judge_made", lambda *_: Verdict((found,)))
    (message,) = bench.refused_publish(code=1)
    assert "the verifier does not confirm the release, so it was not written" in message
    assert "k = 1 over 40 classes" in message


def test_progress_goes_up(bench):
    from papilio.workflow.publish import publish_to

    told = []
    publish_to(
        Path("release"), pp.Policy.load("policy.yaml"), progress=lambda *each: told.append(each)
    )
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert told[0][0] == "reading"
