"""How a hierarchy is declared in a policy; building one from a declaration is another matter.

Each rule checks itself when it is made and raises a :class:`~papilio.errors.PolicyError` with one
fault for each mistake; ``where`` of a fault is the key of the rule in a policy file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from papilio.errors import Fault, PolicyError

#: Most characters that a level of prefixes keeps.
LONGEST_PREFIX = 1_000_000
DATE_LEVELS = ("day", "month", "quarter", "year", "decade", "century")


@dataclass(frozen=True)
class PathsRule:
    """Read the tree from a file with one path a line, leaf first.

    Attributes
    ----------
    file
        A CSV file; see :func:`papilio.data.hierarchy.paths.read_paths`.
    """

    file: Path


@dataclass(frozen=True)
class PrefixRule:
    """Keep fewer and fewer of a text's first characters.

    Attributes
    ----------
    keep
        Numbers of characters kept, one a level: positive and strictly decreasing.
    """

    keep: tuple[int, ...]

    def __post_init__(self) -> None:
        whole = all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in self.keep)
        whole = whole and all(n <= LONGEST_PREFIX for n in self.keep)
        falling = whole and all(longer > shorter for longer, shorter in pairwise(self.keep))
        if not self.keep or not falling:
            _refuse(
                "prefix",
                "must list how many first characters each level keeps, as positive whole numbers "
                f"up to {LONGEST_PREFIX} that get smaller, such as [5, 3, 2]",
            )


@dataclass(frozen=True)
class IntervalsRule:
    """Put numbers into half-open intervals that grow from level to level.

    Attributes
    ----------
    widths
        Widths of the intervals, one a level: positive, each a multiple of the one before and
        larger than it. Decimal fractions count as they are written, so 0.5 is a multiple of 0.1.
    origin
        Where an interval of every level starts.
    """

    widths: tuple[int | float, ...]
    origin: int | float = 0

    def __post_init__(self) -> None:
        if not self.widths or not _finite_numbers(self.widths) or not _nested(self.widths):
            _refuse(
                "intervals",
                "must list the width of each level, as positive numbers each of which is a larger "
                "multiple of the one before, such as [5, 20, 100]",
            )
        if not _finite_numbers([self.origin]):
            _refuse("origin", "must be a finite number, such as 0")


@dataclass(frozen=True)
class DatesRule:
    """Put dates into calendar units that grow from level to level.

    Attributes
    ----------
    levels
        Units out of ``day``, ``month``, ``quarter``, ``year``, ``decade`` and ``century``, in this
        order.
    """

    levels: tuple[str, ...]

    def __post_init__(self) -> None:
        known = all(level in DATE_LEVELS for level in self.levels)
        places = [DATE_LEVELS.index(level) for level in self.levels] if known else []
        if not places or any(before >= after for before, after in pairwise(places)):
            _refuse("dates", f"must list levels out of {', '.join(DATE_LEVELS)}, in this order")


@dataclass(frozen=True)
class AutomaticRule:
    """Build a balanced binary tree over the values that occur."""


HierarchyRule = PathsRule | PrefixRule | IntervalsRule | DatesRule | AutomaticRule


def _exact(number: int | float) -> Fraction:
    """Return the number as it is written: 0.1 is one tenth, not the nearest binary fraction."""
    return Fraction(str(number))


def _finite_numbers(numbers: Iterable[int | float]) -> bool:
    return all(
        isinstance(number, int | float) and not isinstance(number, bool) and math.isfinite(number)
        for number in numbers
    )


def _nested(widths: Iterable[int | float]) -> bool:
    sizes = [_exact(width) for width in widths]
    return sizes[0] > 0 and all(
        large > small and large % small == 0 for small, large in pairwise(sizes)
    )


def _refuse(where: str, message: str) -> None:
    raise PolicyError([Fault(message, where=where)])
