"""Odd names, odd values, injection, reserved words, letter case, and very long conditions."""

from dataclasses import replace

import polars as pl
import pytest
import sqlglot
from partitioned import generalised, permuted

from papilio.errors import ReleaseError
from papilio.query.refusal import QueryError
from papilio.query.sql import DIALECTS
from papilio.workflow.ask import ask, rewrite
from sizes import some, spread

NAMES = [
    'a"b', "it's", "x; DROP TABLE patients; --", "select", "/* c */", "ü 😀", "k1", "g", "hits",
    "b.c", "group", "papilio_v1", "`tick`", "back\\slash", "v", "must", "Where",
]  # fmt: skip


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def release_with(name, kind=permuted, table="patients"):
    frame = pl.DataFrame({name: [1, 2, 3, 4], "s": [10, 20, 30, 40]})
    columns = {name: "quasi", "s": {"role": "sensitive", "type": "numeric"}}
    return kind(frame, [0, 0, 1, 1], columns, table)


@pytest.mark.parametrize("kind", [permuted, generalised])
@pytest.mark.parametrize("name", NAMES)
def test_columns(name, kind):
    release = release_with(name, kind)
    query = f"SELECT sum(s), max({quoted(name)}) m FROM patients WHERE {quoted(name)} >= 3"
    (row,) = ask(release, query).rows
    assert row.answers["sum(s)"].exact
    assert row.answers["sum(s)"].lo == 70
    assert row.answers["m"].hi == 4


@pytest.mark.parametrize("dialect", spread(DIALECTS, 2))
@pytest.mark.parametrize("name", NAMES)
def test_columns_in_other_dialects(name, dialect):
    query = f"SELECT sum(s) FROM patients WHERE {quoted(name)} >= 3"
    (statement,) = sqlglot.parse(rewrite(release_with(name), query, to=dialect), read=dialect)
    assert name in {each.name for each in statement.find_all(sqlglot.exp.Identifier)}


@pytest.mark.parametrize("name", NAMES)
def test_groups_and_aliases(name):
    release = release_with(name)
    query = (
        f"SELECT {quoted(name)} % 2 AS {quoted(name)}, sum(s) AS {quoted(name + '!')} "
        "FROM patients GROUP BY 1"
    )
    answer = ask(release, query)
    assert sorted(row.group[name] for row in answer.rows) == [0, 1]
    assert all(list(row.answers) == [name + "!"] for row in answer.rows)


@pytest.mark.parametrize(
    "table", ['quo"te', "select", "it's [1]", "b", "h", "t", "x;--", "v1_avg", "ü"]
)
def test_tables(table):
    for kind in (permuted, generalised):
        release = release_with("q", kind, table="patients")
        renamed = _renamed(release, table)
        (row,) = ask(renamed, f"SELECT sum(s) FROM {quoted(table)} WHERE q > 2").rows
        assert row.answers["sum(s)"].lo == 70


def _renamed(release, name):
    def new(old):
        return old.replace("patients", name)

    tables = tuple(replace(each, name=new(each.name)) for each in release.manifest.tables)
    claims = tuple(replace(each, table=new(each.table)) for each in release.manifest.claims)
    manifest = replace(release.manifest, tables=tables, claims=claims)
    frames = {new(key): frame for key, frame in release.frames.items()}
    return replace(release, manifest=manifest, frames=frames)


def test_reserved_tables():
    with pytest.raises(ReleaseError, match="papilio_"):
        ask(_renamed(release_with("q"), "papilio_hits"), "SELECT sum(s) FROM papilio_hits")


@pytest.mark.parametrize("value", ["it's", 'a"b', "'; DROP TABLE x; --", "a\\", "%_", "ü", "NULL"])
def test_values(value):
    frame = pl.DataFrame({"q": [value, value, "z", "z"], "s": [1, 2, 3, 4]})
    columns = {"q": "quasi", "s": {"role": "sensitive", "type": "numeric"}}
    literal = "'" + value.replace("'", "''") + "'"
    for kind in (permuted, generalised):
        release = kind(frame, [0, 0, 1, 1], columns)
        query = f"SELECT sum(s) FROM patients WHERE q = {literal}"
        (row,) = ask(release, query).rows
        assert (row.answers["sum(s)"].lo, row.answers["sum(s)"].hi) == (3, 3)
        for dialect in DIALECTS:
            assert sqlglot.parse_one(rewrite(release, query, to=dialect), read=dialect)


def test_letter_case():
    release = release_with("Age")
    for name in ("Age", "age", "AGE", '"Age"', '"aGe"', "patients.Age", "PATIENTS.age", "p.AGE"):
        table = "patients p" if name.startswith("p.") else "Patients"
        (row,) = ask(release, f"SELECT sum(S) FROM {table} WHERE {name} > 2").rows
        assert row.answers["sum(S)"].lo == 70


def test_names_that_differ_in_case_only():
    release = release_with("q")
    frames = {name: frame.with_columns(Q=frame[:, 0]) for name, frame in release.frames.items()}
    with pytest.raises(ReleaseError, match="letter case"):
        ask(replace(release, frames=frames), "SELECT sum(s) FROM patients")


@pytest.mark.parametrize("kind", some([permuted, generalised]))
def test_thousands_of_terms(kind):
    release = release_with("q", kind)
    either = " OR ".join(f"q = {n}" for n in range(3, 1500))
    (row,) = ask(release, f"SELECT sum(s) FROM patients WHERE {either}").rows
    assert row.answers["sum(s)"].lo == 70
    both = " AND ".join(f"q <> {n}" for n in range(5, 1500))
    (row,) = ask(release, f"SELECT sum(s) FROM patients WHERE {both}").rows
    assert row.answers["sum(s)"].lo == 100
    listed = ", ".join(map(str, range(3, 5000)))
    (row,) = ask(release, f"SELECT sum(s) FROM patients WHERE q IN ({listed})").rows
    assert row.answers["sum(s)"].lo == 70


@pytest.mark.parametrize(
    "condition",
    ["(" * 2000 + "q" + ")" * 2000 + " > 1", "NOT " * 3000 + "TRUE", "q" + " + 1" * 3000 + " > 1",
     "CASE WHEN " * 500 + "TRUE" + " THEN TRUE END" * 500],
)  # fmt: skip
def test_deep_nesting(condition):
    with pytest.raises(QueryError) as caught:
        ask(release_with("q"), f"SELECT sum(s) FROM patients WHERE {condition}")
    assert caught.value.reason in ("too-deep", "sql-syntax")
    assert len(caught.value.pictured()) < 1000


def test_comments_do_not_reach_the_server():
    query = "SELECT sum(s) /* */ FROM patients WHERE q > 2 -- ; DROP TABLE x\n"
    text = rewrite(release_with("q"), query, to="postgres")
    assert "DROP" not in text
    assert "--" not in text
