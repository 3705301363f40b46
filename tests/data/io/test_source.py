import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papilio.data.source import (
    FileSource,
    PostgresSource,
    SqlSource,
    parse_source,
    safe_name,
    split_table,
)
from papilio.errors import DataError


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("data/patients.csv", "patients"),
        ("patients.CSV.GZ", "patients"),
        ("a.b c.parquet", "a_b_c"),
        ("años.tsv", "años"),
        ("folder", "folder"),
        ("spark.parquet", "spark"),
        ("v1.2", "v1_2"),
        ("-x-.csv", "x"),
        ("???.csv", "table"),
    ],
)
def test_a_table_is_named_after_its_file(path, name):
    assert FileSource(Path(path)).name == name


def test_the_current_folder_has_a_name():
    assert FileSource(Path()).name == safe_name(Path.cwd().name)


def test_names_of_other_sources():
    assert SqlSource("SELECT 1", Path()).name == "table"
    assert PostgresSource("postgresql://h/d", "s.people").name == "people"
    assert PostgresSource("postgresql://h/d", '"My ""Schema"."big table"').name == "big_table"
    assert PostgresSource("postgresql://h/d", None, "SELECT 1").name == "table"


@given(st.text())
def test_a_safe_name_is_a_plain_file_name(text):
    name = safe_name(text)
    assert re.fullmatch(r"[\w-]+", name)
    assert not name.startswith("-")


def test_paths_are_relative_to_the_base():
    assert parse_source("a/b.csv", Path("/base")) == FileSource(Path("/base/a/b.csv"))
    assert parse_source("/x.csv", Path("/base")) == FileSource(Path("/x.csv"))


def test_the_fragment_names_the_table():
    source = parse_source("postgresql://u:p@h/d?sslmode=require#s.t", Path())
    assert source == PostgresSource("postgresql://u:p@h/d?sslmode=require", "s.t")
    assert parse_source("postgres://h/d#%22big%20table%22", Path()).name == "big_table"


@pytest.mark.parametrize("text", ["", "  ", "https://example.org/a.csv", "s3://bucket/a.parquet"])
def test_other_sources_are_refused(text):
    with pytest.raises(DataError) as caught:
        parse_source(text, Path())
    assert caught.value.reason == "unknown-source"


@pytest.mark.parametrize(
    ("table", "parts"),
    [
        ("t", ("t",)),
        ("s.T", ("s", "T")),
        ('"a.b"."c""d"', ("a.b", 'c"d')),
        ("my-t.2", ("my-t", "2")),
    ],
)
def test_a_table_name_is_split(table, parts):
    assert split_table(table) == parts


@pytest.mark.parametrize("table", ["", ".", "a.b.c", "a b", '"a', "a;DROP TABLE b", "ss@host/db"])
def test_a_bad_table_name_is_refused(table):
    with pytest.raises(DataError) as caught:
        split_table(table)
    assert caught.value.reason == "bad-table-name"


@pytest.mark.parametrize(("table", "query"), [(None, None), ("t", "SELECT 1")])
def test_either_a_table_or_a_query(table, query):
    with pytest.raises(DataError) as caught:
        PostgresSource("postgresql://u:hunter2@h/d", table, query)
    assert caught.value.reason == "no-table"
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "uri",
    [
        "postgresql://u:hunter2@h/d",
        "postgresql://u:hunter2@h1:1,h2:2/d?sslmode=require",
        "postgresql://u:hun/hunter2@h/d",
        "postgresql://u:hun?hunter2@h/d",
        "postgresql://u:hun@hunter2@h/d",
        "postgresql://u:hunter2",
        "postgresql://h/d?password=hunter2",
        "postgresql://h/d?user=u&password=x@hunter2",
        "postgresql://u:hunter2@[::1]:5432/d",
        "postgresql://u:hunter2:@h/d#hunter2",
    ],
)
def test_a_password_is_never_shown(uri):
    source = PostgresSource(uri, "t")
    assert "hunter2" not in repr(source) + str(source) + f"{source}" + source.address
    assert "hun" not in source.address


def test_digits_of_a_password_are_not_taken_for_a_port():
    assert "123" not in PostgresSource("postgresql://u:123?x@h/d", "t").address


def test_the_last_hash_begins_the_table():
    source = parse_source("postgresql://u:hun#ter2@h/d#t", Path())
    assert (source.uri, source.table) == ("postgresql://u:hun#ter2@h/d", "t")


def test_the_address_says_where():
    assert PostgresSource("postgresql://u:p@h:5/d?x=y", "t").address == "postgresql://u@h:5/d"
    assert repr(PostgresSource("postgresql://h/d", "t")) == (
        "PostgresSource('postgresql://h/d', table='t')"
    )
    assert "SELECT" not in repr(PostgresSource("postgresql://h/d", None, "SELECT 1"))


def test_part_of_a_password_after_a_hash_is_not_shown():
    with pytest.raises(DataError) as caught:
        parse_source("postgresql://u:hun#ter2@h/d", Path())
    assert "ter2" not in str(caught.value)
