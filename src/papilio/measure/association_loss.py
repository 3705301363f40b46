"""Association Loss Ratio of a plan: the share of dependency between columns that it loses.

Source: section 4.1 of Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute"
(DEXA 2011).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from papilio.measure.dependencies import Dependencies


def association_loss(known: Dependencies, plan: Sequence[Sequence[int]]) -> float:
    r"""Mutual information of pairs of columns in different tables, over that of all pairs.

    :math:`\Gamma_\alpha = \sum_{i<j, \text{apart}} I(A_i, A_j) / \sum_{i<j} I(A_i, A_j)`, and 0 if
    no two columns depend on each other at all (the paper says 1 for one column per table, which
    its own definition contradicts there). 0 for one table, from 0 to 1 otherwise; merging two
    tables never raises it.

    Parameters
    ----------
    known
        The dependencies.
    plan
        Numbers of the columns of each table; each column once.
    """
    pairs = combinations(range(len(known.names)), 2)
    total = math.fsum(known.information[i, j] for i, j in pairs)
    table_of = {column: number for number, columns in enumerate(plan) for column in columns}
    apart = math.fsum(
        known.information[i, j]
        for i, j in combinations(range(len(known.names)), 2)
        if table_of[i] != table_of[j]
    )
    return apart / total if total else 0.0
