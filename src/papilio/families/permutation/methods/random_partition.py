"""Groups of rows as they come, in random order; a baseline (Section 2.7.1)."""

from __future__ import annotations

import numpy as np

from papilio.families.classes import Classes
from papilio.families.permutation.methods.sorted_values import SortedValues
from papilio.kernels.ke_rows import scan_groups
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.randomness import Randomness


def random_partition(
    column: SortedValues, requirement: KeAnonymity, randomness: Randomness
) -> Classes:
    """Scan the rows in random order and close a group as soon as it is (k,e)-anonymous.

    Rows that are left at the end join the last group; a row that is NULL joins the group that is
    open. The paper scans in the order of the table, which would publish something about that
    order. Groups are as private as any others, and much wider.

    Notes
    -----
    Cost: O(n log n), for the random order.
    """
    ranks = np.full(len(column.rows) + len(column.nulls), -1, np.int32)
    ranks[column.rows] = np.repeat(np.arange(len(column.values), dtype=np.int32), column.copies)
    order = randomness.permutation(len(ranks)).astype(np.int32)
    starts = scan_groups(ranks[order], column.reach(requirement.exact_e), requirement.k)
    return Classes(order, starts)
