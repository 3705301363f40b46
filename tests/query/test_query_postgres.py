"""The printed SQL on a real PostgreSQL server gives what DuckDB gives, also through psql."""

import csv
import io
import os
import subprocess
from datetime import date
from decimal import Decimal

import polars as pl
import pytest
from partitioned import PAPER, PAPER_COLUMNS, PAPER_GROUPS, generalised, permuted

from papilio.engines.local import open_locally
from papilio.query.ask import read_rows, rewrite_table, rewritten
from papilio.query.sql import parse
from papilio.workflow.ask import ask
from papilio.workflow.load import load
from postgres_server import psql
from sizes import some

pytestmark = pytest.mark.postgres

COLUMNS = {
    "age": "quasi",
    'j"ob': "quasi",
    "born": "quasi",
    "well": "quasi",
    "pay": {"role": "sensitive", "type": "numeric"},
}
GROUPS = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2]


def people(pay):
    return pl.DataFrame(
        {
            "age": [35, 38, None, 41, 43, 47, 52, 53, 58, 35, 60, 61],
            'j"ob': ["a", "B", "b", None, "ä", "a", "B", "it's", "_x", "a%", "a\\", "c"],
            "born": [date(1970 + n, 1 + n, 28) for n in range(12)],
            "well": [True, False, None, True] * 3,
            "pay": pay,
        }
    )


WHOLE = people([5, 7, 7, 9, 20, 22, 29, 40, 41, 41, 45, 52])
NULLS = people([5, None, 7, 9, 20, None, 29, 40, 41, None, 45, None])
DOUBLES = people([0.1, 0.7, 0.7, 1 / 3, 2.0, 2.2, 2.9, 4.0, 4.1, 4.1, -4.5, 5.2])

QUERIES = [
    "SELECT sum(pay), avg(pay), min(pay), max(pay), count(pay), count(*), count(distinct pay) "
    "FROM patients WHERE age BETWEEN 36 AND 55",
    'SELECT "j""ob", sum(pay) s, count(*) FROM patients GROUP BY 1 ORDER BY 1 NULLS FIRST',
    "SELECT well, avg(pay) a, min(pay), max(pay), sum(age), count(distinct pay) FROM patients "
    "GROUP BY well HAVING count(*) > 1 ORDER BY well DESC NULLS LAST",
    "SELECT max(pay) FROM patients WHERE \"j\"\"ob\" LIKE 'a%' OR \"j\"\"ob\" IN ('it''s', 'a\\')",
    "SELECT sum(pay) FROM patients WHERE born >= DATE '1975-01-01' AND NOT well IS NULL",
    "SELECT avg(pay) FROM patients WHERE age / 2 > 20.5 AND age % 2 = 1 OR age IS NULL",
    "SELECT sum(pay) FROM patients WHERE round(age / 2) % 2 = 1 OR round(age / 7, 1) > 7.2",
    "SELECT sum(pay) FROM patients WHERE (age / 4) % 2 < 1 AND abs(age - 50.5) > 3",
    "SELECT extract(year FROM born) AS y, avg(pay) FROM patients WHERE age < 50 GROUP BY 1 "
    "ORDER BY 1 LIMIT 3",
    'SELECT min(pay), count(*) FROM patients WHERE lower("j""ob") < \'b\' AND '
    'length("j""ob") = 1 AND coalesce(well, TRUE)',
    "SELECT sum(pay), min(pay), count(pay), count(distinct pay) FROM patients WHERE age > 99",
    "SELECT CASE WHEN age > 50 THEN 'old' ELSE 'young' END AS band, sum(pay) FROM patients "
    "GROUP BY ALL ORDER BY band OFFSET 1",
]


@pytest.fixture(scope="module")
def server(postgres):
    return postgres


def on_server(uri, schema, release, query):
    """The answer read from the rows of the printed SQL."""
    from adbc_driver_postgresql import dbapi

    with open_locally(release) as opened:
        statement = rewritten(parse(query), opened)
    text = rewrite_table(release, query, "postgres")
    with dbapi.connect(uri) as connection, connection.cursor() as cursor:
        cursor.execute(f'SET search_path = "{schema}"')
        cursor.execute(text)
        rows = cursor.fetchall()
    return read_rows(statement, [tuple(map(_number, row)) for row in rows])


def _number(value):
    """ADBC gives exact numbers as text."""
    if isinstance(value, str):
        try:
            return Decimal(value)
        except ArithmeticError:
            return value
    return value


def same(one, other):
    assert len(one.rows) == len(other.rows)
    for left, right in zip(one.rows, other.rows, strict=True):
        assert left.group == right.group
        assert left.sure == right.sure
        for name, bounds in left.answers.items():
            for cell in ("lo", "hi", "estimate", "std"):
                expected = getattr(bounds, cell)
                if isinstance(expected, float):
                    expected = pytest.approx(expected, rel=1e-12, abs=1e-9)
                assert getattr(right.answers[name], cell) == expected, (name, cell)
            assert (bounds.exact, bounds.null) == (
                right.answers[name].exact,
                right.answers[name].null,
            )


@pytest.mark.parametrize(
    ("name", "frame", "kind"),
    some(
        [
            ("whole", WHOLE, permuted),
            ("nulls", NULLS, permuted),
            ("doubles", DOUBLES, permuted),
            ("cells", NULLS, generalised),
            ("cells of doubles", DOUBLES, generalised),
        ]
    ),
)
def test_same_answers(server, name, frame, kind):
    release = kind(frame, GROUPS, COLUMNS)
    load(release, server, schema=name)
    for query in QUERIES:
        if kind is generalised and "GROUP" in query:
            continue
        same(ask(release, query), on_server(server, name, release, query))


def test_groups_of_a_generalised_release(server):
    release = generalised(WHOLE, GROUPS, COLUMNS)
    load(release, server, schema="grouped")
    query = "SELECT pay, count(*), min(age) FROM patients WHERE age > 40 GROUP BY pay ORDER BY pay"
    same(ask(release, query), on_server(server, "grouped", release, query))


def test_psql(server, tmp_path):
    release = permuted(PAPER, PAPER_GROUPS, PAPER_COLUMNS)
    load(release, server, schema="clinic")
    text = rewrite_table(
        release, "SELECT sum(salary) FROM patients WHERE age BETWEEN 35 AND 55", "postgres"
    )
    file = tmp_path / "query.sql"
    file.write_text(text + ";\n", encoding="utf-8")
    run = subprocess.run(
        [psql(), server, "--csv", "-v", "ON_ERROR_STOP=1", "-f", str(file)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PGOPTIONS": "-c search_path=clinic"},
    )
    (row,) = csv.DictReader(io.StringIO(run.stdout))
    assert (row["sum(salary)_lo"], row["sum(salary)_hi"]) == ("530000", "540000")
