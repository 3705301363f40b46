"""What one generalised cell may be."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeAlias

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
