"""What has to be known about an expression before it is aggregated: its type, NULL, rounding."""

from __future__ import annotations

import duckdb

from papilio.query.rewrite.tally import Arithmetic

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
