"""What cannot be bounded is refused, with the place in the text; nothing is guessed."""

import pytest
from partitioned import PAPER, PAPER_COLUMNS, PAPER_GROUPS, generalised, permuted

from papilio.query.refusal import QueryError
from papilio.workflow.ask import ask, rewrite

PERMUTED = permuted(PAPER, PAPER_GROUPS, PAPER_COLUMNS)
GENERALISED = generalised(PAPER, PAPER_GROUPS, PAPER_COLUMNS)

#: Query, reason, the piece of the text that is to blame.
REFUSED = [
    ("SELECT sum(age) FROM patients WHERE salary > 1", "sensitive-column", "salary"),
    ("SELECT sum(age) FROM patients GROUP BY salary", "sensitive-column", "salary"),
    ("SELECT salary FROM patients GROUP BY age", "sensitive-column", "salary"),
    ("SELECT sum(salary * 2) FROM patients", "sensitive-column", "salary"),
    ("SELECT sum(age + salary) FROM patients", "sensitive-column", "salary"),
    ("SELECT sum(salary) / 2 FROM patients", "bounded-aggregate", "sum(salary)"),
    ("SELECT age FROM patients GROUP BY age HAVING max(salary) > 1", "bounded-aggregate",
     "max(salary)"),
    ("SELECT sum(distinct salary) FROM patients", "distinct", "sum(distinct salary)"),
    ("SELECT age, sum(salary) FROM patients GROUP BY 1 ORDER BY 2 LIMIT 1", "bounded-order", "1"),
    ("SELECT age, sum(salary) FROM patients", "not-grouped", "age"),
    ("SELECT sum(wages) FROM patients", "unknown-column", "wages"),
    ("SELECT sum(salary) FROM patients WHERE p.age > 1", "unknown-column", "p.age"),
    ("SELECT sum(salary) FROM doctors", "unknown-table", "doctors"),
    ("SELECT sum(salary) FROM patients_values", "unknown-table", "patients_values"),
    ('SELECT sum(salary) FROM patients WHERE "group" = 1', "unknown-column", '"group"'),
    ("SELECT age FROM patients", "not-grouped", "age"),
    ("SELECT 1 FROM patients", "no-aggregate", "1"),
    ("SELECT sum(salary) FROM patients p JOIN patients q ON TRUE", "clause-not-allowed",
     "patients q"),
    ("SELECT sum(salary) FROM patients, patients q", "clause-not-allowed", "patients q"),
    ("WITH x AS (SELECT 1) SELECT sum(salary) FROM patients", "clause-not-allowed",
     "x AS (SELECT 1)"),
    ("SELECT sum(salary) FROM (SELECT * FROM patients)", "not-one-table", None),
    ("SELECT sum(salary) FROM read_csv('/etc/passwd')", "not-one-table", None),
    ("SELECT sum(salary) FROM '/etc/passwd'", "unknown-table", None),
    ("SELECT sum(salary) OVER () FROM patients", "not-allowed", None),
    ("SELECT sum(salary) FILTER (WHERE age > 1) FROM patients", "not-allowed", None),
    ("SELECT median(salary) FROM patients", "not-allowed", "median(salary)"),
    ("SELECT sum(salary) FROM patients WHERE getenv('HOME') = ''", "not-allowed",
     "getenv('HOME')"),
    ("SELECT sum(salary) FROM patients WHERE random() > age", "not-allowed", None),
    ("SELECT sum(salary) FROM patients WHERE age > (SELECT 1)", "not-allowed", None),
    ("SELECT sum(salary) FROM patients WHERE age IN (SELECT 1)", "not-allowed", None),
    ("SELECT sum(salary) FROM patients WHERE age = ?", "not-allowed", None),
    ("SELECT sum(salary) FROM patients WHERE age = $1", "not-allowed", None),
    ("SELECT sum(salary) FROM patients WHERE sum(age) > 1", "aggregate-in-where", "sum(age)"),
    ("SELECT sum(sum(salary)) FROM patients", "not-allowed", "sum(sum(salary))"),
    ("SELECT sum(salary) FROM patients GROUP BY ROLLUP (age)", "not-allowed", None),
    ("SELECT DISTINCT age FROM patients", "clause-not-allowed", None),
    ("SELECT * FROM patients", "star", "*"),
    ("SELECT sum(salary) FROM patients LIMIT 50%", "clause-not-allowed", None),
    ("SELECT sum(salary) FROM patients; DROP TABLE patients", "not-a-select", None),
    ("DROP TABLE patients", "not-a-select", None),
    ("COPY patients TO 'x.csv'", "not-a-select", None),
    ("PRAGMA version", "not-a-select", None),
    ("INSTALL httpfs", "not-a-select", None),
    ("SELECT sum(salary) FROM patients UNION SELECT 1", "not-a-select", None),
    ("SELECT sum(salary) FROM patients WHERE", "sql-syntax", None),
    ("SELECT sum(salary) FROM patients WHERE age = 'x", "sql-syntax", None),
    ("", "not-a-select", None),
]  # fmt: skip


