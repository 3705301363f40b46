import builtins
import datetime as dt
import traceback
from pathlib import Path

import polars as pl
import pytest

from papilio.data.io.read import header, read
from papilio.data.source import PostgresSource, parse_source
from papilio.data.table import ColumnType
from papilio.data.types import convert
from papilio.errors import DataError
from postgres_server import run
from sizes import spread

pytestmark = pytest.mark.postgres

SECRET = "Zaphod-42"

TABLE = """
CREATE TABLE "My Schema"."pe""ople" (
  "Na me" text, small smallint, age int, big bigint, exact numeric, cents numeric(10, 2),
  whole numeric(18, 0), pay money, f4 real, f8 double precision, flag boolean, code char(5),
  short varchar(9), day date, moment timestamp, instant timestamptz, clock time,
  span interval, key uuid, mood "My Schema".mood, doc jsonb, address inet, list int[], raw bytea
)"""
ROW = """
('Zaphod-42', 1, 2, 3, 1.5, 2.50, 123456789012345678, 12.34, 0.5, 0.25, true, '012', 'x',
 '2020-01-31', '2020-01-31 10:00:00.123456', '2020-01-31 10:00:00+02', '10:00', '1 day',
 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'sad', '{"a": 1}', '127.0.0.1', '{1,2}', 'a')"""


@pytest.fixture(scope="module")
def uri(postgres):
    run(
        postgres,
        'CREATE SCHEMA "My Schema"',
        "CREATE TYPE \"My Schema\".mood AS ENUM ('sad', 'happy')",
        TABLE,
        f'INSERT INTO "My Schema"."pe""ople" VALUES {ROW}, ({", ".join(["NULL"] * 24)})',
        "CREATE TABLE people (id text, age int, job text)",
        f"INSERT INTO people VALUES ('{SECRET}', 30, 'b'), ('y', 40, NULL), ('z', 50, 'a')",
        "CREATE TABLE nobody (id text)",
        "CREATE TABLE numbers (n numeric)",
        "INSERT INTO numbers VALUES ('NaN'), (1.5), (NULL)",
        "CREATE TABLE huge (n numeric)",
        "INSERT INTO huge VALUES (12345678901234567890)",
    )
    return postgres


FITTING = [
    ("Na me", SECRET, pl.Enum),
    ("small", 1, pl.Int64),
    ("age", 2, pl.Int64),
    ("big", 3, pl.Int64),
    ("exact", 1.5, pl.Float64),
    ("cents", 2.5, pl.Float64),
    ("whole", 123456789012345678, pl.Int64),
    ("pay", 12.34, pl.Float64),
    ("f4", 0.5, pl.Float64),
    ("f8", 0.25, pl.Float64),
    ("flag", True, pl.Boolean),
    ("code", "012", pl.Enum),
    ("short", "x", pl.Enum),
    ("day", dt.date(2020, 1, 31), pl.Date),
    ("moment", dt.datetime(2020, 1, 31, 10, 0, 0, 123456), pl.Datetime),
    ("instant", dt.datetime(2020, 1, 31, 8, tzinfo=dt.UTC), pl.Datetime),
    ("clock", "10:00:00", pl.Enum),
    ("span", "1 day", pl.Enum),
    ("key", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", pl.Enum),
    ("mood", "sad", pl.Enum),
    ("doc", '{"a": 1}', pl.Enum),
    ("address", "127.0.0.1/32", pl.Enum),
]


def test_every_type_and_null(uri):
    source = PostgresSource(uri, '"My Schema"."pe""ople"')
    names = [name for name, _, _ in FITTING]
    raw = read(source, names)
    assert (raw.name, raw.typed) == ("pe_ople", True)
    assert raw.frame.columns == names
    converted = [convert(series, None, typed=True) for series in raw.frame]
    assert [series.to_list() for series in converted] == [[value, None] for _, value, _ in FITTING]
    assert [series.dtype.base_type() for series in converted] == [kind for _, _, kind in FITTING]


@pytest.mark.parametrize("name", ["list", "raw"])
def test_arrays_and_bytes_are_refused_if_asked_for(uri, name):
    with pytest.raises(DataError, match=f"'{name}'") as caught:
        read(PostgresSource(uri, '"My Schema"."pe""ople"'), [name])
    assert caught.value.reason == "unsupported-type"


def test_only_the_columns_asked_for(uri):
    frame = read(PostgresSource(uri, "people"), ["job", "age"]).frame
    assert frame.to_dict(as_series=False) == {"age": [30, 40, 50], "job": ["b", None, "a"]}
    assert frame["job"].dtype == pl.Enum(["a", "b"])


def test_a_source_from_text(uri):
    assert read(parse_source(f"{uri}#public.people", Path())).frame.height == 3


def test_the_header(uri):
    assert header(PostgresSource(uri, "public.people")) == ("id", "age", "job")
    assert header(PostgresSource(uri, None, "SELECT age AS years FROM people")) == ("years",)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT job, age FROM people WHERE age > 35 ORDER BY age",
        "WITH p AS (SELECT * FROM people) SELECT job, age FROM p WHERE age > 35 ORDER BY age ; ",
        "SELECT job, age FROM people WHERE age > 35 ORDER BY age -- note",
    ],
)
def test_a_query(uri, query):
    raw = read(PostgresSource(uri, None, query), ["age", "job"])
    assert raw.name == "table"
    assert raw.frame.to_dict(as_series=False) == {"job": [None, "a"], "age": [40, 50]}


