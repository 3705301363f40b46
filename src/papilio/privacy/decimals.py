"""Parameters that are decimal numbers, kept exactly."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

#: What a parameter may be given as; a float means the decimal number it is written as.
Number: TypeAlias = int | float | str | Decimal | Fraction

#: Digits after the point, and before it, that kernels have room for.
DIGITS = 9


def exact(number: Number, name: str) -> Fraction:
    """The number as a fraction; ``0.1`` is one tenth and not the nearest binary number.

    Raises
    ------
    ValueError
        If it is no number, or has more than nine digits before or after the point.
    """
    try:
        # The text of a truth value or of an infinite number is none of a number either.
        found = Fraction(str(number))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} must be a number") from None
    if 10**DIGITS % found.denominator or abs(found) >= 10**DIGITS:
        raise ValueError(f"{name} may have {DIGITS} digits before and {DIGITS} after the point")
    return found


def plain(number: Fraction) -> int | float:
    """The number for JSON; read back by :func:`exact` it is the same."""
    return int(number) if number.denominator == 1 else float(number)


def floor_text(number: float, digits: int) -> str:
    """Write a number rounded down to some digits after the point."""
    scale = 10**digits
    return f"{math.floor(number * scale) / scale:.{digits}f}".rstrip("0").rstrip(".")


def whole(number: object, name: str, least: int = 1) -> int:
    """Check that a parameter is a whole number of at least ``least``."""
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise ValueError(f"{name} must be a whole number of at least {least}")
    return number
