"""Finitely many values that stand for all a cell may be.

Either all of them, if they are few; or, if a condition only compares the column with constants, the
constants and one value from each gap between them: on the others the condition cannot be anything
else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, isfinite
from typing import Any

from papilio.query.cells.read import Anything, Beginning, Between, Cell, Domain, OneOf

#: Most values a cell is spelled out into.
MOST = 20_000
#: Whole numbers beyond are not doubles, and comparing them with doubles is not exact.
_LARGEST = 2**53
_EPOCH = datetime(1970, 1, 1)
_LAST = chr(0x10FFFF)


@dataclass(frozen=True)
class Comparisons:
    """What a condition does with a column; constants as values of its domain.

    Attributes
    ----------
    constants, beginnings, ordered, simple
        As in :class:`papilio.query.cells.outcomes.Use`.
    """

    constants: tuple[Any, ...]
    beginnings: tuple[str, ...]
    ordered: bool
    simple: bool


def candidates(cell: Cell, domain: Domain, use: Comparisons) -> list[Any] | None:
    """Values that stand for all a cell may be; ``None`` if there is no such finite list."""
    if (not domain.sure and not use.simple) or not _on_a_line(use.constants):
        return None
    found = _known(cell, domain, use)
    if found is None or len(found) > MOST:
        return None
    return [*found, None] if cell.null else found


def _known(cell: Cell, domain: Domain, use: Comparisons) -> list[Any] | None:
    match cell:
        case OneOf(values):
            return list(values)
        case Between(low, high, half_open):
            return _between(low, high, half_open, domain, use)
        case Beginning(prefix):
            return _texts(prefix, use)
        case Anything():
            return _anything(domain, use)


def _anything(domain: Domain, use: Comparisons) -> list[Any] | None:
    match domain.type:
        case "BOOLEAN":
            return [False, True]
        case "VARCHAR":
            longer = _texts("", use)
            return None if longer is None else ["", *longer]
        case "DOUBLE" if use.simple:
            ends = [float(each) for each in use.constants if each is not None]
            low, high = min(ends, default=0.0) - 1, max(ends, default=0.0) + 1
            return _between(2 * low - high, 2 * high - low, False, domain, use)
        case "TIMESTAMP" if use.simple:
            moments = [each for each in use.constants if each is not None]
            first, last = min(moments, default=_EPOCH), max(moments, default=_EPOCH)
            day = timedelta(days=1)
            try:
                return _between(first - day, last + day, False, domain, use)
            except OverflowError:
                return None
        case _:
            return None


def _texts(prefix: str, use: Comparisons) -> list[Any] | None:
    """Texts longer than a prefix, compared for equality and with beginnings only."""
    if not use.simple or use.ordered:
        return None
    wanted = [*use.constants, *use.beginnings]
    named = [each for each in wanted if isinstance(each, str) and each.startswith(prefix)]
    other = _LAST
    while any(each.startswith(prefix + other) for each in named):
        other += _LAST
    found = [prefix + other]
    for each in dict.fromkeys(named):
        found += [each + other] + ([each] if len(each) > len(prefix) else [])
    return found


def _between(
    low: Any, high: Any, half_open: bool, domain: Domain, use: Comparisons
) -> list[Any] | None:
    match domain.type:
        case "BIGINT":
            return _stepped(low, high, half_open, use, int, _whole)
        case "DATE":
            return _stepped(_days(low), _days(high), half_open, use, _date, _days)
        case "TIMESTAMP":
            return _stepped(_micros(low), _micros(high), half_open, use, _moment, _micros)
        case "DOUBLE":
            return _continuous(low, high, half_open, use)
        case _:
            return None


def _stepped(
    low: int,
    high: int,
    half_open: bool,
    use: Comparisons,
    value: Callable[[int], Any],
    number: Callable[[Any], Fraction | int],
) -> list[Any] | None:
    """Values that are a step apart: all of them, or those at and beside the constants."""
    last = high - 1 if half_open else high
    if last - low < MOST // 10 or not use.simple:
        return [value(each) for each in range(low, last + 1)] if last - low < MOST else None
    if value is int and max(abs(low), abs(high)) > _LARGEST:
        return None
    near = {low, last}
    for constant in use.constants:
        if constant is not None:
            exact = number(constant)
            near |= {floor(exact) - 1, floor(exact), ceil(exact), ceil(exact) + 1}
    return [value(each) for each in sorted(near) if low <= each <= last]


def _continuous(low: float, high: float, half_open: bool, use: Comparisons) -> list[Any] | None:
    if not use.simple:
        return None
    inside = {float(each) for each in use.constants if each is not None}
    if not all(isfinite(each) for each in (low, high, *inside)):
        return None
    breaks = sorted({low, high} | {each for each in inside if low <= each <= high})
    middles = [one / 2 + other / 2 for one, other in pairwise(breaks)]
    return sorted({*breaks, *middles} - ({high} if half_open else set()))


def _whole(value: Any) -> Fraction:
    return Fraction(value) if isinstance(value, int | float | Decimal) else Fraction(str(value))


def _on_a_line(constants: tuple[Any, ...]) -> bool:
    """Whether all constants are finite; others would split no range."""
    return all(not isinstance(each, float) or isfinite(each) for each in constants)


def _days(value: date | datetime) -> Any:
    """Days since 1970, with the part of the day that a moment has."""
    if isinstance(value, datetime):
        return Fraction(_micros(value), 86_400_000_000)
    return (value - _EPOCH.date()).days


def _date(days: int) -> date:
    return _EPOCH.date() + timedelta(days=days)


def _micros(value: date | datetime) -> int:
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    return (value.replace(tzinfo=None) - _EPOCH) // timedelta(microseconds=1)


def _moment(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)
