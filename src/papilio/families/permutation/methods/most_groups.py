"""As many groups as possible ("Max Group" in Section 2.7.1)."""

from __future__ import annotations

import math

import numpy as np

from papilio.families.permutation.methods.partition import Partition, partition_of_runs
from papilio.families.permutation.methods.runs import runs_allowed
from papilio.families.permutation.methods.value_counts import ValueCounts
from papilio.kernels.ke_runs import cheapest_runs
from papilio.privacy.ke_anonymity import KeAnonymity


def most_groups(column: ValueCounts, requirement: KeAnonymity) -> Partition:
    """Maximise the number of groups, over partitions into runs of the sorted values.

    Among partitions with equally many groups one with the least sum of widths is taken. Groups
    that are no runs can be more in number (of the values 1, 2, 3, 4, with k = 2 and e = 2, one
    run can be made, but two groups: 1, 3 and 2, 4), at the price of being wide: smallest values
    go with largest ones. They are not looked for. Depends on how often each value occurs, and on
    nothing else.

    Notes
    -----
    Cost: O(p) for p different values, after sorting.
    """
    if requirement.k == 1 and requirement.exact_e == 0:
        return _one_row_each(column)
    first, shareable = runs_allowed(column, requirement)
    starts, shared = cheapest_runs(column.widths, first, shareable, math.inf, True)
    return partition_of_runs(column, starts, shared)


def _one_row_each(column: ValueCounts) -> Partition:
    """Every row is a group by itself where one value is enough."""
    rows = int(column.starts[-1])
    value = np.repeat(np.arange(len(column.values)), column.copies)
    return Partition(value, np.arange(rows), np.ones(rows, np.int64), rows)
