"""Information Exposure Ratio of a plan: what knowing one sensitive column gives away of others.

Source: section 4.2 of Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute"
(DEXA 2011), with the misprint in its last case put right; see :mod:`papilio.measure.dependencies`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from papilio.measure.dependencies import Dependencies


def exposure(known: Dependencies, plan: Sequence[Sequence[int]]) -> float:
    r"""Exposable information inside tables, weighted by their width, over that of all pairs.

    :math:`\Gamma_\beta = \sum_u \frac{E(\mathcal{A}_u)}{E_\Sigma}
    \frac{|\mathcal{A}_u|}{|\mathcal{A}|}`, where E of a table sums its pairs and E_Sigma sums all
    pairs; 0 if nothing can be exposed (one column, columns that determine each other, only
    harmless values), where the paper says 1 for one table. From 0 to 1; 0 for one column per
    table; merging two tables never lowers it.

    Parameters
    ----------
    known
        The dependencies.
    plan
        Numbers of the columns of each table; each column once.
    """
    columns = len(known.names)
    total = _inside(known, range(columns))
    if not total:
        return 0.0
    inside = math.fsum(_inside(known, table) * len(table) for table in plan)
    return inside / total / columns


def _inside(known: Dependencies, columns: Sequence[int]) -> float:
    return math.fsum(known.exposable[i, j] for i, j in combinations(columns, 2))
