"""From a table or query on a PostgreSQL server to a release."""

import pytest
import yaml
from cli_bench import PEOPLE

import papilio as pp
from postgres_server import run

pytestmark = pytest.mark.postgres

COLUMNS = "columns: {name: identifier, age: quasi, job: quasi, disease: sensitive}"


@pytest.fixture(scope="module")
def server(postgres):
    rows = ",".join(
        "('{}', {}, '{}', '{}')".format(*line.split(",")) for line in PEOPLE.splitlines()[1:]
    )
    run(
        postgres,
        "CREATE SCHEMA clinic",
        "CREATE TABLE clinic.people (name text, age int, job text, disease varchar(20))",
        f"INSERT INTO clinic.people VALUES {rows}",
    )
    return postgres


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("table: clinic.people", "people"),
        ("table: clinic.people, name: patients", "patients"),
        ("query: 'SELECT * FROM clinic.people WHERE age < 30'", "table"),
    ],
)
def test_publish(bench, server, part, name):
    source = f"source: {{postgresql: '{server}', {part}}}"
    bench.write("policy.yaml", f"{source}\n{COLUMNS}\nprivacy: {{k: 5}}\ncells: safe\n")
    result = bench.publish()
    assert (result.code, result.err) == (0, "")
    assert bench.run("verify", "release", "--original", "policy.yaml").code == 0
    (table,) = pp.Release.open("release").frames
    assert table == name
    published = b"".join(path.read_bytes() for path in bench.folder.glob("release/*"))
    assert b"person" not in published
    assert server.encode() not in published


def test_profile_draft_publish(bench, server):
    address = f"{server}#clinic.people"
    assert "40 rows, 4 columns" in bench.run("profile", address).out
    assert bench.run("init", address, "-o", "draft.yaml").code == 0
    drafted = yaml.safe_load(bench.folder.joinpath("draft.yaml").read_text())["source"]
    assert drafted == address.replace("postgres:@", "postgres@")
    assert bench.run("publish", "draft.yaml", "-o", "release").code == 0
    assert bench.run("report", "release", "--original", "draft.yaml").code == 0


@pytest.mark.parametrize(
    ("part", "what"),
    [
        ("table: nobody", "there is no such table"),
        ("table: nowhere.people", "no such"),
        ("query: 'SELEC 1'", "syntax error"),
        ("query: 'SELECT * FROM clinic.people WHERE age < 0'", "the table is empty"),
        ("query: 'SELECT name, name::int AS age, job, disease FROM clinic.people'", "query"),
        ("table: clinic.people, null: [x]", "null goes with file"),
    ],
)
def test_faults(bench, server, part, what):
    source = f"source: {{postgresql: '{server}', {part}}}"
    bench.write("policy.yaml", f"{source}\n{COLUMNS}\nprivacy: {{k: 5}}\n")
    (message,) = bench.refused_publish()
    assert what in message
    assert "person" not in message


def test_password_is_never_shown(bench, server):
    address = "postgresql://somebody:SECRET@127.0.0.1:1/db"
    bench.write("policy.yaml", f"source: {address}#t\n{COLUMNS}\nprivacy: {{k: 5}}\n")
    (message,) = bench.refused_publish()
    assert "somebody@127.0.0.1:1/db: cannot connect" in message
    assert "SECRET" not in message
    assert "SECRET" not in repr(pp.Policy.load("policy.yaml"))
