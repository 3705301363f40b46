"""Running a rewritten query, and reading its rows as an answer."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import duckdb

from papilio.query.answer import Answer, AnswerRow
from papilio.query.bounds import Bounds
from papilio.query.plan import Output
from papilio.query.refusal import QueryError
from papilio.query.sql import Question
from papilio.query.statement import Statement

_FAULTS = (
    (duckdb.BinderException, "it mixes types that do not go together", "sql-types"),
    (duckdb.ConversionException, "it converts a value that cannot be converted", "sql-conversion"),
    (duckdb.OutOfRangeException, "a number in it becomes too large", "sql-range"),
    (duckdb.InvalidInputException, "a function in it does not accept a value", "sql-value"),
    (duckdb.OutOfMemoryException, "it needs more memory than there is", "sql-memory"),
)


def run(statement: Statement, connection: duckdb.DuckDBPyConnection, question: Question) -> Answer:
    """Run a rewritten query.

    Raises
    ------
    QueryError
        If DuckDB cannot run it; without DuckDB's own message, which may repeat cells.
    """
    for name, frame in statement.tables.items():
        connection.register(name, frame.to_arrow())
    try:
        rows = connection.execute(statement.sql).fetchall()
    except duckdb.Error as error:
        raise failure(error, question) from None
    finally:
        for name in statement.tables:
            connection.unregister(name)
    return read_rows(statement, rows)


def failure(error: duckdb.Error, question: Question) -> QueryError:
    """Say in one line why DuckDB did not run a query."""
    for kind, what, reason in _FAULTS:
        if isinstance(error, kind):
            return QueryError(f"the query cannot be run: {what}", reason=reason, sql=question.text)
    return QueryError("the query cannot be run", reason="sql-failed", sql=question.text)


def read_rows(statement: Statement, rows: list[tuple[Any, ...]]) -> Answer:
    """Read the rows that a rewritten query gives, on whichever engine it ran."""
    return Answer(tuple(_row(statement, row) for row in rows))


def _row(statement: Statement, row: tuple[Any, ...]) -> AnswerRow:
    cells = iter(row)
    group: dict[str, Any] = {}
    answers: dict[str, Bounds] = {}
    for output in statement.outputs:
        if output.grouped:
            group[output.name] = next(cells)
        else:
            answers[output.name] = _bounds(output, cells)
    return AnswerRow(group, answers, sure=bool(next(cells)) if statement.sure else True)


def _bounds(output: Output, cells: Iterator[Any]) -> Bounds:
    if output.bounded is None:
        return Bounds.known(plain_number(next(cells)))
    lo, hi, estimate, std = (plain_number(next(cells)) for _ in range(4))
    null = bool(next(cells))
    if lo == hi and (lo is None or not null):
        return Bounds.known(lo)
    if null:
        # The mean of what may be NULL is not defined.
        return Bounds(lo, hi, None, None, exact=False, null=True)
    return Bounds(lo, hi, _between(lo, estimate, hi), std, exact=False)


def _between(lo: Any, estimate: Any, hi: Any) -> Any:
    """Keep rounding from moving an estimate out of its bounds."""
    return None if estimate is None else min(max(estimate, lo), hi)


def plain_number(value: Any) -> Any:
    """Whole numbers stay exact; other decimal ones become doubles."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
