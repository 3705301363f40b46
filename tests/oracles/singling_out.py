"""Predicates that isolate, by counting one by one. Imports nothing of Papilio.

Columns are described as in :mod:`oracles.certain_rows`; weights are fractions.
"""

from fractions import Fraction
from math import prod

from oracles.certain_rows import allowed, cell, certain


def predicates(kinds, classes):
    """``(class, column, value) -> (weight, chance of the value in its cell, rows meeting it)``."""
    rows = [row for each in classes for row in each]
    cells = [
        [cell(kind, [row[c] for row in each]) for c, kind in enumerate(kinds)] for each in classes
    ]
    support = [{row[c] for row in rows} for c in range(len(kinds))]
    covers = [
        [set(allowed(kind, each[c])) & support[c] for c, kind in enumerate(kinds)] for each in cells
    ]
    mass = [
        {
            value: sum(
                Fraction(len(each), len(rows) * len(cover[c]))
                for each, cover in zip(classes, covers, strict=True)
                if value in cover[c]
            )
            for value in support[c]
        }
        for c in range(len(kinds))
    ]
    found = {}
    for number, (each, cover) in enumerate(zip(classes, covers, strict=True)):
        inside = [sum(mass[c][value] for value in cover[c]) for c in range(len(kinds))]
        for c, kind in enumerate(kinds):
            if len(allowed(kind, cells[number][c])) == 1:
                continue
            for (value,) in certain([kind], [(row[c],) for row in each]):
                again = mass[c][value] / inside[c]
                met = sum(
                    row[c] == value and all(v in some for v, some in zip(row, cover, strict=True))
                    for row in rows
                )
                found[number, c, value] = (prod(inside) * again, again, met)
    return found
