"""A sensitive column as plans see it: which values there are and how often."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.kernels.ke_reach import reach_real, reach_whole
from papilio.privacy.ke_anonymity import KeAnonymity

#: No distance of two 64-bit numbers is larger.
_FARTHEST = 2**64 - 1


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """The different values of a column and how often each occurs; NULL is none of them.

    Attributes
    ----------
    values
        The different values, ascending; ``int64`` or ``float64``.
    starts
        Number of rows with a smaller value, for each; then the number of all rows.
    """

    values: NDArray[np.int64] | NDArray[np.float64]
    starts: NDArray[np.int64]

    @property
    def copies(self) -> NDArray[np.int64]:
        """How often each value occurs."""
        return np.diff(self.starts)

    @property
    def widths(self) -> NDArray[np.float64]:
        """Values as doubles whose differences are the widths of groups.

        Whole numbers are counted from the smallest, which keeps differences exact below 2**53.
        Doubles whose differences would overflow are scaled down.
        """
        if self.values.dtype == np.int64:
            return self._from_smallest.astype(np.float64)
        overflows = abs(self.values[0]) > 2.0**1020 or abs(self.values[-1]) > 2.0**1020
        return np.asarray(self.values * 2.0**-10 if overflows else self.values, np.float64)

    @property
    def _from_smallest(self) -> NDArray[np.uint64]:
        """Whole numbers as distances from the smallest, which may need all 64 bits."""
        unsigned: NDArray[np.uint64] = self.values.view(np.uint64)
        return np.asarray(unsigned - unsigned[0], np.uint64)

    def reach(self, e: Fraction, *, beyond: bool = False) -> NDArray[np.int64]:
        """For each value, index of the first that is at least ``e`` larger, decided exactly.

        With ``beyond`` the first that is more than ``e`` larger.
        """
        if self.values.dtype == np.int64:
            least = e.numerator // e.denominator + 1 if beyond else -(-e.numerator // e.denominator)
            if least > _FARTHEST:
                return np.full(len(self.values), len(self.values))
            return reach_whole(self._from_smallest, np.uint64(least))
        near, rest = _two_doubles(e, beyond=beyond)
        return reach_real(self.values.astype(np.float64, copy=False), near, rest)


def count_values(
    values: NDArray[np.int64] | NDArray[np.float64], copies: NDArray[np.int64]
) -> ValueCounts:
    """Put different values, in any order, and how often each occurs into their order."""
    order = np.argsort(values, kind="stable")
    starts = np.concatenate([[0], np.cumsum(copies[order])]).astype(np.int64)
    return ValueCounts(values[order], starts)


def _two_doubles(e: Fraction, *, beyond: bool) -> tuple[float, float]:
    """``e`` as the nearest double and the rest, rounded up to the least that is enough.

    What is compared with the rest is a double, so that nothing is lost by rounding up.
    """
    near = float(e)
    rest = e - Fraction(near)
    close = float(rest)
    enough = Fraction(close) > rest or (Fraction(close) == rest and not beyond)
    return near, close if enough else float(np.nextafter(close, np.inf))


def runs_allowed(
    column: ValueCounts, requirement: KeAnonymity
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Least end of a run from each value, and whether two runs may share a value.

    A value is shared if it has copies for both. Where one value alone is a group already (k = 1,
    e = 0), sharing could go on for ever and gains nothing.
    """
    count = len(column.values)
    first = np.maximum(column.reach(requirement.exact_e), np.arange(count) + requirement.k - 1)
    alone = requirement.k == 1 and requirement.exact_e == 0
    shareable = np.zeros(count, bool) if alone else column.copies >= 2
    return first, shareable


@dataclass(frozen=True, eq=False)
class SortedValues(ValueCounts):
    """Rows in the order of their values.

    Attributes
    ----------
    rows
        Row numbers by ascending value; rows that are NULL are not among them. ``starts`` says
        where those of each value begin.
    nulls
        Numbers of the rows that are NULL.
    """

    rows: NDArray[np.int32]
    nulls: NDArray[np.int32]


def sort_values(series: pl.Series) -> SortedValues:
    """Sort the rows of a numeric column by value. Cost: one stable sort of the column."""
    missing = series.is_null().to_numpy()
    nulls = np.flatnonzero(missing).astype(np.int32)
    known = None if not len(nulls) else np.flatnonzero(~missing).astype(np.int32)
    values = series.drop_nulls().to_numpy()
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    begins = np.flatnonzero(ascending[1:] != ascending[:-1]) + 1
    starts = np.concatenate([[0] * (len(values) > 0), begins, [len(values)]]).astype(np.int64)
    rows = order.astype(np.int32) if known is None else known[order]
    return SortedValues(ascending[starts[:-1]], starts, rows, nulls)
