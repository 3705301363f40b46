"""Bounds of aggregates by trying out everything that a release allows.

Imports nothing of Papilio. Values are Python numbers or ``None``; sums are exact fractions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import sqrt

FUNCTIONS = ("sum", "avg", "min", "max", "count", "count_distinct")


def aggregate(function, values):
    """The aggregate of SQL, NULL being ignored; exact."""
    known = [value for value in values if value is not None]
    if function == "count":
        return len(known)
    if function == "count_distinct":
        return len(set(known))
    if not known:
        return None
    exact = [Fraction(value) for value in known]
    match function:
        case "sum":
            return sum(exact)
        case "avg":
            return sum(exact) / len(exact)
        case "min":
            return min(exact)
        case _:
            return max(exact)


def possible_permuted(function, groups):
    """Every answer, as often as it comes, if any ``hits`` cells of each group may be selected.

    ``groups``: pairs of cells and hits.
    """
    chosen = [list(combinations(cells, hits)) for cells, hits in groups]
    return [
        aggregate(function, [value for part in choice for value in part])
        for choice in product(*chosen)
    ]


def possible_generalised(function, rows):
    """Every answer if rows that must match are selected and those that may are or are not.

    ``rows``: pairs of a value and whether the row must match.
    """
    must = [value for value, sure in rows if sure]
    may = [value for value, sure in rows if not sure]
    return [
        aggregate(function, must + list(some))
        for size in range(len(may) + 1)
        for some in combinations(may, size)
    ]


def ends(answers):
    """Smallest and largest answer that is not NULL, and whether it may be NULL."""
    known = [each for each in answers if each is not None]
    return min(known, default=None), max(known, default=None), len(known) < len(answers)


def moments(answers):
    """Mean and standard deviation of equally likely answers."""
    exact = [Fraction(each) for each in answers]
    mean = sum(exact) / len(exact)
    variance = sum((each - mean) ** 2 for each in exact) / len(exact)
    return float(mean), sqrt(variance)
