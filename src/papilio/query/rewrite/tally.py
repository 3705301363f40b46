"""What rules of rewriting may ask of a kind of release, for one argument of an aggregate.

The same rules serve permuted and generalised releases: what differs is how the sure and the
possible values of a group of rows are counted, added up and compared. A :class:`Tally` knows that.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Protocol


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
