"""Mutual information: how much two columns say of each other.

Source: Cover and Thomas, *Elements of Information Theory*, 1991, section 2.3; section 4.1 of Fang,
Ashrafi and Ng, "Privacy beyond single sensitive attribute" (DEXA 2011). What chance alone would
show: Vinh, Epps and Bailey, "Information theoretic measures for clusterings comparison", JMLR 11,
2010, section 3.

How often the values of two columns occur together.

NULL is one more value, equal to NULL only. Everything about the dependency of two columns is
computed from these whole numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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


@dataclass(frozen=True)
class Sizes:
    """How often the values of a column occur, without saying which: all that chance depends on.

    Attributes
    ----------
    counts
        Rows of a value; each number once, ascending.
    times
        How many values have so many rows.
    """

    counts: tuple[int, ...] = ()
    times: tuple[int, ...] = ()

    @classmethod
    def of(cls, counts: NDArray[np.int64]) -> Sizes:
        """Group equal numbers of rows. Cost: a sort of the values."""
        found, times = np.unique(counts, return_counts=True)
        return cls(tuple(found.tolist()), tuple(times.tolist()))

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(count * times for count, times in zip(self.counts, self.times, strict=True))


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
    # A pair that does not occur has x = -1, and 0 log 0 is 0.
    direct = (1 + x) * np.log1p(x, out=np.zeros_like(x), where=x > -1) - x
    series = np.zeros_like(x)
    for factor in reversed(_SERIES):
        series = factor - x * series
    return np.where(np.abs(x) < _SMALL, x * x * series, direct)


#: How many standard deviations around the mean count are looked at, and how many counts besides:
#: what lies beyond adds less than 1e-16 of the whole.
_DEVIATIONS, _MORE, _MORE_IF_RARE = 9, 12, 8
#: Means below this are summed up the short way, where little cancels; counts then start from 0.
_SHORT, _RARE = 40.0, 0.1
#: Counts that are looked at at once.
_BLOCK = 1 << 20
#: Information within this share of what chance explains is rounding, and counts as none.
_ROUNDING = 1e-9


def chance_information(first: Sizes, second: Sizes) -> float:
    r"""Mutual information that two columns are expected to have if they are dealt out at random.

    The mean over all permutations of one column; a pair of values with a and b of n rows occurs
    together as often as a hypergeometric distribution says,

    .. math:: E[I] = \sum_{v, w} \frac{c_v c_w}{n^2} E\left[(1 + X) \log(1 + X) - X\right],
              \quad 1 + X = \frac{n M}{c_v c_w}, \quad M \sim H(n, c_v, c_w),

    exactly, up to rounding. It is what Vinh et al. give, with the terms of
    :func:`mutual_information`, none of which is negative. Columns of few values have nearly none
    of it, (r - 1)(s - 1) / 2n for r and s values; columns of as many values as rows have nothing
    else. The correction of Miller and Madow, which is that approximation, is wrong for these.

    Cost: n rows have at most :math:`\sqrt{2n}` different numbers of rows per value; for each pair
    of these, as many counts as are likely. Two columns of a million rows and thousands of values
    take about a second.
    """
    rows = float(first.rows)
    a, b = (side.ravel() for side in np.meshgrid(_floats(first.counts), _floats(second.counts)))
    times = np.outer(_floats(second.times), _floats(first.times)).ravel()
    mean = a * b / rows
    share = times * mean / rows
    deviation = np.sqrt(mean * (1 - a / rows) * (rows - b) / max(rows - 1, 1))
    more = np.where(mean < _RARE, _MORE_IF_RARE, _MORE)
    low = np.maximum(np.maximum(a + b - rows, 0), np.floor(mean - _DEVIATIONS * deviation) - more)
    high = np.minimum(np.minimum(a, b), np.ceil(mean + _DEVIATIONS * deviation) + more)
    short = (low == 0) & (mean < _SHORT)
    parts = []
    for some, excess in ((short, _excess_from_zero), (~short, _excess_around)):
        for part in _alike(np.flatnonzero(some), high - low):
            found = excess(a[part], b[part], rows, low[part], high[part])
            parts += (share[part] * found).tolist()
    return math.fsum(parts)


def _floats(numbers: Sequence[int]) -> NDArray[np.float64]:
    return np.array(numbers, np.float64)


def _alike(chosen: NDArray[np.int64], span: NDArray[np.float64]) -> Iterator[NDArray[np.int64]]:
    """Blocks of pairs that look at about as many counts; each as wide as the widest of them."""
    order = chosen[np.argsort(span[chosen], kind="stable")]
    while len(order):
        # Not much wider than the first, and no more cells than a block has.
        taken = np.searchsorted(span[order], 1.25 * span[order[0]] + 2, side="right")
        taken = min(int(taken), max(1, int(_BLOCK / (1.25 * span[order[0]] + 3))))
        yield order[:taken]
        order = order[taken:]


def _excess_from_zero(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    rows: float,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Mean of (1 + X) log(1 + X) - X, which is that of M log M / E[M] less log E[M]."""
    count = np.arange(int((high - low).max()) + 1, dtype=np.float64)
    # From each count to the next, likelihoods change by a simple ratio; they end in a zero.
    last, a, b = count[:-1], a[:, None], b[:, None]
    ratio = (a - last) * (b - last) / ((last + 1) * (rows - a - b + last + 1))
    likely = np.cumprod(ratio, axis=1)
    weight = count * np.log(np.maximum(count, 1))
    mean = (a * b)[:, 0] / rows
    found: NDArray[np.float64] = likely @ weight[1:] / (1 + likely.sum(axis=1)) / mean
    return found - np.log(mean)


