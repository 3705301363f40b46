"""Hybrid recoding's global phase, slow and obvious. Imports nothing of Papilio.

Columns are described as in :mod:`oracles.mondrian`.
"""

from oracles.mondrian import width


def box_width(rows, kinds, members):
    """Summed width of the smallest cells over some rows."""
    return sum(width(kind, [rows[m][c] for m in members]) for c, kind in enumerate(kinds))


def chi(rows, kinds, members, metric):
    """The metric of one side of a cut."""
    size = float(len(members))
    return size * (box_width(rows, kinds, members) if metric == "ncp" else size)


def cuts(rows, kinds, members, k, metric, objective):
    """All allowed cuts: objective, sum, column, cut and the two sides, best first."""
    found = []
    for column in range(len(kinds)):
        best = None
        for cut in sorted({rows[m][column] for m in members})[:-1]:
            left = [m for m in members if rows[m][column] <= cut]
            right = [m for m in members if rows[m][column] > cut]
            if len(left) < k or len(right) < k:
                continue
            one, other = (chi(rows, kinds, side, metric) for side in (left, right))
            value = one + other if objective == "sum" else abs(one - other)
            if best is None or (value, one + other) < best[:2]:
                best = (value, one + other, column, cut, left, right)
        if best is not None:
            found.append(best)
    return sorted(found, key=lambda each: each[:3])


def hybrid_global(rows, kinds, k, metric="ncp", objective="sum", meets=lambda rows: True):
    """Classes of rows as lists of row numbers."""

    def divide(members):
        if len(members) >= 2 * k:
            for *_, left, right in cuts(rows, kinds, members, k, metric, objective):
                if meets(left) and meets(right):
                    return divide(left) + divide(right)
        return [members]

    return divide(list(range(len(rows))))
