"""Reading the cells of a generalised column: what each may be, and labels of hierarchies."""

from __future__ import annotations

import calendar
import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, TypeAlias

from papilio.errors import ReleaseError
from papilio.release.manifest import PublishedColumn

#: A value of a column as Python has it.
Value: TypeAlias = int | float | date | datetime | str | bool


@dataclass(frozen=True)
class OneOf:
    """One of some values; none of them if only NULL is possible."""

    values: tuple[Any, ...]
    null: bool = False


@dataclass(frozen=True)
class Between:
    """Any value from ``low`` to ``high``; ``high`` itself unless half open."""

    low: Any
    high: Any
    half_open: bool = False
    null: bool = False


@dataclass(frozen=True)
class Beginning:
    """Any text that begins so and goes on."""

    prefix: str
    null: bool = False


@dataclass(frozen=True)
class Anything:
    """Any value, or NULL."""

    null: bool = True


Cell: TypeAlias = OneOf | Between | Beginning | Anything


@dataclass(frozen=True)
class Domain:
    """The type that values of a column have in SQL.

    Attributes
    ----------
    type
        Name of DuckDB's type.
    sure
        Whether values of the source have this very type. If not, as for labels of numbers, which
        do not tell whether the source had whole ones, values can be compared but nothing else.
    """

    type: str
    sure: bool = True


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


_OR_NULL = " or NULL"
_WHOLE = re.compile(r"-?\d+", re.ASCII)
_MEMBER = re.compile(r'("(?:[^"\\]|\\.)*"|[^,{}"]+)(?:, |\Z)', re.DOTALL)


@dataclass(frozen=True)
class Reading:
    """The different cells of a column, and the type of what they may be."""

    domain: Domain
    cells: tuple[Cell, ...]


def read_cells(
    column: PublishedColumn,
    published: Sequence[tuple[Any, ...]],
    type_: str,
    hierarchies: Mapping[str, str],
) -> Reading:
    """Read cells.

    Parameters
    ----------
    column
        How it is published.
    published
        Cells of its published columns, one tuple per cell.
    type_
        DuckDB's type of its first published column.
    hierarchies
        Texts of the files of paths.

    Raises
    ------
    ReleaseError
        If a cell is not of the kind that the manifest says.
    """
    try:
        return _read(column, published, type_, hierarchies)
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
        # Cells of a stranger; what they hold is not repeated.
        raise ReleaseError(
            f"cells of the column '{column.name}' cannot be read; see papilio verify",
            reason="unreadable-cells",
        ) from None


def _read(
    column: PublishedColumn,
    published: Sequence[tuple[Any, ...]],
    type_: str,
    hierarchies: Mapping[str, str],
) -> Reading:
    if column.cells == "range" and not column.text:
        return Reading(Domain(type_), tuple(_bounds(cell) for cell in published))
    texts = [cell[0] for cell in published]
    if column.cells == "range":
        return _text_ranges(column, texts)
    if column.cells == "set":
        members = _text_members if column.text else json.loads
        kind = "BOOLEAN" if column.type == "boolean" else "VARCHAR"
        return Reading(Domain(kind), tuple(_set(members(text), kind) for text in texts))
    domain, read = label_reader(column, hierarchies)
    return Reading(domain, tuple(OneOf((), null=True) if t is None else read(t) for t in texts))


def _bounds(cell: tuple[Any, ...]) -> Cell:
    low, high, *null = cell
    if low is None and high is None:
        return OneOf((), null=True)
    return _span(low, high, bool(null and null[0]))


def _span(low: Any, high: Any, null: bool) -> Cell:
    if not low <= high:
        raise ValueError("no range")
    return OneOf((low,), null) if low == high else Between(low, high, null=null)


def _text_ranges(column: PublishedColumn, texts: Sequence[str | None]) -> Reading:
    ends = [None if text is None else _ends(text) for text in texts]
    listed = [end for pair in ends if pair is not None for end in pair[:2]]
    domain, parse = _parser(column.type, listed)
    cells = tuple(
        OneOf((), null=True) if pair is None else _span(parse(pair[0]), parse(pair[1]), pair[2])
        for pair in ends
    )
    return Reading(domain, cells)


def _ends(text: str) -> tuple[str, str, bool]:
    bare = text.removesuffix(_OR_NULL)
    # Neither a number nor a date contains ", ".
    first, _, last = bare.strip("[]").partition(", ")
    return first, last or first, bare != text


def _parser(kind: str, ends: Sequence[str]) -> tuple[Domain, Any]:
    if kind == "numeric":
        whole = all(_WHOLE.fullmatch(end) for end in ends)
        return (Domain("BIGINT"), int) if whole else (Domain("DOUBLE"), float)
    if all(len(end) == len("2020-01-31") for end in ends):
        return Domain("DATE"), date.fromisoformat
    return Domain("TIMESTAMP", sure=False), lambda end: datetime.fromisoformat(end[:26])


def _text_members(text: str) -> list[str | None]:
    """Read ``{a, "b, c", NULL}``."""
    return [_member(each) for each in _MEMBER.findall(text[1:-1])]


def _member(text: str) -> str | None:
    if text.startswith('"'):
        return str(json.loads(text))
    return None if text == "NULL" else text


def _set(members: list[Any], kind: str) -> Cell:
    known = [each for each in members if each is not None]
    if kind == "BOOLEAN":
        known = [each if isinstance(each, bool) else each == "true" for each in known]
    return OneOf(tuple(known), null=len(known) < len(members))
