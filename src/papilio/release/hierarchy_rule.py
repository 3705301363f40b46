"""Rules by which labels of a hierarchy are read, as a manifest may state them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

#: Periods that labels of dates stand for.
_PERIODS = ("day", "month", "quarter", "year", "decade", "century")
#: The key that names a rule, and what may stand beside it.
_KEYS: Mapping[str, frozenset[str]] = {
    "paths": frozenset(("level",)),
    "prefix": frozenset(("level",)),
    "intervals": frozenset(("level", "origin")),
    "dates": frozenset(("level",)),
    "automatic": frozenset(("level", "flat")),
}
#: More levels than this no hierarchy has.
_MOST_LEVELS = 1000


def rule_fault(rule: Mapping[str, Any], files: frozenset[str]) -> str | None:
    """Say what is wrong with a rule, if something is.

    Parameters
    ----------
    rule
        What a manifest says under ``hierarchy``.
    files
        Files of the release that carry no table.
    """
    named = [key for key in _KEYS if key in rule]
    if len(named) != 1 or not set(rule) <= {*named, *_KEYS[named[0]]}:
        return "has a hierarchy of an unknown kind"
    if not _is_level(rule.get("level", 0)):
        return "has a hierarchy that is not well formed"
    if "paths" in rule:
        known = isinstance(rule["paths"], str) and rule["paths"] in files
        return None if known else "has a hierarchy in a file that is not listed"
    return None if _FORMS[named[0]](rule) else "has a hierarchy that is not well formed"


def _is_level(level: Any) -> bool:
    return _is_whole(level) and 0 <= level <= _MOST_LEVELS


def _is_whole(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def is_number(number: Any) -> bool:
    """Whether something is a number that a double can hold."""
    if isinstance(number, float):
        return math.isfinite(number)
    return _is_whole(number) and abs(number) < 10**300


def _prefix(rule: Mapping[str, Any]) -> bool:
    return _listed(rule["prefix"]) and all(_is_whole(n) and n > 0 for n in rule["prefix"])


def _intervals(rule: Mapping[str, Any]) -> bool:
    widths = rule["intervals"]
    proper = _listed(widths) and all(is_number(width) and width > 0 for width in widths)
    return proper and is_number(rule.get("origin", 0))


def _dates(rule: Mapping[str, Any]) -> bool:
    return _listed(rule["dates"]) and all(period in _PERIODS for period in rule["dates"])


def _automatic(rule: Mapping[str, Any]) -> bool:
    return rule["automatic"] is True and rule.get("flat", True) is True


def _listed(entries: Any) -> bool:
    return isinstance(entries, list) and 0 < len(entries) <= _MOST_LEVELS


_FORMS = {
    "prefix": _prefix,
    "intervals": _intervals,
    "dates": _dates,
    "automatic": _automatic,
}
