"""What two columns say of each other, as sums over pairs of values, which parts add up to."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from papilio.measure.contingency import Contingency
from papilio.measure.mutual_information import excess_over_chance

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
