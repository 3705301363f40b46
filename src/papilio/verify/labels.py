"""How a stranger reads the label of a hierarchy's node, by the rule the manifest names."""

from __future__ import annotations

import calendar
import csv
import io
import math
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from papilio.release.manifest import PublishedColumn
from papilio.verify.readings import (
    ONLY_NULL,
    Anything,
    Beginning,
    OneOf,
    Reader,
    Reading,
    Span,
    json_list,
    span,
)

#: Label of the root of a hierarchy that is not a file of paths.
ROOT = "*"

_CLOSED = re.compile(r"\[([^\[\],]+), ([^\[\],]+)\]")
_HALF_OPEN = re.compile(r"\[([^\[\],]+), ([^\[\],)]+)\)")
_PERIODS = {
    "month": re.compile(r"(\d{4})-(\d{2})", re.ASCII),
    "quarter": re.compile(r"(\d{4})-Q([1-4])", re.ASCII),
    "year": re.compile(r"(\d{4})", re.ASCII),
    "decade": re.compile(r"(\d{3}0)s", re.ASCII),
    "century": re.compile(r"(\d{2})00-\1[9]{2}", re.ASCII),
}


def label_reader(column: PublishedColumn, files: Mapping[str, str]) -> Reader | None:
    """Reader of the labels of a column; ``None`` if the manifest names no rule known here.

    Parameters
    ----------
    column
        A column whose cells are labels.
    files
        Text of the files of paths, by file name.
    """
    rule = column.hierarchy or {}
    if "paths" in rule:
        return _path_reader(files.get(str(rule["paths"]), ""))
    read = _rule_reader(column, rule)
    return None if read is None else _rooted(ROOT, read)


def _rule_reader(
    column: PublishedColumn, rule: Mapping[str, Any]
) -> Callable[[str], Reading | None] | None:
    if _numbers(rule.get("prefix")):
        return lambda label: _prefix(label, rule["prefix"])
    if _numbers(rule.get("intervals")) and _numbers([rule.get("origin", 0)]):
        widths = [Fraction(str(width)) for width in rule["intervals"] if width > 0]
        origin = Fraction(str(rule.get("origin", 0)))
        return lambda label: _interval(label, widths, origin)
    if isinstance(rule.get("dates"), list):
        return lambda label: _period(label, rule["dates"])
    if rule.get("automatic"):
        ordered = column.type in ("numeric", "date")
        return (lambda label: _range(label, column.type)) if ordered else _listing
    return None


def _numbers(entries: Any) -> bool:
    return isinstance(entries, list) and all(
        isinstance(each, int | float) and not isinstance(each, bool) and math.isfinite(each)
        for each in entries
    )


def _rooted(root: str, read: Callable[[str], Reading | None]) -> Reader:
    def reader(cell: str | None) -> Reading | None:
        if cell is None:
            return ONLY_NULL
        return Anything() if cell == root else read(cell)

    return reader


def _path_reader(text: str) -> Reader:
    """Reader of labels from a file with one path a line, leaf first, root last."""
    try:
        paths = [path for path in csv.reader(io.StringIO(text, newline=""), strict=True) if path]
    except csv.Error:
        paths = []
    leaves: dict[str, list[str]] = {}
    for path in paths:
        for label in dict.fromkeys(path):
            leaves.setdefault(label, []).append(path[0])
    readings = {label: OneOf(tuple(below)) for label, below in leaves.items()}
    roots = {path[-1] for path in paths}
    if len(roots) != 1:
        return lambda cell: ONLY_NULL if cell is None else None
    return _rooted(roots.pop(), readings.get)


def _prefix(label: str, keep: list[int]) -> Reading | None:
    """``12*`` is a text that begins with 12 and goes on; anything else is the text itself."""
    if not label.endswith("*"):
        return None if "*" in label else OneOf((label,))
    prefix = label[:-1]
    return Beginning(prefix) if len(prefix) in keep and "*" not in prefix else None


def _interval(label: str, widths: list[Fraction], origin: Fraction) -> Reading | None:
    """``[20, 40)`` if 20 apart is a width and 20 where such an interval starts, or a number."""
    form = _HALF_OPEN.fullmatch(label)
    if form is None:
        return span(label, label, "numeric")
    found = span(form[1], form[2], "numeric", half_open=True)
    if found is None or not isinstance(found.low, Decimal) or not isinstance(found.high, Decimal):
        return None
    low, width = Fraction(found.low), Fraction(found.high) - Fraction(found.low)
    return found if width in widths and not (low - origin) % width else None


def _period(label: str, levels: list[str]) -> Reading | None:
    """A day, or the first to the last day of a month, quarter, year, decade or century."""
    for level, pattern in _PERIODS.items():
        form = pattern.fullmatch(label) if level in levels else None
        if form is not None:
            return _days(level, *map(int, form.groups()))
    return span(label, label, "date") if len(label) == len("2020-01-31") else None


def _days(level: str, year: int, part: int = 1) -> Reading | None:
    first_year, last_year = year, year
    first_month, last_month = 1, 12
    if level == "month":
        first_month = last_month = part
    elif level == "quarter":
        first_month, last_month = 3 * part - 2, 3 * part
    elif level == "decade":
        last_year = year + 9
    elif level == "century":
        first_year, last_year = 100 * year, 100 * year + 99
    try:
        last_day = calendar.monthrange(last_year, last_month)[1]
        # There is no year 0; nothing before it can be a value either.
        first = datetime(max(first_year, 1), first_month, 1)
        return Span(first, datetime(last_year, last_month, last_day))
    except ValueError:
        return None


def _range(label: str, kind: str) -> Reading | None:
    """``[17, 25]``, both included, or a value."""
    form = _CLOSED.fullmatch(label)
    low, high = form.groups() if form else (label, label)
    return span(low, high, kind)


def _listing(label: str) -> Reading:
    """The JSON list of the values below, or a value."""
    members = [each for each in json_list(label) or [] if isinstance(each, str)]
    # A value may itself read like a list.
    return OneOf((*members, label))
