"""The best plan of all, by dynamic programming over subsets of the columns.

Both ratios are sums over tables and requirements are met table by table, so the best division of a
set consists of one table and a best division of the rest; with two ratios, of one on its front.
Not in the paper, whose heuristic misses the best plan about every second time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.families.projections.methods.plan import (
    TOLERANCE,
    Feasible,
    InfeasibleSets,
    Limits,
    PlanPoint,
    Weights,
    always,
    plan_of,
)
from papilio.kernels.subset_fronts import subset_fronts

#: Largest number of columns; 16 take a few seconds, and each more three times as long.
MOST_COLUMNS = 16


def exact_plans(weights: Weights, limits: Limits, feasible: Feasible = always) -> list[PlanPoint]:
    """Find the front of all feasible plans, and the best of them for some limits.

    The last plan is the answer: the one that loses least among those that keep to the limit on
    exposure; or, if only the loss is limited, the one that exposes least among those that keep to
    it. The plans before it are the rest of its front, from the least exposure on; only the answer's
    tables are known to be feasible, the others' may not be. Whether the answer keeps to the limit
    on the loss is for the caller to see. An empty list says that a column cannot be published even
    by itself.

    Parameters
    ----------
    weights
        The dependencies, of at most 16 columns.
    limits
        What may be lost and exposed.
    feasible
        Whether columns can be published together. It is asked about the tables of the best plan
        only; if one is infeasible it is excluded, with all larger sets, and the search repeated.

    Notes
    -----
    Cost: 3^(s-1) / 2 pairs of subsets times the length of their fronts, once per infeasible set.
    """
    sets = InfeasibleSets(feasible)
    if not all(sets.feasible(1 << column) for column in range(weights.columns)):
        return []
    kept, exposed = _tables(weights)
    allowed = np.ones(len(kept), np.bool_)
    while True:
        front = _front(weights, kept, exposed, allowed, limits)
        best = _best(front, limits)
        masks = [sum(1 << column for column in table) for table in best.plan]
        failed = [mask for mask in masks if not sets.feasible(mask)]
        if not failed:
            return [*(each for each in front if each is not best), best]
        for mask in failed:
            sets.shrink(mask)
        allowed = _allowed(len(kept), sets.smallest)


def front_of_plans(weights: Weights) -> list[PlanPoint]:
    """All plans that no other plan beats in both ratios, from the least exposure on."""
    kept, exposed = _tables(weights)
    return _front(weights, kept, exposed, np.ones(len(kept), np.bool_), Limits())


def _tables(weights: Weights) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What every subset of the columns keeps and exposes as one table."""
    size = 1 << weights.columns
    kept, exposed = np.zeros(size, np.int64), np.zeros(size, np.int64)
    count = np.zeros(size, np.int64)
    for column in range(weights.columns):
        # Subsets whose highest column this is come from those of the columns before it.
        start = 1 << column
        below = np.arange(start)
        has = (below[:, None] >> np.arange(column)) & 1
        kept[start : 2 * start] = kept[:start] + has @ weights.kept[column, :column]
        exposed[start : 2 * start] = exposed[:start] + has @ weights.exposed[column, :column]
        count[start : 2 * start] = count[:start] + 1
    return kept, exposed * count


def _allowed(size: int, infeasible: list[int]) -> NDArray[np.bool_]:
    every = np.arange(size)
    allowed = np.ones(size, np.bool_)
    for mask in infeasible:
        allowed &= every & mask != mask
    return allowed


def _front(
    weights: Weights,
    kept: NDArray[np.int64],
    exposed: NDArray[np.int64],
    allowed: NDArray[np.bool_],
    limits: Limits,
) -> list[PlanPoint]:
    limit = weights.most_exposed(limits.most_exposed)
    starts, keeps, exposes, table, rest = subset_fronts(kept, exposed, allowed, limit)
    points = []
    for entry in range(int(starts[-2]), int(starts[-1])):
        masks, place = [], entry
        while rest[place] >= 0:
            masks.append(int(table[place]))
            place = int(rest[place])
        points.append(weights.priced(plan_of(masks), int(keeps[entry]), int(exposes[entry])))
    return points


def _best(front: list[PlanPoint], limits: Limits) -> PlanPoint:
    """One column per table exposes nothing, so that a front has at least one plan."""
    if limits.expose_least:
        enough = [e for e in front if e.association_loss <= limits.most_lost + TOLERANCE]
        if enough:
            return enough[0]
    return front[-1]
