"""Releases in several files on the command line, and how much memory judging them may take."""

import json
from pathlib import Path

import polars as pl
import pytest

from papilio.release.release import Release
from parts import rehash, save_in_parts

QUESTION = "SELECT count(*), count(disease) FROM people WHERE age > 30 AND job = 'job1'"


@pytest.fixture
def parts(bench):
    """``release`` in one file, and ``parts`` in four."""
    assert bench.publish().code == 0
    save_in_parts(Release.open("release"), "parts", parts=4)
    return bench


def test_verify(parts):
    result = parts.run("verify", "parts", "--json")
    assert result.code == 0
    assert json.loads(result.out)["holds"]
    assert parts.run("verify", "parts", "--original", "policy.yaml").code == 0


def test_verify_with_little_memory(parts):
    result = parts.run("verify", "parts", "--memory", "600MiB")
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize("size", ["much", "8 apples", "-1GiB", "1MiB"])
def test_no_size(parts, size):
    result = parts.run("verify", "parts", f"--memory={size}")
    assert result.code == 2
    assert len(result.lines) == 1


def test_query(parts):
    asked = parts.run("query", "parts", QUESTION, "--json")
    assert asked.code == 0
    assert asked.out == parts.run("query", "release", QUESTION, "--json").out


def test_query_with_a_part_that_does_not_fit(parts):
    path = Path("parts/people.00003.parquet")
    pl.read_parquet(path).with_columns(pl.col("age_min").cast(pl.Int32)).write_parquet(path)
    rehash("parts")
    result = parts.run("query", "parts", QUESTION)
    assert result.code == 2
    assert result.lines == ["parts: file people.00003.parquet cannot be read"]


def test_attack_and_report(parts):
    given = ("--original", "policy.yaml")
    attacked = parts.run("attack", "parts", *given, "--json")
    assert attacked.code == parts.run("attack", "release", *given, "--json").code
    assert attacked.out == parts.run("attack", "release", *given, "--json").out
    assert parts.run("report", "parts", *given, "-o", "report.html").code == 0
    assert "people" in Path("report.html").read_text(encoding="utf-8")


@pytest.mark.postgres
def test_load(parts, postgres):
    from adbc_driver_postgresql import dbapi

    result = parts.run("load", "parts", postgres)
    assert (result.code, result.err) == (0, "")
    assert "people (40 rows)" in result.out
    with dbapi.connect(postgres) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT age_min, job, disease FROM people")
        loaded = sorted(cursor.fetchall())
    expected = Release.open("release").frames["people"]
    assert loaded == sorted(expected.select("age_min", "job", "disease").rows())
