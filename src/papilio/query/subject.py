"""What a query can ask about: one table of a release and what is known of its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import duckdb
from sqlglot import exp

from papilio.query.rewrite.tally import Arithmetic
from papilio.query.sql import Question
from papilio.release.manifest import PublishedColumn

#: Types of DuckDB whose sums are exact.
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "DECIMAL", "UTINYINT", "USMALLINT",
          "UINTEGER", "UBIGINT", "UHUGEINT")  # fmt: skip
#: Doubles that are multiples of 1 / _STEPS add up without rounding below 2⁵³ / _STEPS.
_STEPS = 1024
_LARGEST = 2.0**53 / _STEPS


def type_of(connection: duckdb.DuckDBPyConnection, expression: str, relation: str) -> str:
    """Type of an expression over the rows of a relation; nothing is read."""
    (row,) = connection.execute(f"DESCRIBE SELECT {expression} AS v FROM {relation}").fetchall()
    return str(row[1])


def has_null(connection: duckdb.DuckDBPyConnection, expression: str, relation: str) -> bool:
    """Whether an expression is NULL for any row."""
    (row,) = connection.execute(f"SELECT COUNT(*) > COUNT({expression}) FROM {relation}").fetchall()
    return bool(row[0])


def arithmetic_of(
    connection: duckdb.DuckDBPyConnection, expression: str, relation: str
) -> Arithmetic:
    """How the values of an expression over the rows of a relation add up; reads doubles once."""
    kind = type_of(connection, expression, relation)
    if kind.split("(")[0] in _WHOLE:
        return Arithmetic.WHOLE
    if kind not in ("DOUBLE", "FLOAT"):
        return Arithmetic.ORDERED
    steps = f"CAST({expression} AS DOUBLE) * {_STEPS}"
    (row,) = connection.execute(
        f"SELECT COALESCE(BOOL_AND({steps} = FLOOR({steps})) AND "
        f"SUM(ABS({expression})) < {_LARGEST!r}, TRUE) FROM {relation}"
    ).fetchall()
    return Arithmetic.DYADIC if row[0] else Arithmetic.DOUBLE


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


class Known(Enum):
    """What the release tells about the cell of one row.

    Attributes
    ----------
    EXACT
        Its value.
    HIDDEN
        Only which values its group has, as in a permuted release.
    VAGUE
        Which values it may be, as in a generalised release.
    """

    EXACT = "exact"
    HIDDEN = "hidden"
    VAGUE = "vague"


@dataclass(frozen=True, eq=False)
class Field:
    """A column of the source that can be asked about.

    Attributes
    ----------
    column
        How the manifest says it is published.
    known
        What is known of its cells.
    read
        For an exact column, the SQL over the published table that gives its values.
    """

    column: PublishedColumn
    known: Known
    read: exp.Expr | None = None

    @property
    def name(self) -> str:
        """Its name in the source."""
        return self.column.name


@dataclass(frozen=True, eq=False)
class Subject:
    """The table of a release that queries ask about.

    Attributes
    ----------
    table
        Its name.
    fields
        Its columns, by their names in the source.
    """

    table: str
    fields: Mapping[str, Field]

    def check_table(self, question: Question) -> None:
        """Refuse a query about another table."""
        asked = question.table.name
        if asked.casefold() != self.table.casefold():
            question.refuse(
                question.table,
                f"the release has no table '{asked}' to ask about; ask about '{self.table}'",
                "unknown-table",
            )

    def find(self, question: Question, column: exp.Column) -> Field:
        """The field a column of the query means: the same name, or the only one but for case."""
        self._check_qualifier(question, column)
        if column.name in self.fields:
            return self.fields[column.name]
        alike = [name for name in self.fields if name.casefold() == column.name.casefold()]
        if len(alike) == 1:
            return self.fields[alike[0]]
        which = "could be several columns" if alike else "is not a column"
        return question.refuse(
            column,
            f"'{column.name}' {which} of '{self.table}'; its columns are "
            + ", ".join(f"'{name}'" for name in self.fields),
            "unknown-column",
        )

    def _check_qualifier(self, question: Question, column: exp.Column) -> None:
        if column.args.get("db") or column.args.get("catalog"):
            question.refuse(column, "a column is qualified by the table only", "unknown-column")
        known = {question.alias.casefold(), self.table.casefold()}
        if column.table and column.table.casefold() not in known:
            question.refuse(column, f"'{column.table}' is not the table asked", "unknown-column")
