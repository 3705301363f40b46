"""The text of a query: parsed, and refused unless it is one plain SELECT over one table.

Reusable for every kind of release: :func:`parse` gives a syntax tree in which each clause and each
node is on the lists of :mod:`papilio.query.refusal`; :class:`Question` knows where in the text a
node came from, for refusals. Nothing here knows about columns.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

import sqlglot
from sqlglot import errors, exp

from papilio.query.refusal import (
    AGGREGATES,
    CLAUSE_NAMES,
    CLAUSES,
    EXPRESSIONS,
    TYPES,
    QueryError,
    Span,
)

#: Dialects a query may be written in, and be printed in.
DIALECTS = ("duckdb", "postgres", "spark")

#: Deepest nesting of an expression; chains of AND and OR count once.
DEEPEST = 100

_NAME_BEFORE = re.compile(r"\w+\s*\(\s*(?:distinct\s+)?\Z", re.IGNORECASE)

# The parser warns on its logger about statements it does not know; they are refused anyway.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)


@dataclass(frozen=True, eq=False)
class Question:
    """A query that parses, and is a plain SELECT over one table.

    Attributes
    ----------
    text
        As it was written.
    dialect
        The dialect it was read in.
    select
        Its syntax tree.
    table
        Name of the table as it was written.
    alias
        The name columns may be qualified with.
    """

    text: str
    dialect: str
    select: exp.Select
    table: exp.Identifier
    alias: str

    def span(self, node: exp.Expr) -> Span | None:
        """First and last character of what a node was parsed from, if that is known."""
        found = _span(node)
        if found is None:
            return None
        start = found[0]
        if isinstance(node, exp.Func) and "start" not in node.meta:
            # The parser does not tell where the names of some functions stand.
            name = _NAME_BEFORE.search(self.text, 0, start)
            start = start if name is None else name.start()
        return start, _closed(self.text, start, found[1])

    def refuse(self, node: exp.Expr | None, message: str, reason: str) -> NoReturn:
        """Refuse the query because of a node."""
        span = None if node is None else self.span(node)
        raise QueryError(message, reason=reason, sql=self.text, span=span)


def parse(text: str, dialect: str = "duckdb") -> Question:
    """Parse a query and check that it is built of what is understood.

    Parameters
    ----------
    text
        One SELECT statement.
    dialect
        One of :data:`DIALECTS`.

    Raises
    ------
    QueryError
        If it does not parse, is something else than one SELECT over one table, or contains an
        expression that is not on the list.
    """
    if dialect not in DIALECTS:
        raise QueryError(
            f"unknown dialect '{dialect}'; use one of {', '.join(DIALECTS)}",
            reason="unknown-dialect",
        )
    try:
        select = _one_select(text, dialect)
        question = Question(text, dialect, select, *_table(text, select))
        _check_clauses(question)
        _check_depth(question)
        _check_nodes(question)
    except RecursionError:
        raise _too_deep(text) from None
    return question


def _one_select(text: str, dialect: str) -> exp.Select:
    try:
        statements = [each for each in sqlglot.parse(text, read=dialect) if each is not None]
    except errors.ParseError as error:
        raise _syntax(text, error) from None
    except errors.SqlglotError:
        raise QueryError(
            "the query cannot be read: a quote or a comment does not end",
            reason="sql-syntax",
            sql=text,
        ) from None
    if len(statements) == 1 and isinstance(statements[0], exp.Select):
        return statements[0]
    what = f"{len(statements)} statements" if len(statements) != 1 else "something else"
    raise QueryError(
        f"a query is one SELECT statement; this is {what}", reason="not-a-select", sql=text
    )


def _syntax(text: str, error: errors.ParseError) -> QueryError:
    found = error.errors[0] if error.errors else {}
    before = found.get("start_context") or ""
    culprit = found.get("highlight") or ""
    place = text.find(before + culprit) + len(before) if before + culprit else -1
    span = (place, place + max(len(culprit), 1) - 1) if place >= 0 else None
    return QueryError("the query has a syntax error", reason="sql-syntax", sql=text, span=span)


def _table(text: str, select: exp.Select) -> tuple[exp.Identifier, str]:
    source = select.args.get("from_")
    table = source.this if source is not None else None
    if isinstance(table, exp.Table) and isinstance(table.this, exp.Identifier):
        extra = {key for key, value in table.args.items() if value} - {"this", "alias"}
        if not extra:
            return table.this, table.alias or table.this.name
    node = source if source is not None else select
    raise QueryError(
        "a query asks one table of the release by its name: SELECT … FROM name",
        reason="not-one-table",
        sql=text,
        span=_span(node),
    )


def _check_clauses(question: Question) -> None:
    for name, value in question.select.args.items():
        if name in CLAUSES or not value:
            continue
        node = value[0] if isinstance(value, list) else value
        what = CLAUSE_NAMES.get(name, name.strip("_").upper())
        question.refuse(
            node if isinstance(node, exp.Expr) else None,
            f"{what} cannot be bounded; a query is SELECT … FROM … WHERE … GROUP BY … HAVING … "
            "ORDER BY … LIMIT over one table",
            "clause-not-allowed",
        )


def _check_depth(question: Question) -> None:
    """Refuse nesting that later steps could not follow; walks without recursion."""
    waiting: list[tuple[exp.Expr, int]] = [(question.select, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEPEST:
            raise _too_deep(question.text, _span(node))
        for child in node.iter_expressions():
            chained = isinstance(node, exp.And | exp.Or) and type(child) is type(node)
            waiting.append((child, depth if chained else depth + 1))


def _too_deep(text: str, span: Span | None = None) -> QueryError:
    return QueryError(
        f"the query is nested deeper than {DEEPEST} levels; write it flatter, for example with IN",
        reason="too-deep",
        sql=text,
        span=span,
    )


def _expressions(select: exp.Select) -> Iterator[exp.Expr]:
    for item in select.expressions:
        yield item.this if isinstance(item, exp.Alias) else item
    for clause in ("where", "having"):
        if select.args.get(clause) is not None:
            yield select.args[clause].this
    group = select.args.get("group")
    yield from group.expressions if group is not None else ()
    order = select.args.get("order")
    yield from (each.this for each in order.expressions) if order is not None else ()


def _check_nodes(question: Question) -> None:
    for root in _expressions(question.select):
        for node in root.walk():
            _check_node(question, node)


def _check_node(question: Question, node: exp.Expr) -> None:
    if isinstance(node, AGGREGATES):
        _check_aggregate(question, node)
    elif isinstance(node, exp.Star | exp.Distinct):
        if not isinstance(node.parent, AGGREGATES):
            question.refuse(node, "'*' stands in COUNT(*) only; name columns", "star")
    elif type(node) not in EXPRESSIONS:
        question.refuse(
            node,
            f"{_called(node)} is not one of the functions and operators a query may use",
            "not-allowed",
        )
    elif isinstance(node, exp.DataType) and node.this not in TYPES:
        question.refuse(node.parent, "values cannot be cast to this type here", "not-allowed")
    elif isinstance(node, exp.In) and (node.args.get("query") or node.args.get("unnest")):
        question.refuse(node, "IN takes a list of values here", "not-allowed")


def _check_aggregate(question: Question, node: exp.Expr) -> None:
    argument = node.this
    extra = {key for key, value in node.args.items() if value} - {"this", "big_int"}
    ordered = isinstance(argument, exp.Order | exp.HavingMax | exp.Limit)
    several = isinstance(argument, exp.Distinct) and len(argument.expressions) != 1
    if extra or ordered or several or argument is None:
        question.refuse(node, "an aggregate takes one expression here", "not-allowed")
    if any(isinstance(each, AGGREGATES) for each in argument.walk()):
        question.refuse(node, "aggregates cannot be nested", "not-allowed")
    if isinstance(argument, exp.Star) and not isinstance(node, exp.Count):
        question.refuse(node, "'*' stands in COUNT(*) only; name columns", "star")


def _called(node: exp.Expr) -> str:
    if isinstance(node, exp.Anonymous):
        return f"{node.name.upper()}()"
    if isinstance(node, exp.Func):
        return f"{node.sql_name()}()"
    names: dict[type[exp.Expr], str] = {
        exp.Window: "OVER",
        exp.Filter: "FILTER",
        exp.Subquery: "a subquery",
        exp.Placeholder: "a parameter",
        exp.Parameter: "a parameter",
    }
    return names.get(type(node), type(node).__name__.upper())


def _span(node: exp.Expr) -> Span | None:
    """Smallest piece of the text that holds every token of a node and of what is below it."""
    start, end = None, None
    for each in node.walk():
        if "start" in each.meta:
            start = each.meta["start"] if start is None else min(start, each.meta["start"])
            end = each.meta["end"] if end is None else max(end, each.meta["end"])
    return None if start is None or end is None else (start, end)


def _closed(text: str, start: int, end: int) -> int:
    """Take in the brackets that close what is open; they are no part of any node."""
    missing = text.count("(", start, end + 1) - text.count(")", start, end + 1)
    for place in range(end + 1, len(text)):
        if missing <= 0 or text[place] not in ") ":
            break
        if text[place] == ")":
            missing, end = missing - 1, place
    return end