def _excess_around(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    rows: float,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Mean of (1 + X) log(1 + X) - X over the counts that are likely."""
    steps = np.arange(int((high - low).max()) + 1)
    a, b = a[:, None], b[:, None]
    count = np.minimum(low[:, None] + steps, high[:, None])
    beyond = low[:, None] + steps > high[:, None]
    last = count[:, :-1]
    with np.errstate(divide="ignore"):
        ratio = np.log((a - last) * (b - last)) - np.log((last + 1) * (rows - a - b + last + 1))
    chance = np.zeros(count.shape)
    np.cumsum(np.where(beyond[:, 1:], 0.0, ratio), axis=1, out=chance[:, 1:])
    chance = np.exp(chance - chance.max(axis=1, keepdims=True))
    chance[beyond] = 0.0
    x = (count - a * b / rows) / (a * b / rows)
    mean: NDArray[np.float64] = (chance * _excess(x)).sum(axis=1) / chance.sum(axis=1)
    return mean


def beyond_chance(information: float, by_chance: float) -> float:
    """Mutual information less what chance is expected to show; never below 0.

    What is left is 0 exactly where nothing but rounding is left, as of columns that have another
    value in every row.
    """
    left = information - by_chance
    return left if left > _ROUNDING * by_chance else 0.0


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
    sizes
        Of a column paired with itself, how often its values occur; of others nothing.
    """

    rows: int
    excess: float
    expected: int
    left_first: float
    left_second: float
    alone: float
    pairs: int
    sizes: Sizes = Sizes()

    @property
    def information(self) -> float:
        """Mutual information; see :func:`papilio.measure.mutual_information.mutual_information`."""
        missing = self.rows * self.rows - self.expected
        return math.fsum([self.excess, float(missing)]) / self.rows / self.rows

    def exposable(self, of_first: float, of_second: float, by_chance: float = 0.0) -> float:
        """Exposable information.

        Parameters
        ----------
        of_first, of_second
            Shares of rows whose value is not harmless.
        by_chance
            Mutual information that is not there beyond chance; it is left of either column.
        """
        known = of_first * self.left_first + of_second * self.left_second
        return known / self.rows + (of_first + of_second) * by_chance

    @property
    def entropy(self) -> float:
        """Entropy of the pair; of a column paired with itself, of the column."""
        return self.alone / self.rows


def pair_sums(pairs: Contingency, itself: bool = False) -> PairSums:
    """Sum up some pairs; ``itself`` if both columns are the same. Cost: one pass over them."""
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
        Sizes.of(together) if itself else Sizes(),
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
        _sizes_together(each.sizes for each in every),
    )


def _sizes_together(parts: Iterable[Sizes]) -> Sizes:
    found: Counter[int] = Counter()
    for part in parts:
        found.update(dict(zip(part.counts, part.times, strict=True)))
    counts = sorted(found)
    return Sizes(tuple(counts), tuple(found[count] for count in counts))
