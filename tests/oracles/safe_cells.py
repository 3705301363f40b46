"""Cells of one class, what they prove, and the rule that keeps them from it, by trying everything.

Values are codes. A column is ``("range", positions)``, ``("set", size)`` or ``("tree", nodes)``
with the sets of leaves of all nodes; a row has a code for each column. Nothing here knows a proof:
every table that could be there is written down.
"""

from fractions import Fraction
from itertools import combinations_with_replacement, product


def size(column):
    kind, said = column
    return said if kind == "set" else len(said) if kind == "range" else len(max(said, key=len))


def smallest(column, values):
    """The smallest cell that covers some values."""
    kind, said = column
    if kind == "range":
        return min(values), max(values)
    if kind == "set":
        return frozenset(values)
    return min((node for node in said if set(values) <= node), key=len)


def price(column, values):
    """Share of the domain that the smallest cell covers."""
    kind, said = column
    cell = smallest(column, values)
    if kind == "range":
        return Fraction(said[cell[1]] - said[cell[0]], said[-1] - said[0])
    return Fraction(len(cell) - 1, size(column) - 1)


def smallest_cells(rows, columns):
    return tuple(smallest(c, {row[i] for row in rows}) for i, c in enumerate(columns))


def tight_releases(rows, columns, _known=None):
    """What the smallest cells may be: one thing."""
    return {smallest_cells(rows, columns)}


def safe_releases(rows, columns, known=None):
    """What the rule may publish of a class: the cells with each cheapest further value.

    ``known`` are the values of each column that may be invented; all, if it is left out.
    """
    held = [{row[i] for row in rows} for i in range(len(columns))]
    if sum(len(values) > 1 for values in held) != 1:
        return {smallest_cells(rows, columns)}
    known = known or [range(size(column)) for column in columns]
    options = [
        (price(column, {*values, more}), i, more)
        for i, (column, values) in enumerate(zip(columns, held, strict=True))
        if len(values) == 1
        for more in known[i]
        if more not in values
    ]
    least = min((cost for cost, _, _ in options), default=None)
    found = set()
    for cost, i, more in options:
        if cost == least:
            row = list(rows[0])
            row[i] = more
            found.add(smallest_cells([*rows, tuple(row)], columns))
    return found


def classes(columns, n):
    """Every class of n rows."""
    return combinations_with_replacement(list(product(*(range(size(c)) for c in columns))), n)


def certain_rows(columns, n, releases):
    """By release of a class of n rows, the rows that every class has that may lead to it."""
    certain = {}
    for rows in classes(columns, n):
        for release in releases(rows, columns):
            certain[release] = certain.get(release, set(rows)) & set(rows)
    return certain


def certain_in_tables(columns, sizes, releases):
    """The same of tables of several classes, whose invented values occur in the table."""
    certain = {}
    for table in product(*(list(classes(columns, n)) for n in sizes)):
        rows = {row for part in table for row in part}
        known = [{row[i] for row in rows} for i in range(len(columns))]
        if sum(len(values) > 1 for values in known) < 2:
            continue  # refused
        for release in product(*(releases(part, columns, known) for part in table)):
            certain[release] = certain.get(release, rows) & rows
    return certain


def is_one(column, cell):
    """Whether a cell allows one value."""
    return cell[0] == cell[1] if column[0] == "range" else len(cell) == 1
