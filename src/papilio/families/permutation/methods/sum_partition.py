"""Groups whose widths sum up to as little as possible (Section 2.6.1, docs/papers.md)."""

from __future__ import annotations

import math

from papilio.families.permutation.methods.partition import Partition, partition_of_runs
from papilio.families.permutation.methods.runs import runs_allowed
from papilio.families.permutation.methods.value_counts import ValueCounts
from papilio.kernels.ke_runs import cheapest_runs
from papilio.privacy.ke_anonymity import KeAnonymity


def sum_partition(column: ValueCounts, requirement: KeAnonymity) -> Partition:
    """Minimise the sum of the widths of the groups, over all partitions.

    By Lemma 2.6.1 runs of the sorted values are enough. Among equally good partitions one
    with the most groups is taken. Depends on how often each value occurs, and on nothing else.

    Notes
    -----
    Cost: O(p) for p different values, after sorting; the paper's Algorithm 1 takes O(n^2) time and
    space, and does not minimise the sum as printed (papers D2.1, D2.2).
    """
    first, shareable = runs_allowed(column, requirement)
    starts, shared = cheapest_runs(column.widths, first, shareable, math.inf, False)
    return partition_of_runs(column, starts, shared)
