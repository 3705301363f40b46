"""Column sets measured from their definitions, by comparing every two rows."""

from fractions import Fraction
from itertools import combinations


def measures(rows, columns):
    """Distinctness, separation, unique share and smallest group of one set of column positions."""
    projected = [tuple(row[column] for column in columns) for row in rows]
    n = len(projected)
    if n == 0:
        return 0.0, 1.0, 0.0, 0
    alike = [sum(other == row for other in projected) for row in projected]
    pairs = list(combinations(projected, 2))
    differing = sum(left != right for left, right in pairs)
    return (
        float(Fraction(len(set(projected)), n)),
        float(Fraction(differing, len(pairs))) if pairs else 1.0,
        float(Fraction(alike.count(1), n)),
        min(alike),
    )


def all_measures(rows, width, max_size):
    """The measures of every set of one to ``max_size`` of ``width`` column positions."""
    return {
        columns: measures(rows, columns)
        for size in range(1, max_size + 1)
        for columns in combinations(range(width), size)
    }


def contains_smaller_key(columns, found):
    """Whether a proper subset of the set leaves every row alone."""
    return any(
        found[subset][2] == 1.0
        for size in range(1, len(columns))
        for subset in combinations(columns, size)
    )
