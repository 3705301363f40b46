"""Slow and obvious twins of the (k,e)-anonymous partitions: look at every partition."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import lcm


def is_ke_anonymous(group, k, e):
    """Definition 2.4.2 with exact arithmetic; NULL is no value."""
    values = [Fraction(value) for value in group if value is not None]
    return len(set(values)) >= k and bool(values) and max(values) - min(values) >= Fraction(e)


def width(group):
    """E(G) of the paper."""
    return Fraction(max(group)) - Fraction(min(group))


def every_partition(items):
    """All divisions of a list into groups."""
    if not items:
        yield []
        return
    for rest in every_partition(items[1:]):
        yield [[items[0]], *rest]
        for place in range(len(rest)):
            yield [*rest[:place], [items[0], *rest[place]], *rest[place + 1 :]]


def every_division_into_runs(values):
    """All divisions of a sorted list into consecutive parts; equal values may be parted."""
    ordered = sorted(values)
    for number in range(len(ordered)):
        for cuts in combinations(range(1, len(ordered)), number):
            ends = [0, *cuts, len(ordered)]
            yield [ordered[a:b] for a, b in zip(ends, ends[1:], strict=False)]


def _scaled(values, e):
    """Values and e as whole numbers in the same proportion, and the unit of one."""
    exact = [Fraction(value) for value in values]
    unit = Fraction(1, lcm(Fraction(e).denominator, *(each.denominator for each in exact)))
    return [int(each / unit) for each in exact], int(Fraction(e) / unit), unit


def _meets(group, k, e):
    return max(group) - min(group) >= e and len(set(group)) >= k


def least_sum_and_max(values, k, e):
    """Least sum of widths, and least width of the widest group, over all partitions."""
    whole, least, unit = _scaled(values, e)
    found = [
        [max(group) - min(group) for group in partition]
        for partition in every_partition(whole)
        if all(_meets(group, k, least) for group in partition)
    ]
    return min(map(sum, found)) * unit, min(map(max, found)) * unit


def _runs(values, k, e):
    divisions = every_division_into_runs(values)
    return [p for p in divisions if all(is_ke_anonymous(group, k, e) for group in p)]


def least_max_of_runs(values, k, e):
    """Least width of the widest group over divisions into runs."""
    return min(max(map(width, p)) for p in _runs(values, k, e))


def most_runs_and_least_sum(values, k, e):
    """Largest number of groups over divisions into runs, and their least sum of widths."""
    found = _runs(values, k, e)
    most = max(map(len, found))
    return most, min(sum(map(width, p)) for p in found if len(p) == most)


def meets(group, k, e, known=0, near=None):
    """(k,e) without any ``known`` rows; ``near`` is the width and the share of a window."""
    values = [Fraction(value) for value in group]
    if len(set(values)) < k or max(values) - min(values) < e:
        return False
    left = combinations(values, max(len(values) - known, 0)) if known else ()
    if not all(is_ke_anonymous(each, k, e) for each in left):
        return False
    if near is None:
        return True
    width, share = (Fraction(str(number)) for number in near)
    most = max(sum(low <= v <= low + width for v in values) for low in values)
    return most <= share * len(values)


def bests(values, k, e, known, near):
    """Least sum over all partitions; over runs narrowest widest, most groups and their least sum.

    ``None`` if there is no partition.
    """
    every = [p for p in every_partition(values) if all(meets(g, k, e, known, near) for g in p)]
    if not every:
        return None
    divisions = every_division_into_runs(values)
    runs = [p for p in divisions if all(meets(g, k, e, known, near) for g in p)]
    most = max(map(len, runs))
    return (
        min(sum(map(width, p)) for p in every),
        min(max(map(width, p)) for p in runs),
        most,
        min(sum(map(width, p)) for p in runs if len(p) == most),
    )
