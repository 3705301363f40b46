"""Columns of an answer: their names, and the aggregates in them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp


def bare(item: exp.Expr) -> exp.Expr:
    """A column of the answer without its alias."""
    found: exp.Expr = item.this if isinstance(item, exp.Alias) else item
    return found


def function_of(node: exp.Expr) -> tuple[str, exp.Expr | None]:
    """Name of an aggregate, and what it is taken over."""
    name = type(node).__name__.lower()
    argument = node.this
    if isinstance(argument, exp.Star):
        return "count_star", None
    if isinstance(argument, exp.Distinct):
        inner = argument.expressions[0]
        # The least and the largest value are the same without repetitions.
        return (name if name in ("min", "max") else f"{name}_distinct"), inner.unnest()
    return name, argument.unnest()


def name_of(item: exp.Expr, dialect: str) -> str:
    """How an output without an alias is called: functions in small letters, as DuckDB does it."""
    if isinstance(item, exp.Column):
        return item.name
    plain = item.copy().transform(_unquoted, copy=False)
    return plain.sql(dialect, normalize_functions="lower", comments=False).replace(
        "(DISTINCT ", "(distinct "
    )


def _unquoted(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Column):
        return exp.column(exp.to_identifier(node.name, quoted=False))
    return node


def fresh_name(name: str, taken: Sequence[str]) -> str:
    """A name that is not taken: with a number if need be."""
    number = 1
    found = name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found
