"""A plan as it is handed to an engine: which of the rows with a value go to which group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.methods.permute.ke_partition import plan_groups
from papilio.methods.permute.partition import null_shares
from papilio.methods.permute.value_counts import ValueCounts
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.randomness import Randomness


@dataclass(frozen=True, eq=False)
class Dealt:
    """Shares of values, and of NULL, that groups get; one entry per value and group.

    If the rows of a value stand in a random order, those from ``first`` on, ``copies`` in number,
    belong to ``group``.

    Attributes
    ----------
    value
        Number of the value among the different ones; -1 for NULL.
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
    def largest(self) -> int:
        """Number of rows of the largest group."""
        return int(np.bincount(self.group, self.copies, self.count).max())


def deal(
    counts: ValueCounts,
    nulls: int,
    requirement: KeAnonymity,
    minimise: str,
    randomness: Randomness,
) -> Dealt:
    """Plan (k,e)-anonymous groups from how often values occur, without rows.

    The plan is that of :func:`papilio.methods.permute.ke_partition.ke_partition`. Its size is that
    of the different values: every group but the first begins with a value of its own or shares it
    with one other.

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
