"""Measures of loss, row by row, from published and original cells. Imports nothing of Papilio.

A published cell is ``("range", low, high, may_be_null)``, ``("set", values)`` or ``("node",
leaves)``. A domain is the list of original values of the column (``None`` is NULL), and for nodes
the number of all leaves.
"""

import math


def loss(cell, domain):
    """Share of the domain a cell covers."""
    what = cell[0]
    if what == "range":
        _, low, high, null = cell
        if low is None:
            return 0.0
        if null:
            return 1.0
        known = [value for value in domain if value is not None]
        width = max(known) - min(known)
        return (high - low) / width if width else 0.0
    size = len(set(domain)) if what == "set" else domain
    return (len(cell[1]) - 1) / (size - 1) if size > 1 else 0.0


def span(cell, domain):
    """The same on ranks in a global order, NULL first."""
    if cell[0] != "set":
        return loss(cell, domain)
    order = sorted(set(domain), key=lambda value: (value is not None, value))
    ranks = [order.index(value) for value in cell[1]]
    return (max(ranks) - min(ranks)) / (len(order) - 1) if len(order) > 1 else 0.0


def ncp(rows, domains):
    """Mean loss of all cells; ``rows`` are lists of cells."""
    cells = [loss(cell, domain) for row in rows for cell, domain in zip(row, domains, strict=True)]
    return sum(cells) / len(cells)


def uncertainty_penalty(rows, domains):
    """Sum of the spans of all cells."""
    return sum(span(cell, d) for row in rows for cell, d in zip(row, domains, strict=True))


def discernibility(keys):
    """Every row costs the number of rows with its key."""
    return sum(sum(other == key for other in keys) for key in keys)


def average_class_size(keys, k):
    """Rows per key, in units of k."""
    return len(keys) / len(set(keys)) / k


def classification(keys, labels, left_out):
    """Share of rows whose label is not their key's most frequent one, or that are left out."""
    wrong = left_out
    for key in set(keys):
        own = [label for other, label in zip(keys, labels, strict=True) if other == key]
        majority = max(own, key=own.count)
        wrong += sum(label != majority for label in own)
    return wrong / (len(keys) + left_out)


def matching_rows(rows, query):
    """Rows that may answer a query: ``rows`` are lists of sets, ``query`` is place -> value."""
    return sum(all(value in row[place] for place, value in query.items()) for row in rows)


def guess(cells, domain, left_out):
    """Rows expected for each value if each set is spread evenly; what is left out is anything."""
    every = [*cells, *[set(domain)] * left_out]
    return {v: sum(1 / len(cell) for cell in every if v in cell) / len(every) for v in domain}


def divergence(original, guessed):
    """Bits paid for believing a guess (value -> share) about a list of values."""
    shares = {value: original.count(value) / len(original) for value in original}
    return sum(share * math.log2(share / guessed[value]) for value, share in shares.items())


def gini(shares):
    """Chance that two draws differ."""
    return 1 - sum(share**2 for share in shares)
