"""SQL over released graphs: bounds hold the truth, and what cannot be bounded is refused."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from graph_arrays import random_pairs
from papilio import Policy, publish
from papilio.errors import ReleaseError
from papilio.families.graph.make import graph_order_of, make_graph
from papilio.progress import silent
from papilio.query.refusal import QueryError
from papilio.randomness import Randomness
from papilio.workflow.ask import ask, rewrite
from sizes import spread

JOIN = (
    "authors JOIN writes ON authors.id = writes.author JOIN papers ON papers.paper = writes.paper"
)
POLICY = Policy(
    graph={
        "left": {
            "source": {"file": "a.csv", "name": "authors"},
            "key": "id",
            "columns": {"place": "plain", "age": "plain"},
        },
        "right": {
            "source": {"file": "p.csv", "name": "papers"},
            "key": "paper",
            "columns": {"venue": "plain", "pages": "plain"},
        },
        "edges": {
            "source": {"file": "e.csv", "name": "writes"}, "left": "author", "right": "paper",
        },
    },
    privacy={"k": 3, "l": 2},
)  # fmt: skip


def data(seed):
    random = np.random.default_rng(seed)
    pairs = random_pairs(random, 24, 18, 0.08)
    ages = random.integers(20, 60, 24)
    return {
        "left": pl.DataFrame(
            {
                "id": np.arange(24),
                "place": random.choice(["US", "EU", "AS"], 24),
                "age": pl.Series([None if age == 30 else int(age) for age in ages]),
            }
        ),
        "right": pl.DataFrame(
            {
                "paper": np.arange(18),
                "venue": random.choice(["VLDB", "SIGMOD"], 18),
                "pages": random.integers(4, 30, 18) / 2,
            }
        ),
        "edges": pl.DataFrame(pairs, schema=["author", "paper"], orient="row"),
    }


@pytest.fixture(scope="module")
def release():
    return publish(data(1), POLICY, seed=1)


#: Queries, and the same for DuckDB over the original, where degree is no function.
QUERIES = [
    f"SELECT count(*), count(DISTINCT papers.paper) AS p, sum(pages) AS s FROM {JOIN} "
    "WHERE place = 'US' AND venue = 'VLDB'",
    "SELECT avg(pages), min(pages), max(pages), count(age) "
    f"FROM {JOIN} WHERE place IN ('US', 'EU')",
    f"SELECT avg(age), max(age), sum(age) FROM {JOIN} WHERE venue = 'SIGMOD' AND age > 25",
    "SELECT count(*), avg(age), sum(age * 2) AS twice FROM authors WHERE place LIKE 'E%'",
    "SELECT count(*), sum(pages) AS s FROM writes JOIN papers USING (paper) WHERE venue = 'VLDB'",
    f"SELECT place, count(*) AS n, count(DISTINCT id) AS d FROM {JOIN} GROUP BY place",
    f"SELECT place, venue, sum(pages) AS s FROM {JOIN} GROUP BY place, venue",
    "SELECT count(*) FROM authors WHERE degree(authors) >= 2 AND place = 'US'",
    "SELECT avg(degree(authors)) AS a, max(degree(authors)) AS m FROM authors WHERE age < 40",
    f"SELECT count(*) FROM {JOIN} WHERE degree(papers) = 2 AND age < 45",
    "SELECT max((SELECT count(*) FROM writes JOIN papers USING (paper) WHERE writes.author = "
    "authors.id AND venue = 'VLDB')) AS m, avg((SELECT count(*) FROM writes WHERE writes.author "
    "= authors.id)) AS a FROM authors WHERE place <> 'AS'",
    "SELECT count(DISTINCT authors.id) AS n FROM authors JOIN writes ON id = author",
]


def truth(frames, sql):
    import duckdb

    plain = sql
    for table, end in (("authors", "writes.author = authors.id"), ("papers", None)):
        inner = end or "w.paper = papers.paper"
        source = "writes" if end else "writes AS w"
        plain = plain.replace(f"degree({table})", f"(SELECT count(*) FROM {source} WHERE {inner})")
    with duckdb.connect() as connection:
        names = {"left": "authors", "right": "papers", "edges": "writes"}
        for part, name in names.items():
            connection.register(name, frames[part].to_arrow())
        found = connection.execute(plain)
        columns = [each[0] for each in found.description]
        return [dict(zip(columns, row, strict=True)) for row in found.fetchall()]


@pytest.mark.parametrize("sql", spread(QUERIES))
def test_bounds_hold_the_truth(sql):
    for seed in range(3):
        frames = data(seed)
        order, kind = graph_order_of(frames, POLICY)
        answer = ask(make_graph(order, POLICY, Randomness(seed), kind, silent).release, sql)
        rows = truth(frames, sql)
        for row in rows:
            mine = [
                each
                for each in answer.rows
                if all(row[name] == v for name, v in each.group.items())
            ]
            assert len(mine) == 1
            values = [value for name, value in row.items() if name not in mine[0].group]
            for bounds, value in zip(mine[0].answers.values(), values, strict=True):
                if value is None:
                    assert bounds.null or bounds.lo is None
                else:
                    assert bounds.lo - 1e-9 <= value <= bounds.hi + 1e-9
        sure = [each for each in answer.rows if each.sure and each.group]
        assert len(sure) <= len(rows)


def test_structure_and_attributes_alone_are_exact(release):
    assert ask(release, "SELECT count(*) FROM writes")["count(*)"].exact
    assert ask(release, "SELECT avg(age) FROM authors WHERE place = 'US'")["avg(age)"].exact
    assert ask(release, "SELECT count(*) AS n FROM papers WHERE degree(papers) > 1")["n"].exact


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT age FROM authors", "not-an-aggregate"),
        ("SELECT count(*) FROM nobody", "unknown-table"),
        ("SELECT count(*) FROM authors JOIN papers ON authors.id = papers.paper", "bad-join"),
        ("SELECT count(*) FROM authors LEFT JOIN writes ON id = author", "bad-join"),
        ("SELECT count(*) FROM authors JOIN writes ON age = author", "bad-join"),
        ("SELECT count(*) FROM authors WHERE id = 3", "masked-key"),
        ("SELECT sum(id) FROM authors", "masked-key"),
        (f"SELECT count(*) FROM {JOIN} WHERE place = venue", "mixed-condition"),
        (f"SELECT count(*) FROM {JOIN} WHERE place = 'US' OR venue = 'VLDB'", "mixed-condition"),
        ("SELECT count(*) FROM authors WHERE age > degree(authors)", "mixed-condition"),
        ("SELECT max(place) FROM authors", "sql-types"),
        ("SELECT count(DISTINCT place) FROM authors", "not-allowed"),
        ("SELECT count(*) FROM authors WHERE random() < 0.5", "not-allowed"),
        ("SELECT count(*) FROM authors WHERE 1 = 1", "constant-condition"),
        ("SELECT count(*) FROM authors ORDER BY 1", "clause-not-allowed"),
        ("SELECT count(*) FROM authors HAVING count(*) > 1", "clause-not-allowed"),
        ("SELECT count(*) FROM read_csv('authors')", "not-one-table"),
        ("SELECT count(*) FROM main.authors", "not-one-table"),
        ("SELECT count(*) FROM authors WHERE salary > 1", "unknown-column"),
        (f"SELECT count(*) FROM {JOIN} WHERE paper = 1", "unknown-column"),
        ("SELECT count(*) FROM authors, authors AS b", "bad-join"),
        ("DELETE FROM authors", "not-a-select"),
        ("SELECT count(* FROM authors", "sql-syntax"),
        ("SELECT degree(authors) FROM authors GROUP BY degree(authors)", "bad-group"),
        (f"SELECT avg(degree(authors)) FROM {JOIN}", "not-allowed"),
        ("SELECT max((SELECT sum(author) FROM writes WHERE author = id)) FROM authors", None),
        ("SELECT max((SELECT count(*) FROM writes)) FROM authors", "bad-subquery"),
    ],
)
def test_what_cannot_be_bounded_is_refused(release, sql, reason):
    with pytest.raises(QueryError) as error:
        ask(release, sql)
    assert reason is None or error.value.reason == reason
    assert not any(value in str(error.value) for value in ("'US'", "'VLDB'"))


def test_it_cannot_be_rewritten(release):
    with pytest.raises(ReleaseError, match="cannot be rewritten"):
        rewrite(release, "SELECT count(*) FROM authors", to="postgres")


def test_the_place_of_a_fault_is_shown(release):
    with pytest.raises(QueryError) as error:
        ask(release, "SELECT count(*) FROM authors WHERE salary > 1")
    assert "^^^^^^" in error.value.pictured()
