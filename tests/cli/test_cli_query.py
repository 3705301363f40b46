"""``papilio query``: tables, JSON, printed SQL, refusals."""

import json

import pytest
import sqlglot

POLICY = """source: people.csv
columns:
  name: identifier
  age: quasi
  job: quasi
  disease: sensitive
privacy: {k: 5}
"""


@pytest.fixture
def released(bench):
    bench.write("policy.yaml", POLICY)
    assert bench.publish().code == 0
    return bench


def test_table(released):
    result = released.run("query", "release", "SELECT count(*) FROM people WHERE age > 30")
    assert (result.code, result.err) == (0, "")
    assert "count(*)" in result.out
    assert "estimate" in result.out


def test_json(released):
    result = released.run(
        "query", "release", "SELECT disease, count(*) n FROM people GROUP BY disease", "--json"
    )
    assert result.code == 0
    content = json.loads(result.out)
    for row in content["rows"]:
        assert list(row) == ["group", "answers"]
        assert list(row["group"]) == ["disease"]
        assert list(row["answers"]["n"]) == ["lo", "hi", "estimate", "std", "exact"]
    assert sum(row["answers"]["n"]["lo"] for row in content["rows"]) == 40


def test_uncertain_groups_say_so(released):
    result = released.run(
        "query", "release", "SELECT disease, count(*) n FROM people WHERE age = 30 GROUP BY 1"
    )
    assert result.code == 0
    assert "may have no row" in result.out


@pytest.mark.parametrize("dialect", ["postgres", "spark", "duckdb"])
def test_sql(released, dialect):
    result = released.run(
        "query", "release", "SELECT count(*) FROM people WHERE age > 30", "--sql", dialect
    )
    assert (result.code, result.err) == (0, "")
    (statement,) = sqlglot.parse(result.out, read=dialect)
    assert isinstance(statement, sqlglot.exp.Select)


def test_refused_with_carets(released):
    result = released.run("query", "release", "SELECT count(*) FROM people WHERE wage > 30")
    assert result.code == 2
    first, line, carets = result.err.splitlines()
    assert "'wage' is not a column" in first
    assert line == "papilio:   SELECT count(*) FROM people WHERE wage > 30"
    assert line[carets.index("^") :].startswith("wage")
    assert carets.count("^") == 4


def test_refused_json(released):
    result = released.run("query", "release", "DROP TABLE people", "--json")
    assert result.code == 2
    assert json.loads(result.out)["error"]["reason"] == "not-a-select"


def test_not_a_release(bench):
    result = bench.run("query", "nowhere", "SELECT count(*) FROM people")
    assert result.code == 2
    assert "not a release" in result.err
