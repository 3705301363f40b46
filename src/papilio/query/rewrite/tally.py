"""What rules of rewriting may ask of a kind of release, for one argument of an aggregate.

The same rules serve permuted and generalised releases: what differs is how the sure and the
possible values of a group of rows are counted, added up and compared. A :class:`Tally` knows that.

Rounding outward, in SQL: lower bounds are never too high, upper bounds never too low.

With u = 2⁻⁵³, adding n doubles in any order is off by at most n u Σ|x| to first order, a division
by u of its result. The factors below are at least twice that, so the terms of higher order and the
rounding of the bound itself are covered too. What another program computes for the plain query in
doubles, in whichever order it adds, is therefore inside as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

#: SQL's NULL, for what is not known.
UNKNOWN = "NULL"


@dataclass(frozen=True)
class Rewriting:
    """SQL for the bounds of one aggregate.

    Attributes
    ----------
    lo, hi, estimate, std
        Expressions over the relation ``b``, one row per group, and over ``parts``.
    count_lo
        How many values are surely aggregated, if that may be none although there are rows: then
        the answer may be NULL. ``None`` if it cannot be.
    pieces
        Columns that ``b`` must have: name -> aggregate over the matched rows or groups.
    relations
        Further relations of the ``WITH`` clause: name -> query.
    parts
        Further relations with one row per group, joined with ``b``: name -> query.
    """

    lo: str
    hi: str
    estimate: str = UNKNOWN
    std: str = UNKNOWN
    count_lo: str | None = None
    pieces: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)


#: 2⁻⁵²: twice the largest relative error of one operation on doubles.
UNIT = "2.220446049250313e-16"
#: Whole numbers below it are doubles without rounding.
_WHOLE = "9007199254740992"


def quotient(number: str, count: str) -> str:
    """A division in doubles."""
    return f"CAST({number} AS DOUBLE) / {count}"


def whole_quotient(number: str, count: str, *, up: bool) -> str:
    """Divide an exact number by a count; exact if the result is a whole number."""
    exact = f"{number} % {count} = 0 AND ABS({number}) < {_WHOLE}"
    rough = nudged(quotient(number, count), up=up)
    return f"CASE WHEN {exact} THEN {quotient(number, count)} ELSE {rough} END"


def nudged(double: str, *, up: bool) -> str:
    """Move a double by a little more than the rounding of two operations."""
    return f"({double}) {'+' if up else '-'} ABS({double}) * 2 * {UNIT}"


def widened(double: str, count: str, absolute: str, *, up: bool) -> str:
    """Move a sum of ``count`` doubles whose absolute values add up to ``absolute``."""
    return f"{double} {'+' if up else '-'} ({count} + 4) * {UNIT} * {absolute}"


class Arithmetic(Enum):
    """How values of the argument add up.

    Attributes
    ----------
    WHOLE
        Whole or decimal numbers: sums are exact.
    DYADIC
        Doubles that are multiples of 2⁻¹⁰ and so small that all sums are exact.
    DOUBLE
        Other doubles: sums are rounded, so bounds are widened by what rounding can do.
    ORDERED
        No numbers: they can be compared only.
    """

    WHOLE = "whole"
    DYADIC = "dyadic"
    DOUBLE = "double"
    ORDERED = "ordered"


class Tally(Protocol):
    """Counts, sums and extremes of one argument, as SQL.

    Attributes
    ----------
    label
        Name of the argument inside the rewritten query; all names made here begin with it.
    keys
        Labels of the groups of the query.
    arithmetic
        How its values add up.
    sure
        Whether the number of aggregated values is certain in every group, and none is NULL.
    """

    @property
    def label(self) -> str:
        """Name of the argument."""
        ...

    @property
    def keys(self) -> Sequence[str]:
        """Labels of the groups."""
        ...

    @property
    def arithmetic(self) -> Arithmetic:
        """How values add up."""
        ...

    @property
    def sure(self) -> bool:
        """Whether it is certain how many values are aggregated."""
        ...

    def piece(self, name: str) -> str:
        """SQL of a column of ``b``.

        Names are ``rows``, ``rows_lo``, ``distinct_lo``, ``distinct_hi``, ``count_lo``,
        ``count_hi``, ``sum_lo``, ``sum_hi``, ``sum_mean``, ``sum_var``, ``min_lo``, ``min_hi``,
        ``max_lo``, ``max_hi``, ``largest`` (of absolute values) and ``slack`` (a bound of the sum
        of absolute values). A kind of release need not have all of them.
        """
        ...

    def has(self, name: str) -> bool:
        """Whether there is such a piece."""
        ...

    def contributions(self, *, high: bool) -> str:
        """Query for the values that enter an average: keys, ``v`` and whether it is ``certain``.

        Each value is as large as it can be if ``high``, else as small.
        """
        ...

    def draws(self, extreme: str | None) -> str | None:
        """Query for the cells of permuted groups: keys, ``g``, ``h``, ``v``; ``None`` if none.

        ``g`` is the group, ``h`` how many of its cells are drawn, ``v`` a cell. If ``extreme`` is
        ``min`` or ``max``, only groups that can hold it, and ``edge`` is the end of its bounds
        that all draws together can push it to.
        """
        ...


def pieces(tally: Tally, *names: str) -> dict[str, str]:
    """Name the pieces for the relation ``b``."""
    return {f"{tally.label}_{name}": tally.piece(name) for name in names}


def b(tally: Tally, name: str) -> str:
    """A piece as a column of ``b``."""
    return f"b.{tally.label}_{name}"
