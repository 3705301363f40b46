"""Groups without overlap, the widest as narrow as possible (Problem 2.6.3, docs/papers.md)."""

from __future__ import annotations

from papilio.families.permutation.methods.partition import Partition, partition_of_runs
from papilio.families.permutation.methods.runs import runs_allowed
from papilio.families.permutation.methods.value_counts import ValueCounts
from papilio.kernels.ke_runs import cheapest_runs, widest_run
from papilio.privacy.ke_anonymity import KeAnonymity


def max_partition(column: ValueCounts, requirement: KeAnonymity) -> Partition:
    """Minimise the width of the widest group, over partitions into runs of the sorted values.

    Among all such partitions, which are many, one with the least sum of widths is taken. At most
    twice as wide as the best partition with overlaps (Theorem 4; the factor is tight, papers D2.8),
    which :mod:`papilio.families.permutation.methods.overlapping_partition` finds. Depends on how
    often each value occurs, and on nothing else.

    Notes
    -----
    Cost: O(p log p) for p different values, after sorting; the paper takes O(n^2).
    """
    first, shareable = runs_allowed(column, requirement)
    widths = column.widths
    widest = widest_run(widths, first, shareable)
    starts, shared = cheapest_runs(widths, first, shareable, widest, False)
    return partition_of_runs(column, starts, shared)
