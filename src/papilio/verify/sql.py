"""Quoting for SQL; every name and text that enters a statement passes through here.

Also what engines do not agree on, in the words that all of them understand.
"""

from __future__ import annotations

from collections.abc import Iterable


def name(identifier: str) -> str:
    """Quote an identifier."""
    return '"' + identifier.replace('"', '""') + '"'


def names(identifiers: Iterable[str]) -> str:
    """Quote identifiers, with commas between them."""
    return ", ".join(map(name, identifiers))


def text(value: str) -> str:
    """Quote a string."""
    return "'" + value.replace("'", "''") + "'"


#: Type of whole numbers of up to 38 digits, so that products of counts are exact.
WHOLE = "DECIMAL(38, 0)"

#: Types that released whole numbers have.
WHOLE_TYPES = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")

#: Type of text.
TEXT = "STRING"

_LARGEST = "1.7976931348623157e308"


def whole(expression: str) -> str:
    """Make an expression a whole number of up to 38 digits."""
    return f"CAST({expression} AS {WHOLE})"


def is_finite(expression: str) -> str:
    """Whether a number is neither infinite nor NaN; NULL if it is NULL.

    To be asked in FILTER or CASE and nowhere else: in WHERE, engines leave out what cannot be by
    the smallest and the largest value a Parquet file tells, and these pass over NaN.
    """
    number = f"CAST({expression} AS DOUBLE)"
    limits = f"{number} BETWEEN -{_LARGEST} AND {_LARGEST}"
    return f"(CASE WHEN isnan({number}) THEN false ELSE {limits} END)"


def is_moment(expression: str) -> str:
    """Whether a moment is one of the calendar; infinite ones have no year."""
    return f"(year({expression}) IS NOT NULL)"


def count_where(condition: str) -> str:
    """How often a condition is true."""
    return f"count(*) FILTER (WHERE {condition})"


def sum_where(expression: str, condition: str) -> str:
    """Sum where a condition is true; 0 if nowhere."""
    return f"coalesce(sum({expression}) FILTER (WHERE {condition}), 0)"
