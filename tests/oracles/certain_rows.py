"""Certain rows by trying all tables that there could be. Imports nothing of Papilio.

A column is ``("range",)``, ``("set",)`` or ``("tree", paths)`` with one path per value, leaf first.
"""

from itertools import combinations_with_replacement, product
from math import comb


def cell(kind, values):
    """The smallest cell that covers some values."""
    known = [value for value in values if value is not None]
    null = len(known) < len(values)
    match kind:
        case ("range",):
            return (min(known), max(known), null) if known else (None, None, True)
        case ("set",):
            return frozenset(values)
        case ("tree", paths):
            root = paths[0][-1]
            above = [[None, root] if v is None else _distinct(paths, v) for v in values]
            return next(label for label in above[0] if all(label in path for path in above))


def _distinct(paths, value):
    return list(dict.fromkeys(next(path for path in paths if path[0] == value)))


def allowed(kind, found):
    """All values that a cell allows, of whole numbers all of a range."""
    match kind:
        case ("range",):
            low, high, null = found
            numbers = [] if low is None else list(range(low, high + 1))
            return [*numbers, None] if null else numbers
        case ("set",):
            return list(found)
        case ("tree", paths):
            below = [path[0] for path in paths if found in path]
            return [*below, None] if found in (None, paths[0][-1]) else below


def tables(kinds, rows):
    """How many tables have to be tried."""
    universe = 1
    for column, kind in enumerate(kinds):
        universe *= len(allowed(kind, cell(kind, [row[column] for row in rows])))
    return comb(universe + len(rows) - 1, len(rows))


def can_be_cut(kinds, rows, k):
    """Whether some column can be cut between two of its values so that each part has k rows."""
    return any(
        k <= sum(place <= last for place in places) <= len(rows) - k
        for kind, column in zip(kinds, zip(*rows, strict=True), strict=True)
        for places in [[_place(kind, value) for value in column]]
        for last in places
    )


def _place(kind, value):
    """Where a value stands in the order that methods cut by; NULL comes first."""
    if value is None:
        return (0, 0)
    leaves = [path[0] for path in kind[1]] if kind[0] == "tree" else []
    return (1, leaves.index(value) if leaves else value)


def certain(kinds, rows, k=None):
    """Rows that all tables have in common whose only class has the same cells and as many rows.

    With k, tables whose class could have been cut into parts of k rows are left out.
    """
    wanted = [cell(kind, [row[column] for row in rows]) for column, kind in enumerate(kinds)]
    values = [allowed(kind, found) for kind, found in zip(kinds, wanted, strict=True)]
    common = None
    for table in combinations_with_replacement(list(product(*values)), len(rows)):
        columns = zip(*table, strict=True)
        same = zip(kinds, columns, wanted, strict=True)
        if all(cell(kind, list(column)) == want for kind, column, want in same):
            if k is not None and can_be_cut(kinds, table, k):
                continue
            common = set(table) if common is None else common & set(table)
    return common
