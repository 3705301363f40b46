"""Rows that follow for who knows the method, by replaying it. Imports nothing of Papilio.

Every column is a list of labels; points are tuples of labels, one value is dealt to each.
"""

from itertools import product

from oracles.refused_cuts import mondrian


def certain(points, values, least, meets):
    """Rows of all tables with the same lists and values that the method would not have cut."""
    wanted = [set(column) for column in zip(*points, strict=True)]
    common, seen = None, set()
    for table in product(product(*wanted), repeat=len(points)):
        key = tuple(sorted(zip(table, values, strict=True)))
        if key in seen or [set(column) for column in zip(*table, strict=True)] != wanted:
            continue
        seen.add(key)
        if not is_cut(table, values, least, meets):
            common = set(table) if common is None else common & set(table)
    return common


def is_cut(table, values, least, meets):
    """Whether the method cuts a class."""
    columns = zip(*table, strict=True)
    coded = [[sorted(set(column)).index(label) for label in column] for column in columns]
    return len(mondrian(list(zip(*coded, strict=True)), values, least, meets)) > 1
