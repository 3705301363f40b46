"""Rounding outward, in SQL: lower bounds are never too high, upper bounds never too low.

With u = 2⁻⁵³, adding n doubles in any order is off by at most n u Σ|x| to first order, a division
by u of its result. The factors below are at least twice that, so the terms of higher order and the
rounding of the bound itself are covered too. What another program computes for the plain query in
doubles, in whichever order it adds, is therefore inside as well.
"""

from __future__ import annotations

#: 2⁻⁵²: twice the largest relative error of one operation on doubles.
UNIT = "2.220446049250313e-16"

#: Whole numbers below it are doubles without rounding.
_WHOLE = "9007199254740992"


def quotient(number: str, count: str) -> str:
    """A division in doubles."""
    return f"CAST({number} AS DOUBLE) / {count}"


def whole_quotient(number: str, count: str, *, up: bool) -> str:
    """Divide an exact number by a count; exact if the result is a whole number."""
    exact = f"{number} % {count} = 0 AND ABS({number}) < {_WHOLE}"
    rough = nudged(quotient(number, count), up=up)
    return f"CASE WHEN {exact} THEN {quotient(number, count)} ELSE {rough} END"


def nudged(double: str, *, up: bool) -> str:
    """Move a double by a little more than the rounding of two operations."""
    return f"({double}) {'+' if up else '-'} ABS({double}) * 2 * {UNIT}"


def widened(double: str, count: str, absolute: str, *, up: bool) -> str:
    """Move a sum of ``count`` doubles whose absolute values add up to ``absolute``."""
    return f"{double} {'+' if up else '-'} ({count} + 4) * {UNIT} * {absolute}"
