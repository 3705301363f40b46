"""The rewritten query as text for an engine of the user's: PostgreSQL, Spark or DuckDB.

The text stands for itself: what it needs beside the tables of the release is written into it.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import polars as pl
import sqlglot
from sqlglot import exp

from papilio.query.refusal import QueryError
from papilio.query.sql import DIALECTS
from papilio.query.statement import Statement

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
