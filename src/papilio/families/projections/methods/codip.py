"""CODIP*: merge the tables that say most of each other, while limits allow.

Source: section 5 and Figure 4 of Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute"
(DEXA 2011). Departures, both needed: a merge that fails is followed by the next best pair, where
the paper gives up, and the search ends when one table is left, where the paper is undefined.
"""

from __future__ import annotations

from collections.abc import Iterator

from papilio.families.projections.methods.plan import (
    TOLERANCE,
    Feasible,
    InfeasibleSets,
    Limits,
    PlanPoint,
    Weights,
    always,
)


def codip(weights: Weights, limits: Limits, feasible: Feasible = always) -> list[PlanPoint]:
    """Find plans by greedy merging, from one table per column on.

    The last one is the answer: if exposure is limited, or nothing is, it cannot be merged further;
    if only the loss is limited, it is the first that keeps to it. Whether it keeps to the limit on
    the loss is for the caller to see. An empty list says that a column cannot be published even by
    itself.

    Parameters
    ----------
    weights
        The dependencies.
    limits
        What may be lost and exposed.
    feasible
        Whether columns can be published together.

    Notes
    -----
    A merge that fails once fails for good: ratios and requirements are monotone, so that every
    later plan with these columns together fails too. Cost: O(s^2) pairs per merge for s columns,
    at most s^2 questions about feasibility in practice.
    """
    tables = [1 << column for column in range(weights.columns)]
    sets = InfeasibleSets(feasible)
    if not all(map(sets.feasible, tables)):
        return []
    found = [weights.point(tables)]
    while not _is_enough(found[-1], limits):
        merged = _merge(tables, weights, sets, weights.most_exposed(limits.most_exposed))
        if merged is None:
            break
        tables = merged
        found.append(weights.point(tables))
    return found


def _is_enough(point: PlanPoint, limits: Limits) -> bool:
    return limits.expose_least and point.association_loss <= limits.most_lost + TOLERANCE


def _merge(
    tables: list[int], weights: Weights, sets: InfeasibleSets, limit: int
) -> list[int] | None:
    """Tables after the best merge that is allowed; ``None`` if none is."""
    exposed = {table: weights.table(table)[1] for table in tables}
    total = sum(exposed.values())
    for first, second in _by_information(tables, weights):
        union = first | second
        if sets.excluded(union):
            continue
        if total - exposed[first] - exposed[second] + weights.table(union)[1] > limit:
            sets.exclude(union)
        elif sets.feasible(union):
            return [each for each in tables if each not in (first, second)] + [union]
    return None


def _by_information(tables: list[int], weights: Weights) -> Iterator[tuple[int, int]]:
    """Pairs of tables, the largest average information of pairs of columns in their union first."""
    pairs = [(a, b) for place, a in enumerate(tables) for b in tables[place + 1 :]]

    def average(pair: tuple[int, int]) -> float:
        union = pair[0] | pair[1]
        columns = union.bit_count()
        return weights.table(union)[0] / (columns * (columns - 1))

    # Sorting is stable: ties go to the pair that comes first.
    yield from sorted(pairs, key=average, reverse=True)
