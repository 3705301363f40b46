"""Linked tables from DuckDB, SQLite and PostgreSQL, with keys from the catalog."""

import sqlite3
from pathlib import Path

import duckdb
import polars as pl
import pytest

from papilio.data.io.database import Keys, catalog, parse_database
from papilio.errors import DataError, PolicyError
from papilio.policy.apply_tables import linked_order
from papilio.policy.policy import Policy
from papilio.workflow.publish import publish
from papilio.workflow.verify import verify
from postgres_server import new_database, run

EXAMPLE = Path(__file__).parents[2] / "examples" / "linked-tables"
STATEMENTS = [
    "CREATE TABLE student (sid VARCHAR(9) PRIMARY KEY, gpa DOUBLE PRECISION)",
    "CREATE TABLE takes (scid VARCHAR(9) PRIMARY KEY, sid VARCHAR(9) NOT NULL REFERENCES "
    "student(sid), course VARCHAR(20), grade INTEGER)",
    "CREATE TABLE book (scid VARCHAR(9) REFERENCES takes(scid), book VARCHAR(20), price INTEGER)",
]


def statements():
    yield from STATEMENTS
    for name in ("student", "takes", "book"):
        for row in pl.read_csv(EXAMPLE / f"{name}.csv").iter_rows():
            values = ", ".join(repr(v) for v in row)
            yield f"INSERT INTO {name} VALUES ({values})"


@pytest.fixture
def database(request, tmp_path):
    match request.param:
        case "duckdb":
            with duckdb.connect(str(tmp_path / "university.duckdb")) as connection:
                for statement in statements():
                    connection.execute(statement)
            yield "university.duckdb"
        case "sqlite":
            connection = sqlite3.connect(tmp_path / "university.db")
            for statement in statements():
                connection.execute(statement)
            connection.commit()
            connection.close()
            yield "university.db"
        case _:
            uri = new_database(request.getfixturevalue("postgres_address"))
            run(uri, "CREATE SCHEMA uni", "SET search_path TO uni", *statements())
            yield f"{uri}#uni"


def policy(database, base, **tables):
    said = f"""
papilio: 1
database: {database}
tables:
  student: {{columns: {{gpa: sensitive}}}}
  takes:
    columns:
      course: {{role: quasi, hierarchy: {EXAMPLE}/course_hierarchy.csv}}
      grade: sensitive
  book:
    columns: {{book: {{role: quasi, hierarchy: {EXAMPLE}/book_hierarchy.csv}}, price: sensitive}}
person: student
privacy: {{k: 2}}
"""
    return Policy.parse(said, base=base, allow=[EXAMPLE])


@pytest.mark.parametrize("database", ["duckdb", "sqlite", "postgresql"], indirect=True)
def test_keys_come_from_the_catalog(database, tmp_path):
    order = linked_order(policy(database, tmp_path)).snowflake
    assert [(t.name, t.key, t.parent, t.foreign_key) for t in order.tables] == [
        ("student", "sid", None, None),
        ("takes", "scid", "student", "sid"),
        ("book", None, "takes", "scid"),
    ]
    release = publish(None, policy(database, tmp_path), seed=1)
    assert {name: frame.height for name, frame in release.frames.items()} == {
        "student": 4, "takes": 10, "book": 8,
    }  # fmt: skip
    assert release.frames["takes"]["grade"].dtype == pl.Int64
    assert verify(release, original=policy(database, tmp_path)).holds


def make(tmp_path, *more):
    with duckdb.connect(str(tmp_path / "u.duckdb")) as connection:
        for statement in more:
            connection.execute(statement)
    return "u.duckdb"


def test_a_key_of_several_columns_is_refused(tmp_path):
    file = make(
        tmp_path,
        "CREATE TABLE student (a INTEGER, b INTEGER, gpa INTEGER, PRIMARY KEY (a, b))",
        "CREATE TABLE takes (a INTEGER, b INTEGER, course VARCHAR, grade INTEGER, "
        "FOREIGN KEY (a, b) REFERENCES student(a, b))",
    )
    assert catalog(parse_database(file, tmp_path))["takes"] == Keys((), (("student", ("a", "b")),))
    said = {
        "student": {"columns": {"gpa": "sensitive"}},
        "takes": {"columns": {"course": "quasi"}},
    }
    order = Policy(database=str(tmp_path / file), tables=said, person="student", privacy={"k": 2})
    with pytest.raises(PolicyError, match="has several columns"):
        linked_order(order)


def test_two_ways_up_must_be_told_apart(tmp_path):
    file = make(
        tmp_path,
        "CREATE TABLE student (sid INTEGER PRIMARY KEY, gpa INTEGER)",
        "CREATE TABLE pair (a INTEGER REFERENCES student(sid), b INTEGER REFERENCES student(sid), "
        "course VARCHAR)",
        "INSERT INTO student VALUES (1, 1), (2, 2)",
        "INSERT INTO pair VALUES (1, 2, 'x'), (2, 1, 'y')",
    )
    said = {"student": {"columns": {"gpa": "sensitive"}}, "pair": {"columns": {"course": "quasi"}}}
    path = str(tmp_path / file)
    with pytest.raises(PolicyError, match="knows 2 foreign keys"):
        linked_order(Policy(database=path, tables=said, person="student", privacy={"k": 2}))
    said["pair"]["parent"] = {"student": "a"}
    order = Policy(database=path, tables=said, person="student", privacy={"k": 2})
    assert linked_order(order).snowflake.tables[1].up.tolist() == [0, 1]


@pytest.mark.parametrize(("file", "content", "reason"), [
    ("gone.duckdb", None, "missing-file"),
    ("text.duckdb", b"this is no database at all", "unreadable-database"),
    ("cut.db", b"SQLite format 3\x00 and then nothing", "unreadable-database"),
])  # fmt: skip
def test_what_is_no_database(tmp_path, file, content, reason):
    if content is not None:
        (tmp_path / file).write_bytes(content)
    with pytest.raises(DataError) as caught:
        linked_order(policy(file, tmp_path))
    assert caught.value.reason == reason


def test_a_table_that_is_not_there(tmp_path):
    file = make(tmp_path, "CREATE TABLE student (sid INTEGER PRIMARY KEY, gpa INTEGER)")
    said = {"pupil": {"columns": {"gpa": "quasi"}}}
    order = Policy(database=str(tmp_path / file), tables=said, person="pupil", privacy={"k": 2})
    with pytest.raises(DataError, match="no table 'pupil'"):
        linked_order(order)
