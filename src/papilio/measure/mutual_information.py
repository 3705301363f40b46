"""Mutual information: how much two columns say of each other.

Source: Cover and Thomas, *Elements of Information Theory*, 1991, section 2.3; section 4.1 of Fang,
Ashrafi and Ng, "Privacy beyond single sensitive attribute" (DEXA 2011).

How often the values of two columns occur together.

NULL is one more value, equal to NULL only. Everything about the dependency of two columns is
computed from these whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

#: A table of all pairs of values is counted directly if it has at most so many cells per row.
_DENSE = 4


@dataclass(frozen=True, eq=False)
class CodedValues:
    """A column as numbers.

    Attributes
    ----------
    codes
        Number of the value of each row, from 0.
    counts
        How often each number occurs; at least once.
    """

    codes: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.codes)


@dataclass(frozen=True, eq=False)
class Contingency:
    """Pairs of values of two columns that occur together; one entry per pair.

    Attributes
    ----------
    rows
        Rows of the table.
    together
        How often the pair occurs.
    first, second
        How often the value of the first column, and that of the second, occurs at all.
    """

    rows: int
    together: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]


def code_values(values: pl.Series) -> CodedValues:
    """Number the values of a column, ascending, NULL first.

    Cost: a sort of the rows.
    """
    numbers = _numbers(values).cast(pl.Int64).fill_null(-1).to_numpy()
    _, codes = np.unique(numbers, return_inverse=True)
    return CodedValues(codes.astype(np.int64), np.bincount(codes).astype(np.int64))


def _numbers(values: pl.Series) -> pl.Series:
    """Equal whole numbers, at least 0, for equal values; NULL stays NULL."""
    if values.dtype in (pl.Categorical, pl.Enum):
        return values.to_physical()
    return values if values.dtype == pl.Boolean else values.rank("dense")


def contingency(first: CodedValues, second: CodedValues) -> Contingency:
    """Count how often values of two columns of a table occur together.

    Cost: one pass over the rows if the columns have few values, else a sort.
    """
    width = len(second.counts)
    pair = first.codes * width + second.codes
    if len(first.counts) * width <= _DENSE * max(first.rows, 1 << 16):
        counted = np.bincount(pair, minlength=len(first.counts) * width)
        cells = np.flatnonzero(counted)
        together = counted[cells]
    else:
        cells, together = np.unique(pair, return_counts=True)
    return Contingency(
        first.rows,
        together.astype(np.int64),
        first.counts[cells // width],
        second.counts[cells % width],
    )


#: Below this the power series is used; its first terms left out are below 1e-17 of the result.
_SMALL = 0.01
#: 1 / (j (j - 1)) for j = 2 .. 10.
_SERIES = [1 / (j * (j - 1)) for j in range(2, 11)]


def mutual_information(pairs: Contingency) -> float:
    r"""Mutual information of two columns, never negative, and exactly 0 if they are independent.

    By definition :math:`I = \sum_{v, w} \frac{c_{vw}}{n} \log \frac{n c_{vw}}{c_v c_w}`. With
    :math:`x = (n c_{vw} - c_v c_w) / (c_v c_w)` and because these differences add up to zero, it is

    .. math:: I = \sum_{v, w} \frac{c_v c_w}{n^2} \left((1 + x) \log(1 + x) - x\right),

    a sum of terms none of which is negative, so that nothing cancels. A pair that does not occur
    has x = -1 and adds its expected share.

    Cost: one pass over the pairs that occur.
    """
    rows = pairs.rows
    expected = pairs.first * pairs.second
    surplus = rows * pairs.together - expected
    terms = excess_over_chance(surplus, expected)
    missing = rows * rows - int(expected.sum())
    return math.fsum([*terms.tolist(), float(missing)]) / rows / rows


def excess_over_chance(surplus: NDArray[Any], expected: NDArray[Any]) -> NDArray[np.float64]:
    """Term of each pair that occurs, times the square of the number of rows.

    Parameters
    ----------
    surplus
        By how much rows times the pair's rows exceed what is expected.
    expected
        Product of the rows of both values.
    """
    return expected.astype(np.float64) * _excess((surplus / expected).astype(np.float64))


def _excess(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """(1 + x) log(1 + x) - x, also where x is so small that the two parts nearly cancel."""
    direct = (1 + x) * np.log1p(x) - x
    series = np.zeros_like(x)
    for factor in reversed(_SERIES):
        series = factor - x * series
    return np.where(np.abs(x) < _SMALL, x * x * series, direct)


#: Products of two numbers of rows up to this fit 64 bits.
_MOST_ROWS = 3_000_000_000


@dataclass(frozen=True)
class PairSums:
    """Sums over some of the pairs of values of two columns.

    Attributes
    ----------
    rows
        Rows of the table.
    excess
        Sum of the terms of the mutual information, before its last correction.
    expected
        Sum of the products of both values' numbers of rows.
    left_first, left_second
        Sums of the terms of the entropy of either column that is left when the other is known.
    alone
        Sum of the terms of the entropy of the pair.
    pairs
        Number of pairs.
    """

    rows: int
    excess: float
    expected: int
    left_first: float
    left_second: float
    alone: float
    pairs: int

    @property
    def information(self) -> float:
        """Mutual information; see :func:`papilio.measure.mutual_information.mutual_information`."""
        missing = self.rows * self.rows - self.expected
        return math.fsum([self.excess, float(missing)]) / self.rows / self.rows

    def exposable(self, of_first: float, of_second: float) -> float:
        """Exposable information; shares are those of rows whose value is not harmless."""
        return (of_first * self.left_first + of_second * self.left_second) / self.rows

    @property
    def entropy(self) -> float:
        """Entropy of the pair; of a column paired with itself, of the column."""
        return self.alone / self.rows


def pair_sums(pairs: Contingency) -> PairSums:
    """Sum up some pairs. Cost: one pass over them."""
    together, first, second = pairs.together, pairs.first, pairs.second
    kind = np.int64 if pairs.rows <= _MOST_ROWS else np.longdouble
    expected = first.astype(kind) * second.astype(kind)
    surplus = pairs.rows * together.astype(kind) - expected
    return PairSums(
        pairs.rows,
        math.fsum(excess_over_chance(surplus, expected).tolist()),
        int(expected.sum()),
        math.fsum((together * np.log1p((second - together) / together)).tolist()),
        math.fsum((together * np.log1p((first - together) / together)).tolist()),
        math.fsum((together * np.log1p((pairs.rows - together) / together)).tolist()),
        len(together),
    )


def added(parts: Iterable[PairSums]) -> PairSums:
    """Add up the sums of different pairs of values of the same two columns."""
    every = list(parts)
    return PairSums(
        every[0].rows,
        math.fsum(each.excess for each in every),
        sum(each.expected for each in every),
        math.fsum(each.left_first for each in every),
        math.fsum(each.left_second for each in every),
        math.fsum(each.alone for each in every),
        sum(each.pairs for each in every),
    )
