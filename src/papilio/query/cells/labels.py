"""Reading the labels of hierarchies; written from ``docs/release-format.md``."""

from __future__ import annotations

import calendar
import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from papilio.query.cells.cell import Anything, Beginning, Between, Cell, Domain, OneOf
from papilio.release.manifest import PublishedColumn

#: Label of the root of a hierarchy that is not a file of paths.
_ROOT = "*"
_CLOSED = re.compile(r"\[([^\[\],]+), ([^\[\],]+)\]")
_HALF_OPEN = re.compile(r"\[([^\[\],]+), ([^\[\],)]+)\)")
_PERIOD = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})|(?P<month>\d{4}-\d{2})|(?P<quarter>\d{4}-Q[1-4])|"
    r"(?P<year>\d{4})|(?P<decade>\d{3}0)s|(?P<century>\d{2}00)-\d{2}99",
    re.ASCII,
)
_DOMAINS = {
    "numeric": Domain("DOUBLE", sure=False),
    "date": Domain("TIMESTAMP", sure=False),
    "boolean": Domain("BOOLEAN"),
    "category": Domain("VARCHAR"),
}

Reader = Callable[[str], Cell]


def label_reader(column: PublishedColumn, hierarchies: Mapping[str, str]) -> tuple[Domain, Reader]:
    """Type of the values below the labels of a column, and the reader of a label.

    A label that a rule does not explain may be anything: bounds get wider, never wrong.
    """
    rule = column.hierarchy or {}
    domain = _DOMAINS[column.type]
    if "paths" in rule:
        return domain, _paths(hierarchies.get(str(rule["paths"]), ""), column.type)
    read = _reader(column, rule)

    def rooted(label: str) -> Cell:
        return Anything() if label == _ROOT else read(label)

    return domain, rooted


def _reader(column: PublishedColumn, rule: Mapping[str, Any]) -> Reader:
    if "prefix" in rule:
        return _prefix
    if "intervals" in rule:
        return _interval
    if "dates" in rule:
        return _period
    if column.type in ("numeric", "date"):
        return lambda label: _range(label, column.type)
    return lambda label: _listing(label, column.type)


def _paths(text: str, kind: str) -> Reader:
    below: dict[str, list[str]] = {}
    roots = set()
    for path in csv.reader(io.StringIO(text, newline="")):
        for label in dict.fromkeys(path):
            below.setdefault(label, []).append(path[0])
        roots |= {path[-1]} if path else set()

    def read(label: str) -> Cell:
        if label in roots or label not in below:
            return Anything()
        values = [_value(each, kind) for each in below[label]]
        return Anything() if None in values else OneOf(tuple(values))

    return read


def _value(text: str, kind: str) -> Any:
    """A value from its text; ``None`` if it is not of its kind."""
    try:
        match kind:
            case "numeric":
                return float(text)
            case "date":
                return datetime.fromisoformat(text).replace(tzinfo=None)
            case "boolean":
                return {"true": True, "false": False}[text]
            case _:
                return text
    except (ValueError, KeyError):
        return None


def _prefix(label: str) -> Cell:
    return Beginning(label[:-1]) if label.endswith("*") else OneOf((label,))


def _interval(label: str) -> Cell:
    form = _HALF_OPEN.fullmatch(label)
    if form is None:
        return _range(label, "numeric")
    low, high = _value(form[1], "numeric"), _value(form[2], "numeric")
    return Anything() if low is None or high is None else Between(low, high, half_open=True)


def _range(label: str, kind: str) -> Cell:
    form = _CLOSED.fullmatch(label)
    first, last = form.groups() if form else (label, label)
    low, high = _value(first, kind), _value(last, kind)
    if low is None or high is None:
        return Anything()
    if kind == "date" and len(last) == len("2020-01-31"):
        return Between(low, high + timedelta(days=1), half_open=True)
    return OneOf((low,)) if low == high else Between(low, high)


def _period(label: str) -> Cell:
    """A day, month, quarter, year, decade or century, up to the midnight after it."""
    form = _PERIOD.fullmatch(label)
    if form is None or form.lastgroup is None:
        return Anything()
    try:
        first, last = _days(form.lastgroup, form[form.lastgroup])
        return Between(first, last + timedelta(days=1), half_open=True)
    except (ValueError, OverflowError):
        return Anything()


def _days(level: str, text: str) -> tuple[datetime, datetime]:
    year, month = max(int(text[:4]), 1), 1
    years = {"decade": 9, "century": 99}.get(level, 0)
    if level == "day":
        day = datetime.fromisoformat(text)
        return day, day
    months = {"month": 0, "quarter": 2}.get(level, 11)
    if level == "month":
        month = int(text[5:])
    elif level == "quarter":
        month = 3 * int(text[6:]) - 2
    until, end = int(text[:4]) + years, month + months
    return datetime(year, month, 1), datetime(until, end, calendar.monthrange(until, end)[1])


def _listing(label: str, kind: str) -> Cell:
    """The JSON list of the values below, or a value; a value may itself read like a list."""
    try:
        found = json.loads(label)
    except ValueError:
        found = None
    members = found if isinstance(found, list) else []
    texts = dict.fromkeys([*(each for each in members if isinstance(each, str)), label])
    if kind == "boolean":
        return OneOf(tuple(each for each in (_value(t, kind) for t in texts) if each is not None))
    return OneOf(tuple(texts))
