"""The plan of a permutation, from counts alone: which rows with a value go to which group.

Whoever can count the values of a column (a pass over files, an engine with many workers) has the
groups planned here, as those of a table in memory are, and deals its rows out as the plan says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.errors import InternalError
from papilio.families.engines.piece import Drawing
from papilio.families.family import Choice
from papilio.families.permutation.family import PERMUTATION_METHOD
from papilio.families.permutation.methods.partition import null_shares, plan_groups
from papilio.families.permutation.methods.value_counts import ValueCounts, count_values
from papilio.policy.policy import Policy
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.randomness import Randomness


@dataclass(frozen=True)
class Demanded:
    """What groups must satisfy, and what is to be small."""

    requirement: KeAnonymity
    minimise: str


def demanded_by(policy: Policy, choice: Choice) -> Demanded:
    """What a policy for permutation demands."""
    found = [each for each in policy.requirements if isinstance(each, KeAnonymity)]
    if choice.method != PERMUTATION_METHOD or len(found) != 1:
        raise InternalError("a policy for permutation demands something else", reason="demand")
    return Demanded(found[0], policy.minimise or "sum")


def counted(values: pl.Series, copies: NDArray[np.int64]) -> tuple[ValueCounts, int]:
    """Counts of different values in their order, and the number of NULLs.

    Zero and minus zero are one value, which is counted once and called zero.
    """
    there = values.is_not_null().to_numpy()
    known = values.filter(values.is_not_null()).to_numpy()
    if known.dtype == np.float64:
        known = known + 0.0
    return count_values(known, copies[there]), int(copies[~there].sum())


@dataclass(frozen=True, eq=False)
class Dealt:
    """Shares of values, and of NULL, that groups get; one entry per value and group.

    If the rows of a value stand in a random order, those from ``first`` on, ``copies`` in number,
    belong to ``group``.

    Attributes
    ----------
    value
        Number of the value among the different ones, ascending; then -1 for NULL.
    group
        Number of the group, from 0, in an order left to chance.
    first, copies
        Which of the rows with this value.
    count
        Number of groups.
    """

    value: NDArray[np.int64]
    group: NDArray[np.int64]
    first: NDArray[np.int64]
    copies: NDArray[np.int64]
    count: int

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of rows of each group."""
        return np.bincount(self.group, self.copies, self.count).astype(np.int64)

    @property
    def largest(self) -> int:
        """Number of rows of the largest group."""
        return int(self.sizes.max())


def deal(
    counts: ValueCounts,
    nulls: int,
    requirement: KeAnonymity,
    minimise: str,
    randomness: Randomness,
) -> Dealt:
    """Plan (k,e)-anonymous groups from how often values occur, without rows.

    The plan is that of :func:`papilio.families.permutation.methods.partition.ke_partition`. Its
    size is that of the different values: every group but the first begins with a value of its own
    or shares it with one other.

    Parameters
    ----------
    counts
        The values.
    nulls
        Number of rows that are NULL; groups get them in proportion to their sizes.
    requirement
        What every group must satisfy; all rows together do.
    minimise
        ``"sum"``, ``"max"``, ``"max-exact"`` or ``"groups"``.
    randomness
        For the numbers of the groups, and which of them get a NULL more.
    """
    plan = plan_groups(counts, requirement, minimise)
    number = randomness.permutation(plan.count)
    until = np.cumsum(plan.copies)
    first = until - plan.copies - counts.starts[plan.value]
    receivers, received = null_shares(plan, nulls, randomness)
    # Groups that get none need no entry.
    some = received > 0
    before = np.cumsum(received) - received
    return Dealt(
        np.concatenate([plan.value, np.full(int(some.sum()), -1)]),
        number[np.concatenate([plan.group, receivers[some]])],
        np.concatenate([first, before[some]]),
        np.concatenate([plan.copies, received[some]]),
        plan.count,
    )


def farthest(values: NDArray[np.int64] | NDArray[np.float64] | list[Any]) -> int:
    """Largest absolute value of ascending ones, cut to a whole number."""
    return max(abs(int(values[0])), abs(int(values[-1])))


def value_codes(known: ValueCounts, values: pl.Series) -> NDArray[np.int64]:
    """Number of the value of each row among those of a plan; NULL comes last.

    -1 for a value that is none of them.
    """
    missing = values.is_null().to_numpy()
    here = values.fill_null(strategy="zero").to_numpy()
    codes = np.searchsorted(known.values, here).clip(0, len(known.values) - 1)
    codes[known.values[codes] != here] = -1
    codes[missing] = len(known.values)
    return codes


def drawing_of(dealt: Dealt, known: ValueCounts) -> Drawing:
    """Prepare to deal out rows by their :func:`value_codes`."""
    nothing = len(known.values)
    codes = np.where(dealt.value < 0, nothing, dealt.value)
    return Drawing(codes, dealt.group, dealt.copies, nothing + 1)


def shown_values(
    dealt: Dealt, known: ValueCounts, entries: NDArray[np.int64], names: Sequence[str]
) -> pl.DataFrame:
    """Group, from 1, and value of some entries, under the given names."""
    codes = dealt.value[entries]
    values = pl.Series(names[1], known.values[codes]).set(pl.Series(codes < 0), None)
    return pl.DataFrame([pl.Series(names[0], dealt.group[entries] + 1), values])
