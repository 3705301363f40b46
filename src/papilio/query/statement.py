"""The rewritten query, put together from what the rules give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl
from sqlglot import exp

from papilio.engines.names import quoted
from papilio.query.plan import Order, Output, Plan
from papilio.query.rewrite.tally import Rewriting

#: All relations of a rewritten query begin so; no table of a release may.
PREFIX = "papilio_"
BOUNDS = f"{PREFIX}bounds"
EXACT = f"{PREFIX}exact"


@dataclass(frozen=True, eq=False)
class Source:
    """Where a kind of release gets the parts of a rewritten query from.

    Attributes
    ----------
    relations
        Relations that stand before all others: name -> query.
    matched
        What pieces are aggregated over: a FROM clause without the word.
    key
        SQL of a key over ``matched``, by its label.
    rows
        What exact aggregates are taken over: a FROM clause without the word, and WHERE.
    sure
        Column of ``b`` that says whether a group surely exists; ``None`` if all do.
    exact_pieces
        Exact aggregates that are pieces of ``b``: label -> SQL.
    write
        Writes an expression of the query over ``rows``.
    """

    relations: Mapping[str, str]
    matched: str
    key: Mapping[str, str]
    rows: str
    sure: str | None
    exact_pieces: Mapping[str, str]
    write: Callable[[exp.Expr], str]


@dataclass(frozen=True, eq=False)
class Statement:
    """A rewritten query.

    Attributes
    ----------
    sql
        In DuckDB's dialect.
    outputs
        What its columns mean, in order.
    sure
        Whether the last column says if a row surely belongs to the answer.
    tables
        Relations that it needs beside the tables of the release.
    """

    sql: str
    outputs: tuple[Output, ...]
    sure: bool
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)


def assemble(
    plan: Plan,
    source: Source,
    rules: Mapping[str, Rewriting],
    tables: Mapping[str, pl.DataFrame] | None = None,
) -> Statement:
    """Write the whole query.

    Parameters
    ----------
    plan
        What is asked.
    source
        Where its parts come from.
    rules
        Rewritings of the bounded aggregates, by their labels.
    tables
        Relations that it needs beside the tables of the release.
    """
    exact = [a for a in plan.aggregates if a.exact and a.label not in source.exact_pieces]
    bounded = bool(rules) or bool(source.exact_pieces) or source.sure is not None
    relations = dict(source.relations) if bounded else {}
    joined: list[str] = []
    if bounded:
        relations[BOUNDS] = _bounds(plan, source, rules)
        joined.append(f"{BOUNDS} AS b")
    for rule in rules.values():
        relations |= rule.relations
        relations |= rule.parts
    if exact or not bounded:
        relations[EXACT] = _exact(plan, source, [(a.label, source.write(a.node)) for a in exact])
        joined.append(_join(plan, EXACT, "e") if bounded else f"{EXACT} AS e")
    parts = {name for rule in rules.values() for name in rule.parts}
    joined += [_join(plan, name, name) for name in sorted(parts)]
    sql = _written(plan, source, rules, relations, joined)
    return Statement(sql, plan.outputs, source.sure is not None, tables or {})


def _bounds(plan: Plan, source: Source, rules: Mapping[str, Rewriting]) -> str:
    pieces: dict[str, str] = dict(source.exact_pieces)
    for rule in rules.values():
        pieces |= rule.pieces
    if source.sure is not None:
        pieces["sure"] = source.sure
    columns = [f"{source.key[key.label]} AS {key.label}" for key in plan.keys]
    columns += [f"{sql} AS {name}" for name, sql in pieces.items()]
    grouped = ", ".join(source.key[key.label] for key in plan.keys)
    return f"SELECT {', '.join(columns) or 'COUNT(*) AS n'} FROM {source.matched}" + (
        f" GROUP BY {grouped}" if grouped else ""
    )


def _exact(plan: Plan, source: Source, aggregates: Sequence[tuple[str, str]]) -> str:
    columns = [f"{source.write(key.expression)} AS {key.label}" for key in plan.keys]
    columns += [f"{sql} AS {label}" for label, sql in aggregates]
    grouped = ", ".join(source.write(key.expression) for key in plan.keys)
    return f"SELECT {', '.join(columns) or 'COUNT(*) AS n'} FROM {source.rows}" + (
        f" GROUP BY {grouped}" if grouped else ""
    )


def _join(plan: Plan, relation: str, alias: str) -> str:
    if not plan.keys:
        return f"CROSS JOIN {relation} AS {alias}"
    same = " AND ".join(
        f"b.{key.label} IS NOT DISTINCT FROM {alias}.{key.label}" for key in plan.keys
    )
    return f"LEFT JOIN {relation} AS {alias} ON {same}"


def _written(
    plan: Plan,
    source: Source,
    rules: Mapping[str, Rewriting],
    relations: Mapping[str, str],
    joined: Sequence[str],
) -> str:
    qualified = _Labels(plan, source, bounded=joined[0].endswith(" AS b"))
    columns = [column for output in plan.outputs for column in _columns(output, rules, qualified)]
    if source.sure is not None:
        columns.append("b.sure AS sure")
    with_ = ", ".join(f"{name} AS ({query})" for name, query in relations.items())
    sql = f"WITH {with_} SELECT {', '.join(columns)} FROM {' '.join(joined)}"
    if plan.having is not None:
        sql += f" WHERE {qualified(plan.having)}"
    if plan.order:
        sql += " ORDER BY " + ", ".join(_ordered(each, rules, qualified) for each in plan.order)
    if plan.limit is not None:
        sql += f" LIMIT {plan.limit}"
    if plan.offset:
        sql += f" OFFSET {plan.offset}"
    return sql


class _Labels:
    """Writes expressions over labels, each label with the relation it is a column of."""

    def __init__(self, plan: Plan, source: Source, *, bounded: bool) -> None:
        keys = {key.label: "b" if bounded else "e" for key in plan.keys}
        inside = source.exact_pieces if bounded else {}
        exact = {a.label: "b" if a.label in inside else "e" for a in plan.aggregates}
        self.relation = {**keys, **exact}

    def __call__(self, expression: exp.Expr) -> str:
        copy = expression.copy()
        found = [copy] if isinstance(copy, exp.Column) else list(copy.find_all(exp.Column))
        for column in found:
            column.set("table", exp.to_identifier(self.relation[column.name]))
        return copy.sql("duckdb", comments=False)


def _columns(output: Output, rules: Mapping[str, Rewriting], labels: _Labels) -> list[str]:
    if output.expression is not None:
        return [f"{labels(output.expression)} AS {quoted(output.name)}"]
    rule = rules[output.aggregate.label]
    null = "FALSE" if rule.count_lo is None else f"{rule.count_lo} = 0"
    cells = {"lo": rule.lo, "hi": rule.hi, "estimate": rule.estimate, "std": rule.std, "null": null}
    return [f"{sql} AS {quoted(f'{output.name}_{cell}')}" for cell, sql in cells.items()]


def _ordered(order: Order, rules: Mapping[str, Rewriting], labels: _Labels) -> str:
    direction = "DESC" if order.descending else "ASC"
    nulls = "NULLS FIRST" if order.nulls_first else "NULLS LAST"
    if order.expression is not None:
        return f"{labels(order.expression)} {direction} {nulls}"
    rule = rules[order.aggregate.label]
    # By the estimate; where there is none, by the bounds.
    ends = [rule.lo, rule.hi] if rule.estimate == "NULL" else [rule.estimate, rule.lo]
    return ", ".join(f"{end} {direction} {nulls}" for end in ends)
