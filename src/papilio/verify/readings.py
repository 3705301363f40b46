"""How a stranger reads one generalised cell; see ``docs/release-format.md``.

A cell written as text (a range, a set, a label of a hierarchy) is turned into what it allows the
original value to be. ``None`` instead of a reading means that the cell is not well formed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any, TypeAlias

from papilio.release.manifest import PublishedColumn

Bound: TypeAlias = Decimal | datetime


@dataclass(frozen=True)
class Span:
    """Everything from ``low`` to ``high``; ``high`` itself unless half open."""

    low: Bound
    high: Bound
    half_open: bool = False
    null: bool = False


@dataclass(frozen=True)
class OneOf:
    """One of some values, written as text."""

    values: tuple[str, ...]
    null: bool = False


@dataclass(frozen=True)
class Beginning:
    """A text that begins so and goes on."""

    prefix: str
    null: bool = False


@dataclass(frozen=True)
class Anything:
    """Any value, or NULL."""

    null: bool = True


Reading: TypeAlias = Span | OneOf | Beginning | Anything
Reader: TypeAlias = Callable[[str | None], Reading | None]

#: The value is NULL and nothing else.
ONLY_NULL = OneOf((), null=True)

_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
_MOMENT = re.compile(
    r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:?\d{2})?)?", re.ASCII
)
_RANGE = re.compile(r"(?:\[([^\[\],]+), ([^\[\],]+)\]|([^\[\],]+?))( or NULL)?")
_MEMBER = r'"(?:[^"\\]|\\.)*"|[^,{}"]+'
_SET = re.compile(rf"\{{(?:{_MEMBER})(?:, (?:{_MEMBER}))*\}}", re.DOTALL)
_MEMBERS = re.compile(rf"({_MEMBER})(?:, |\Z)", re.DOTALL)


def bound(text: str, kind: str) -> Bound | None:
    """Read a number, or a date as its midnight, or a moment as one of UTC."""
    if kind == "numeric":
        return Decimal(text) if _NUMBER.fullmatch(text) else None
    if not _MOMENT.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)


def span(
    low: str, high: str, kind: str, *, half_open: bool = False, null: bool = False
) -> Span | None:
    """Read a range from its two ends."""
    smallest, largest = bound(low, kind), bound(high, kind)
    if smallest is None or largest is None or smallest > largest:  # type: ignore[operator]
        return None
    return Span(smallest, largest, half_open, null)


def range_reader(column: PublishedColumn) -> Reader:
    """Reader of ``30``, ``[30, 40]`` and ``[30, 40] or NULL``."""

    def read(cell: str | None) -> Reading | None:
        if cell is None:
            return ONLY_NULL
        form = _RANGE.fullmatch(cell)
        if form is None:
            return None
        low, high, single, null = form.groups()
        return span(low or single, high or single, column.type, null=null is not None)

    return read


def set_reader(column: PublishedColumn) -> Reader:
    """Reader of ``["a","b"]`` or, as readable text, ``{a, "b, c"}``."""
    members: Callable[[str], list[Any] | None] = _text_members if column.text else json_list
    wanted = bool if column.type == "boolean" and not column.text else str

    def read(cell: str | None) -> Reading | None:
        found = None if cell is None else members(cell)
        if not found:
            return None
        known = found[1:] if found[0] is None else found
        if not all(isinstance(each, wanted) for each in known) or not _ascending(known):
            return None
        return OneOf(tuple(_text(each) for each in known), null=len(known) < len(found))

    return read


def json_list(cell: str) -> list[Any] | None:
    """Members of a JSON list; ``None`` if the cell is something else."""
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def _text_members(cell: str) -> list[str | None] | None:
    if not _SET.fullmatch(cell):
        return None
    try:
        return [_member(each) for each in _MEMBERS.findall(cell[1:-1])]
    except ValueError:
        return None


def _member(text: str) -> str | None:
    """Read a member of a readable set; what could be misread is quoted as in JSON."""
    if text.startswith('"'):
        return str(json.loads(text))
    if text != text.strip():
        raise ValueError
    return None if text == "NULL" else text


def _ascending(values: Sequence[Any]) -> bool:
    return all(one < next_ for one, next_ in pairwise(values))


def _text(value: str | bool) -> str:
    return value if isinstance(value, str) else str(value).lower()
