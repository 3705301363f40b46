"""The partition that a policy asks for."""

from __future__ import annotations

from papilio.families.classes import Classes
from papilio.families.permutation.methods.max_partition import max_partition
from papilio.families.permutation.methods.most_groups import most_groups
from papilio.families.permutation.methods.overlapping_partition import overlapping_partition
from papilio.families.permutation.methods.partition import Partition, rows_of
from papilio.families.permutation.methods.random_partition import random_partition
from papilio.families.permutation.methods.sorted_values import SortedValues
from papilio.families.permutation.methods.sum_partition import sum_partition
from papilio.families.permutation.methods.value_counts import ValueCounts
from papilio.privacy.ke_anonymity import KeAnonymity, check_spread
from papilio.randomness import Randomness

_PARTITIONS = {
    "sum": sum_partition,
    "max": max_partition,
    "max-exact": overlapping_partition,
    "groups": most_groups,
}


def ke_partition(
    column: SortedValues, requirement: KeAnonymity, minimise: str, randomness: Randomness
) -> Classes:
    """Divide rows into (k,e)-anonymous groups.

    Parameters
    ----------
    column
        The sensitive column.
    requirement
        What every group must satisfy.
    minimise
        ``"sum"``, ``"max"``, ``"max-exact"``, ``"groups"`` or ``"random"``.
    randomness
        Decides which rows of equal value go to which group.

    Raises
    ------
    InfeasibleError
        If not even all rows as one group satisfy the requirement; names what they do.
    """
    check_spread(requirement, column.values)
    if minimise == "random":
        return random_partition(column, requirement, randomness)
    return rows_of(plan_groups(column, requirement, minimise), column, randomness)


def plan_groups(column: ValueCounts, requirement: KeAnonymity, minimise: str) -> Partition:
    """Say how many copies of each value each group gets, from how often values occur alone.

    ``minimise`` is as for :func:`ke_partition`, but for ``"random"``, which divides rows.
    """
    return _PARTITIONS[minimise](column, requirement)
