"""Asking a release that is one table with groups or generalised cells.

The rewritten query as text for an engine of the user's: PostgreSQL, Spark or DuckDB.

The text stands for itself: what it needs beside the tables of the release is written into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import sqlglot
from sqlglot import exp

from papilio.engines.local import Opened, open_locally
from papilio.errors import ReleaseError
from papilio.query.answer import Answer, AnswerRow, Bounds
from papilio.query.generalised import generalised_subject, rewrite_generalised
from papilio.query.permuted import permuted_subject, rewrite_permuted
from papilio.query.plan import Output, make_plan
from papilio.query.refusal import QueryError
from papilio.query.sql import DIALECTS, Question, parse
from papilio.query.statement import PREFIX, Statement
from papilio.release.manifest import Manifest
from papilio.release.release import Release

#: Most rows of a relation that are written out.
_WRITTEN = 10_000
_TYPES: dict[type[pl.DataType], str] = {
    pl.Null: "VARCHAR",
    pl.Date: "DATE",
    pl.Datetime: "TIMESTAMP",
    pl.String: "VARCHAR",
    pl.Boolean: "BOOLEAN",
}


def render(statement: Statement, dialect: str) -> str:
    """Write a rewritten query in a dialect, with line breaks.

    Raises
    ------
    QueryError
        If the dialect is unknown, or so many cells would have to be written into the text that
        nobody wants it.
    """
    if dialect not in DIALECTS:
        raise QueryError(
            f"unknown dialect '{dialect}'; use one of {', '.join(DIALECTS)}",
            reason="unknown-dialect",
        )
    tree = sqlglot.parse_one(statement.sql, read="duckdb")
    if not isinstance(tree, exp.Select):
        raise QueryError("the rewritten query is not a SELECT", reason="not-a-select")
    for name, frame in reversed(list(statement.tables.items())):
        relation = exp.CTE(
            this=_relation(frame), alias=exp.TableAlias(this=exp.to_identifier(name))
        )
        tree.args["with_"].expressions.insert(0, relation)
    if dialect == "postgres":
        _mean_the_same(tree)
    return tree.sql(dialect, pretty=True, comments=False)


def _mean_the_same(tree: exp.Select) -> None:
    """Make functions of the query do in PostgreSQL what they do in DuckDB.

    PostgreSQL rounds halves of doubles to even numbers, and has neither digits for rounding doubles
    nor ``%`` for them; for exact numbers it has both. Names of the query are quoted, ours are not.
    """
    # The innermost first, which parts further out are copied with.
    for node in reversed(list(tree.find_all(exp.Round, exp.Mod))):
        if any(column.this.quoted for column in node.find_all(exp.Column)):
            parts = [node.this, node.expression] if isinstance(node, exp.Mod) else [node.this]
            for part in parts:
                part.replace(exp.cast(part.copy(), "DECIMAL"))


def _relation(frame: pl.DataFrame) -> exp.Select:
    """A frame as ``SELECT … FROM (VALUES …)``."""
    if frame.height > _WRITTEN:
        raise QueryError(
            f"the text would hold {frame.height} different combinations of cells; ask Papilio for "
            "the answer instead",
            reason="text-too-long",
        )
    names = [exp.to_identifier(name, quoted=True) for name in frame.columns]
    kinds = [_type(dtype) for dtype in frame.dtypes]
    if not frame.height:
        nothing = [
            exp.cast(exp.Null(), kind).as_(name.copy())
            for name, kind in zip(names, kinds, strict=True)
        ]
        return exp.select(*nothing).where(exp.false())
    rows = [
        exp.Tuple(expressions=[_cell(v, kind) for v, kind in zip(row, kinds, strict=True)])
        for row in frame.rows()
    ]
    alias = exp.TableAlias(this=exp.to_identifier("papilio_rows"), columns=names)
    return exp.select("*").from_(exp.Values(expressions=rows, alias=alias))


def _type(dtype: pl.DataType) -> str:
    if dtype.is_integer():
        return "BIGINT"
    return "DOUBLE" if dtype.is_float() else _TYPES[type(dtype)]


def _cell(value: Any, kind: str) -> exp.Expr:
    if value is None:
        return exp.cast(exp.Null(), kind)
    if isinstance(value, date | datetime):
        return exp.cast(
            exp.Literal.string(
                value.isoformat(sep=" ") if isinstance(value, datetime) else value.isoformat()
            ),
            kind,
        )
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, int | float):
        return exp.cast(
            exp.Literal.number(repr(abs(value)))
            if value >= 0
            else exp.Neg(this=exp.Literal.number(repr(-value))),
            kind,
        )
    return exp.cast(exp.Literal.string(value), kind)


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


def ask_table(release: Release | Path, sql: str, dialect: str = "duckdb") -> Answer:
    """Answer a query about a permuted or generalised release with bounds."""
    question = parse(sql, dialect)
    with open_locally(release) as opened:
        statement = rewritten(question, opened, here=True)
        answer = run(statement, opened.connection, question)
        return replace(answer, notes=_notes(opened.manifest))


def rewrite_table(release: Release | Path, sql: str, to: str, dialect: str = "duckdb") -> str:
    """Rewrite a query about a permuted or generalised release for another engine."""
    question = parse(sql, dialect)
    with open_locally(release) as opened:
        return render(rewritten(question, opened), to)


def _grouped(manifest: Manifest) -> bool:
    """Whether values stand in groups apart from their people, with a help table beside them."""
    return any(column.cells == "group" for column in manifest.tables[0].columns)


def rewritten(question: Question, opened: Opened, *, here: bool = False) -> Statement:
    """Rewrite a query for the kind of release there is, to run in this program or anywhere.

    Raises
    ------
    QueryError
        If the query cannot be answered with bounds.
    """
    _check_names(opened.manifest)
    try:
        if _grouped(opened.manifest):
            plan = make_plan(question, permuted_subject(opened.manifest))
            return rewrite_permuted(plan, opened, here=here)
        plan = make_plan(question, generalised_subject(question, opened))
        return rewrite_generalised(plan, opened)
    except RecursionError:
        raise QueryError("the query is nested too deeply", reason="too-deep") from None
    except duckdb.Error as error:
        raise failure(error, question) from None


def _notes(manifest: Manifest) -> tuple[str, ...]:
    missing = max(table.left_out_at_most for table in manifest.tables)
    if not missing:
        return ()
    return (
        f"The answer is about the rows of the release; up to {missing:.2%} of the original's may "
        "be missing from it.",
    )


def _check_names(manifest: Manifest) -> None:
    for table in manifest.tables:
        if table.name.casefold().startswith(PREFIX):
            raise ReleaseError(
                f"the table '{table.name}' cannot be asked: names that begin with '{PREFIX}' are "
                "kept for rewritten queries",
                reason="reserved-name",
            )
