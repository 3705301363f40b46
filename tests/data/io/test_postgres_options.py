"""Addresses of servers in policies: none has a file of the reader opened."""

from __future__ import annotations

import pytest

from papilio.cli.app import run
from papilio.data.io.postgres import check_options
from papilio.errors import DataError

NAMING_FILES = [
    "postgresql://h/d?passfile=/home/me/.pgpass",
    "postgresql://h/d?sslkey=/home/me/key",
    "postgresql://h/d?sslmode=require&sslcert=x",
    "postgresql://h/d?service=mine",
    "postgresql://h/d?servicefile=x",
    "postgresql://h/d?sslrootcert=x",
    "postgresql://h/d?%70assfile=x",
    # To libpq, the first question mark is part of the user's name.
    "postgresql://u?sslmode=@h/d?passfile=x",
    "postgresql://u?sslmode=require&port=@h/d?sslkey=x",
    "postgresql://h/d?",
    "postgresql://h/d?dbname=service%3Dmine",
]


@pytest.mark.parametrize("address", NAMING_FILES)
def test_options_that_name_files_are_refused(address):
    with pytest.raises(DataError, match="an option that a policy may not set") as caught:
        check_options(address, ())
    assert caught.value.reason == "not-allowed"
    check_options(address, None)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://u:p@h:5432/d",
        "postgresql://h/d?sslmode=require&connect_timeout=3",
        "postgresql:///d?host=/run/postgresql&port=5433",
    ],
)
def test_other_options_are_accepted(address):
    check_options(address, ())


SOURCES = {
    "one line": "source: {}#people",
    "with a query": "source: {{postgresql: '{}', query: SELECT 1}}",
    "as a file": "source: {{file: '{}#people'}}",
    "a database": "database: {}\ntables: {{people: {{columns: {{age: quasi}}}}}}\nperson: people",
}


@pytest.mark.parametrize("source", SOURCES)
def test_every_place_of_a_policy(source, tmp_path, capsys):
    told = SOURCES[source].format("postgresql://127.0.0.1:1/d?passfile=/home/me/.pgpass")
    columns = "" if source == "a database" else "columns: {age: quasi}\n"
    (tmp_path / "policy.yaml").write_text(f"{told}\n{columns}privacy: {{k: 2}}\n")
    assert run(["publish", str(tmp_path / "policy.yaml"), "-o", str(tmp_path / "out")]) == 2
    assert "an option that a policy may not set" in capsys.readouterr().err
