"""What every two sensitive columns of a table say of each other, computed once.

Entropy of a column, and what is left of it when another column is known.

Source: Cover and Thomas, *Elements of Information Theory*, 1991, chapter 2; used in section 4.2 of
Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute" (DEXA 2011). Natural logarithms;
the paper does not fix the base, and no ratio depends on it. Other than there, the mutual
information that chance alone would show is subtracted: columns of many values share information
with any other, whatever they are about.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.measure.mutual_information import (
    CodedValues,
    Contingency,
    PairSums,
    Sizes,
    beyond_chance,
    chance_information,
    code_values,
    contingency,
    mutual_information,
)


def entropy(counts: NDArray[np.int64]) -> float:
    r""":math:`H = \sum_v \frac{c_v}{n} \log \frac{n}{c_v}`; 0 exactly for a single value.

    ``counts`` is how often each value occurs. All terms are positive, so that nothing cancels.
    """
    rows = int(counts.sum())
    terms = counts * np.log1p((rows - counts) / counts)
    return math.fsum(terms.tolist()) / rows


def conditional_entropy(pairs: Contingency) -> float:
    r"""Entropy of the first column that is left when the second is known.

    :math:`H(A|B) = H(A) - I(A, B) = \sum_{v, w} \frac{c_{vw}}{n} \log \frac{c_w}{c_{vw}}`; exactly
    0 if the second column determines the first.
    """
    terms = pairs.together * np.log1p((pairs.second - pairs.together) / pairs.together)
    return math.fsum(terms.tolist()) / pairs.rows


#: Values of columns that need no protection, as text; ``None`` is NULL.
Harmless = Mapping[str, Sequence[str | None]]
#: Into how many equally frequent bins the values of columns fall.
Bins = Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Dependencies:
    """Numbers about pairs of columns, as symmetric tables with zeros on the diagonal.

    Attributes
    ----------
    names
        The columns.
    entropy
        Entropy of each.
    information
        Mutual information of each pair beyond what chance is expected to show.
    exposable
        What can be newly learnt of one column of a pair by knowing the other, both ways; see
        :func:`dependencies`.
    """

    names: tuple[str, ...]
    entropy: NDArray[np.float64]
    information: NDArray[np.float64]
    exposable: NDArray[np.float64]


def dependencies(
    frame: pl.DataFrame,
    names: Sequence[str],
    harmless: Harmless | None = None,
    bins: Bins | None = None,
) -> Dependencies:
    r"""Measure all pairs of some columns of a table.

    With p(A) the share of rows whose value of A is not harmless, the exposable information of a
    pair is :math:`E(A, B) = p(A) H(A|B) + p(B) H(B|A)`. This is the sum over pairs of values of
    section 4.2 of the paper, with H(A_i) + H(A_j) - 2 I in its last case, where the paper prints
    H(A_j) twice: the four cases of a pair of values add up to these two products.

    Of the mutual information, what chance is expected to show is left out
    (:func:`papilio.measure.mutual_information.chance_information`), and so
    :math:`H(A|B) = H(A) - I(A, B)` is larger by it: whoever knows a value that nearly nobody shares
    finds the row, and what stands there is news.

    Parameters
    ----------
    frame
        The values.
    names
        The columns.
    harmless
        Values that need no protection, per column; by default none.
    bins
        Numbers and dates that are measured by equally frequent ranges of values, and how many.

    Notes
    -----
    Cost: one pass over the rows per pair of columns, and that of
    :func:`papilio.measure.mutual_information.chance_information`.
    """
    said = harmless or {}
    series = [frame.get_column(name) for name in names]
    coded = [code_values(_measured(each, bins or {})) for each in series]
    shares = [sensitive_share(each, said.get(each.name, ())) for each in series]
    size, sizes = len(names), [Sizes.of(each.counts) for each in coded]
    information, exposable = np.zeros((size, size)), np.zeros((size, size))
    for i, j in combinations(range(size), 2):
        by_chance = chance_information(sizes[i], sizes[j])
        shared, exposed = _pair(coded[i], coded[j], shares[i], shares[j], by_chance)
        information[i, j] = information[j, i] = shared
        exposable[i, j] = exposable[j, i] = exposed
    entropies = np.array([entropy(each.counts) for each in coded])
    return Dependencies(tuple(names), entropies, information, exposable)


def _measured(values: pl.Series, bins: Bins) -> pl.Series:
    """The values, or the numbers of their bins."""
    if values.name not in bins:
        return values
    counted = values.drop_nulls().to_frame("value").group_by("value").len("n")
    return binned(values, cuts_of(counted, bins[values.name]))


def cuts_of(counted: pl.DataFrame, bins: int) -> pl.Series:
    """Find the least values of equally frequent bins.

    A value that b of n values are smaller than is in bin number bins * b / n, rounded down. Equal
    values are in one bin, so that there may be fewer bins than asked for.

    Parameters
    ----------
    counted
        ``value``, without NULL, and ``n``, how often it occurs.
    bins
        How many bins.
    """
    ordered = counted.sort("value")
    below = pl.col("n").cum_sum() - pl.col("n")
    number = (below * bins) // pl.col("n").sum()
    return ordered.group_by(number.alias("bin")).agg(pl.col("value").min()).sort("bin")["value"]


def binned(values: pl.Series, cuts: pl.Series) -> pl.Series:
    """Numbers of the bins of values; NULL stays NULL."""
    found = cuts.to_physical().search_sorted(values.to_physical().fill_null(0), side="right")
    numbers = pl.select(pl.when(values.is_not_null()).then(pl.Series(found).cast(pl.Int64)))
    return numbers.to_series().alias(values.name)


def _pair(
    first: CodedValues, second: CodedValues, of_first: float, of_second: float, by_chance: float
) -> tuple[float, float]:
    """Mutual information beyond chance, and exposable information."""
    forth, back = contingency(first, second), contingency(second, first)
    exposed = of_first * conditional_entropy(forth) + of_second * conditional_entropy(back)
    found = mutual_information(forth)
    shared = beyond_chance(found, by_chance)
    return shared, exposed + (of_first + of_second) * (found - shared)


def dependencies_of_sums(
    names: Sequence[str], sums: Mapping[tuple[int, int], PairSums], harmless: Sequence[int]
) -> Dependencies:
    """Put together what was summed up elsewhere.

    Parameters
    ----------
    names
        The columns.
    sums
        Sums of each pair of columns, by their numbers, the smaller first, and of each column with
        itself.
    harmless
        Rows of each column whose value needs no protection.
    """
    size = len(names)
    information, exposable = np.zeros((size, size)), np.zeros((size, size))
    shares = [1 - rows / sums[i, i].rows for i, rows in enumerate(harmless)]
    for i, j in combinations(range(size), 2):
        found, shared = sums[i, j].information, shared_information(sums, i, j)
        exposed = sums[i, j].exposable(shares[i], shares[j], found - shared)
        information[i, j] = information[j, i] = shared
        exposable[i, j] = exposable[j, i] = exposed
    entropies = np.array([sums[i, i].entropy for i in range(size)])
    return Dependencies(tuple(names), entropies, information, exposable)


def shared_information(sums: Mapping[tuple[int, int], PairSums], i: int, j: int) -> float:
    """Mutual information of two columns beyond chance, from sums; i before j."""
    by_chance = chance_information(sums[i, i].sizes, sums[j, j].sizes)
    return beyond_chance(sums[i, j].information, by_chance)


def sensitive_share(values: pl.Series, harmless: Sequence[str | None]) -> float:
    """Share of the rows whose value is not among the harmless ones."""
    return 1 - harmless_rows(values, harmless) / len(values)


def harmless_rows(values: pl.Series, harmless: Sequence[str | None]) -> int:
    """Number of rows whose value is among the harmless ones.

    Harmless values are written as text: numbers compare as numbers, booleans as ``true`` and
    ``false``, dates as ISO dates.
    """
    if not harmless:
        return 0
    safe = values.is_null() if None in harmless else pl.Series([False] * len(values))
    texts = [each for each in harmless if each is not None]
    if values.dtype.is_numeric():
        numbers = pl.Series([float(each) for each in texts], dtype=pl.Float64)
        found = values.cast(pl.Float64).is_in(numbers.implode())
    else:
        found = values.cast(pl.String).is_in(pl.Series(texts, dtype=pl.String).implode())
    return int((safe | found.fill_null(value=False)).sum())