def test_a_number_that_is_none_is_null(uri):
    series = read(PostgresSource(uri, "numbers")).frame["n"]
    assert convert(series, None, typed=True).to_list() == [None, 1.5, None]


FAULTS = {
    "missing table": ({"table": "peple"}, None, "missing-table", "no such table"),
    "names are exact": ({"table": "PEOPLE"}, None, "missing-table", "no such table"),
    "missing schema": ({"table": "nowhere.people"}, None, "missing-table", "no such table"),
    "unknown column": ({"table": "people"}, ["jbo"], "unknown-column", "did you mean 'job'"),
    "empty table": ({"table": "nobody"}, None, "empty-table", "at least one row"),
    "huge numbers": ({"table": "huge"}, None, "number-too-large", "'n'"),
    "syntax": ({"query": f"SELEC '{SECRET}'"}, None, "sql-syntax", "syntax"),
    "no column": ({"query": "SELECT surname FROM people"}, None, "sql-unknown-name", "column"),
    "no function": ({"query": "SELECT nope(id) FROM people"}, None, "sql-unknown-name", "function"),
    "two statements": ({"query": "SELECT 1; DROP TABLE people"}, None, "sql-syntax", "SELECT"),
    "breaking out": (
        {"query": "SELECT 1) AS x; DROP TABLE people; --"}, None, "sql-syntax", "SELECT",
    ),
    "delete": ({"query": "DELETE FROM people RETURNING id"}, None, "sql-syntax", "SELECT"),
    "delete in with": (
        {"query": "WITH d AS (DELETE FROM people RETURNING id) SELECT * FROM d"},
        None, "sql-not-a-select", "only reads",
    ),
    "writing function": (
        {"query": "SELECT lo_create(0) AS n"}, None, "sql-not-a-select", "writes",
    ),
    "conversion": (
        {"query": "SELECT id::int AS n FROM people"}, None, "postgres-failed", "while rows",
    ),
    "late conversion": (
        {"query": "SELECT CASE WHEN i < 90000 THEN '1' ELSE 'Zaphod-' || 42 END::int AS n "
                  "FROM generate_series(1, 99999) AS g(i)"},
        None, "postgres-failed", "while rows",
    ),
    "other errors": (
        {"query": "SELECT 'x'::int AS n"}, None, "postgres-failed", "with code 22P02",
    ),
    "duplicate": (
        {"query": "SELECT id AS x, job AS x FROM people"}, None, "duplicate-column", "'x'",
    ),
    "blank": ({"query": 'SELECT id AS " " FROM people'}, None, "blank-column", "column 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", spread(FAULTS, 5))
def test_fault(uri, case):
    what, columns, reason, part = FAULTS[case]
    check_fault(PostgresSource(uri, **what), columns, reason, part)
    assert read(PostgresSource(uri, "people")).frame.height == 3


def check_fault(source, columns, reason, part, hidden=SECRET):
    with pytest.raises(DataError) as caught:
        read(source, columns)
    error = caught.value
    assert error.reason == reason
    assert part in str(error)
    assert "\n" not in str(error)
    assert hidden not in "".join(traceback.format_exception(error))


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda uri: uri.replace("postgres:@", "nobody:hunter2@"), "does not know the user"),
        (lambda uri: uri.replace("/tests_", "/nowhere_"), "does not have the database"),
        (lambda uri: "postgresql://u:hunter2@127.0.0.1:1/d", "nothing listens there"),
        (lambda uri: "postgresql://u:hunter2@no.such.host.invalid/d", "cannot connect"),
        (lambda uri: "postgresql://u:hunter2 x@127.0.0.1/d", "cannot connect"),
        (lambda uri: "postgresql://u@127.0.0.1/d?pasword=hunter2", "cannot connect"),
    ],
)
def test_no_connection(uri, change, part):
    check_fault(PostgresSource(change(uri), "people"), None, "no-connection", part, "hunter2")


def test_a_missing_driver_is_explained(monkeypatch):
    original = builtins.__import__

    def without_driver(name, *arguments, **keywords):
        if name.startswith("adbc_driver"):
            raise ImportError(name)
        return original(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_driver)
    with pytest.raises(DataError, match=r"papilio\[postgres\]") as caught:
        read(PostgresSource("postgresql://h/d", "t"))
    assert caught.value.reason == "missing-driver"


def test_whole_numbers_can_be_declared_text(uri):
    series = read(PostgresSource(uri, "people"), ["age"]).frame["age"]
    assert convert(series, ColumnType.CATEGORY, typed=True).to_list() == ["30", "40", "50"]
