"""Bounds over linked tables against the answers of the original, whatever rows were removed."""

import math

import duckdb
import numpy as np
import polars as pl
import pytest

from papilio.policy.policy import Policy
from papilio.query.refusal import QueryError
from papilio.workflow.ask import ask
from papilio.workflow.publish import publish
from sizes import some, spread

QUERIES = [
    "SELECT count(*) AS a, sum(gpa) AS b, avg(age) AS c, max(age) AS d FROM person WHERE age > 35",
    "SELECT count(*) AS a FROM visit WHERE ward = 'a'",
    "SELECT count(*) AS a, count(cost) AS b FROM visit WHERE cost > 400 OR ward = 'b'",
    "SELECT count(*) AS a, sum(gpa) AS b, min(gpa) AS c, max(gpa) AS d, avg(gpa) AS e "
    "FROM person JOIN visit ON visit.pid = person.pid WHERE ward = 'b' AND region = 'north'",
    "SELECT count(*) AS a, sum(p.age) AS b FROM visit v JOIN person p ON p.pid = v.pid "
    "WHERE v.cost < 700 AND p.age < 40",
    "SELECT count(*) AS a, sum(debt) AS b FROM person JOIN visit USING (pid) JOIN drug USING (vid) "
    "WHERE name IN ('x', 'y')",
    "SELECT count(*) AS a FROM visit JOIN drug ON drug.vid = visit.vid "
    "WHERE name = 'x' AND cost > 9",
]


def frames(seed, people=16):
    generator = np.random.default_rng(seed)
    visits = np.repeat(np.arange(people), generator.integers(0, 4, people))
    drugs = np.repeat(np.arange(len(visits)), generator.integers(0, 3, len(visits)))
    pick = lambda values, count: [values[i] for i in generator.integers(0, len(values), count)]  # noqa: E731
    return {
        "person": pl.DataFrame({
            "pid": range(people), "region": pick(("north", "south"), people),
            "age": generator.integers(20, 60, people), "gpa": generator.integers(1, 100, people),
            "debt": generator.integers(-50, 50, people),
        }),
        "visit": pl.DataFrame({
            "vid": range(len(visits)), "pid": visits, "ward": pick(("a", "b", "c"), len(visits)),
            "cost": generator.integers(0, 1000, len(visits)),
        }),
        "drug": pl.DataFrame({"vid": drugs, "name": pick(("x", "y", "z"), len(drugs))}),
    }  # fmt: skip


def policy(**privacy):
    tables = {
        "person": {"key": "pid", "columns": {
            "region": "quasi", "age": "quasi", "gpa": "sensitive", "debt": "sensitive"}},
        "visit": {"key": "vid", "parent": {"person": "pid"}, "columns": {
            "ward": "quasi", "cost": "sensitive"}},
        "drug": {"parent": {"visit": "vid"}, "columns": {"name": "quasi"}},
    }  # fmt: skip
    return Policy(tables=tables, person="person", privacy={"k": 3} | privacy)


def truth(data, query):
    with duckdb.connect() as connection:
        for name, frame in data.items():
            connection.register(name, frame.to_arrow())
        return connection.sql(query).pl().row(0, named=True)


@pytest.mark.parametrize("seed", some(range(6), first=2))
@pytest.mark.parametrize("suppress", [0.0, 0.8])
def test_the_true_answer_lies_within(seed, suppress):
    data = frames(seed)
    release = publish(data, policy(suppress=suppress), seed=seed)
    for query in QUERIES:
        answer, expected = ask(release, query), truth(data, query)
        for name, value in expected.items():
            bounds = answer[name]
            if value is None:
                assert bounds.null or bounds.lo is None
                continue
            assert bounds.lo - 1e-9 <= value <= bounds.hi + 1e-9, query


def test_a_stated_limit_makes_upper_bounds_finite():
    data = frames(1)
    asked = "SELECT count(*) AS n FROM visit"
    without = ask(publish(data, policy(), seed=1), asked)
    assert math.isinf(without["n"].hi)
    release = publish(data, policy(suppress=0.5), seed=1)
    rows = release.frames["visit"].height
    stated = ask(release, asked)
    assert (stated["n"].lo, stated["n"].hi) == (rows, 2 * rows)
    assert "may be missing" in stated.notes[0]


def test_people_are_never_missing():
    data = frames(2)
    answer = ask(publish(data, policy(), seed=2), "SELECT count(*) AS n, sum(gpa) AS s FROM person")
    assert answer["n"].exact
    assert answer["s"].lo == answer["s"].hi == data["person"]["gpa"].sum()


@pytest.mark.parametrize(("query", "reason"), spread([
    ("SELECT sum(cost) FROM visit", "rows-missing"),
    ("SELECT count(DISTINCT ward) FROM visit", "rows-missing"),
    ("SELECT count(*) FROM visit HAVING count(*) > 3", "rows-missing"),
    ("SELECT count(*) FROM person JOIN drug ON drug.vid = person.pid", "not-a-chain"),
    ("SELECT count(*) FROM person JOIN visit ON visit.cost = person.pid", "join-condition"),
    ("SELECT count(*) FROM person LEFT JOIN visit ON visit.pid = person.pid", "join-condition"),
    ("SELECT count(*) FROM person, visit", "join-condition"),
    ("SELECT count(*) FROM visit WHERE pid = 3", "unknown-column"),
    ("SELECT count(*) FROM visit WHERE shoe = 3", "unknown-column"),
    ("SELECT count(*) FROM nothing", "no-table"),
    ("SELECT count(*) FROM visit a JOIN visit b ON a.pid = b.pid", "self-join"),
    ("SELECT count(*) FROM", "sql-syntax"),
    ("DROP TABLE visit", "not-a-select"),
]))  # fmt: skip
def test_what_cannot_be_bounded_is_refused(query, reason):
    release = publish(frames(3), policy(), seed=3)
    with pytest.raises(QueryError) as caught:
        ask(release, query)
    assert caught.value.reason == reason
