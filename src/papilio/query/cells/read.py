"""Reading the cells of a generalised column; written from ``docs/release-format.md``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from papilio.errors import ReleaseError
from papilio.query.cells.cell import Between, Cell, Domain, OneOf
from papilio.query.cells.labels import label_reader
from papilio.release.manifest import PublishedColumn

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
