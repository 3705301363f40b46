"""The true answer to a query, from the original: for the owner, beside the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb
import polars as pl
from sqlglot import exp

from papilio.query.ask import failure, plain_number
from papilio.query.refusal import AGGREGATES
from papilio.query.sql import parse
from papilio.query.subject import bare, fresh_name, name_of

_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
    "temp_directory": "",
}

#: Values of a group, in the order of their columns, and the true aggregates by name.
Truth = dict[tuple[Any, ...], Mapping[str, Any]]


def truth(sql: str, original: pl.DataFrame, dialect: str = "duckdb") -> Truth:
    """Run a query over the original table, whatever it calls the table.

    HAVING, ORDER BY and LIMIT are left out, so that every group of an answer finds its truth.

    Parameters
    ----------
    sql
        A query that a release of one table can be asked.
    original
        The table.
    dialect
        What the query is written in.

    Raises
    ------
    QueryError
        If it cannot be run; without the engine's message, which may repeat cells.
    """
    question = parse(sql, dialect)
    select = question.select.copy()
    for clause in ("having", "order", "limit", "offset"):
        select.set(clause, None)
    names: list[str] = []
    for item in question.select.expressions:
        name = item.alias if isinstance(item, exp.Alias) else name_of(item, dialect)
        names.append(fresh_name(name, names))
    grouped = [bare(item).find(*AGGREGATES) is None for item in question.select.expressions]
    with duckdb.connect(":memory:", config=_SETTINGS) as connection:
        connection.register(question.table.name, original.to_arrow())
        connection.execute("SET enable_external_access = false")
        try:
            rows = connection.execute(select.sql("duckdb", comments=False)).fetchall()
        except duckdb.Error as error:
            raise failure(error, question) from None
    return {
        tuple(cell for cell, key in zip(row, grouped, strict=True) if key): {
            name: plain_number(cell)
            for name, cell, key in zip(names, row, grouped, strict=True)
            if not key
        }
        for row in rows
    }
