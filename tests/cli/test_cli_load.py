"""``papilio load``: tables on a server, all or none."""

import json

import pytest

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def server(postgres):
    return postgres


@pytest.fixture
def released(bench):
    assert bench.publish().code == 0
    return bench


def rows(uri, sql):
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(uri) as connection, connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


def test_load_and_ask(released, server):
    result = released.run("load", "release", server, "--schema", 'wa"rd')
    assert (result.code, result.err) == (0, "")
    assert "people (40 rows)" in result.out
    text = released.run(
        "query", "release", "SELECT count(*) FROM people WHERE age > 30", "--sql", "postgres"
    ).out.rstrip(";\n")
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(server) as connection, connection.cursor() as cursor:
        cursor.execute('SET search_path = "wa""rd"')
        cursor.execute(text)
        (row,) = cursor.fetchall()
    asked = released.run("query", "release", "SELECT count(*) FROM people WHERE age > 30", "--json")
    (answer,) = json.loads(asked.out)["rows"]
    assert (row[0], row[1]) == tuple(answer["answers"]["count(*)"][end] for end in ("lo", "hi"))


def test_never_overwrites(released, server):
    assert released.run("load", "release", server, "--schema", "two", "--json").code == 0
    again = released.run("load", "release", server, "--schema", "two")
    assert again.code == 2
    assert "--replace" in again.err
    assert released.run("load", "release", server, "--schema", "two", "--replace").code == 0
    assert rows(server, "SELECT count(*) FROM two.people") == [(40,)]


def test_all_or_none(released, server, monkeypatch):
    """A failure in the middle leaves nothing, not even the schema."""
    from papilio.engines import postgres

    def refuse(cursor, table, schema):
        cursor.execute("SELECT 1 / 0")

    monkeypatch.setattr(postgres, "_index", refuse)
    result = released.run("load", "release", server, "--schema", "half")
    assert result.code == 2
    assert "nothing was loaded" in result.err
    found = rows(server, "SELECT count(*) FROM pg_namespace WHERE nspname = 'half'")
    assert found == [(0,)]


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("postgresql://somebody:SECRET@127.0.0.1:1/db", "cannot connect"),
        ("mysql://somebody:SECRET@127.0.0.1/db", "postgresql://user@host/database"),
    ],
)
def test_bad_addresses(released, address, what):
    result = released.run("load", "release", address)
    assert result.code == 2
    assert what in result.err
    assert "SECRET" not in result.err


def test_long_names(released, server):
    result = released.run("load", "release", server, "--schema", "x" * 64)
    assert result.code == 2
    assert "too long" in result.err