@pytest.mark.parametrize(("query", "reason", "culprit"), REFUSED)
def test_permuted(query, reason, culprit):
    with pytest.raises(QueryError) as caught:
        ask(PERMUTED, query)
    assert caught.value.reason == reason
    if culprit is not None:
        start, end = caught.value.span
        assert query[start : end + 1] == culprit


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT age, count(*) FROM patients GROUP BY age", "generalised-column"),
        ("SELECT gender, count(*) FROM patients GROUP BY gender", "generalised-column"),
        ("SELECT sum(age * 2) FROM patients", "generalised-column"),
        ("SELECT min(gender) FROM patients", "generalised-column"),
        ("SELECT count(distinct age) FROM patients", "generalised-column"),
        ("SELECT salary, count(*) FROM patients WHERE age > 40 GROUP BY 1 LIMIT 1",
         "uncertain-groups"),
        ("SELECT salary FROM patients WHERE age > 40 GROUP BY 1 HAVING count(*) > 1",
         "bounded-aggregate"),
        ("SELECT sum(nothing) FROM patients", "unknown-column"),
    ],
)  # fmt: skip
def test_generalised(query, reason):
    with pytest.raises(QueryError) as caught:
        ask(GENERALISED, query)
    assert caught.value.reason == reason


def test_sensitive_columns_of_a_generalised_release_are_known():
    (row,) = ask(GENERALISED, "SELECT count(*) FROM patients WHERE salary > 60000").rows
    assert row.answers["count(*)"].exact
    assert row.answers["count(*)"].lo == 6


def test_carets_point_at_the_culprit():
    query = "SELECT sum(salary)\nFROM patients\nWHERE age > 1 AND salary > 2"
    with pytest.raises(QueryError) as caught:
        ask(PERMUTED, query)
    message, line, carets = caught.value.pictured().splitlines()
    assert "(line 3, column 19)" in message
    assert line == "  WHERE age > 1 AND salary > 2"
    assert carets == " " * 20 + "^^^^^^"


def test_carets_in_a_long_line():
    query = "SELECT sum(salary) FROM patients WHERE " + "age > 1 AND " * 500 + "salary > 2"
    with pytest.raises(QueryError) as caught:
        ask(PERMUTED, query)
    _, line, carets = caught.value.pictured().splitlines()
    assert len(line) <= 102
    assert line[carets.index("^") :].startswith("salary")


@pytest.mark.parametrize("dialect", ["oracle", ""])
def test_unknown_dialects(dialect):
    with pytest.raises(QueryError, match="unknown dialect"):
        ask(PERMUTED, "SELECT sum(salary) FROM patients", dialect=dialect)
    with pytest.raises(QueryError, match="unknown dialect"):
        rewrite(PERMUTED, "SELECT sum(salary) FROM patients", to=dialect)


@pytest.mark.parametrize(
    "condition",
    ["CAST(zipcode AS DATE) > DATE '2020-01-01'", "age > 'SECRET'", "gender + 1 > 2", "lower(age)"],
)
def test_failures_repeat_no_cells(condition):
    with pytest.raises(QueryError) as caught:
        ask(PERMUTED, f"SELECT sum(salary) FROM patients WHERE {condition}")
    assert "27" not in str(caught.value)
    assert caught.value.__cause__ is None
