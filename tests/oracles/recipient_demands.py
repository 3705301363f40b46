"""What one recipient sees, from cells as sets of values; imports nothing of Papilio."""

from collections import defaultdict
from itertools import permutations


def classes(cells, known):
    """Rows with equal cells on what somebody knows."""
    found = defaultdict(list)
    for row in cells:
        found[tuple(frozenset(row[name]) for name in known)].append(row)
    return list(found.values())


def values_left(cells, known, column):
    """Fewest different values of a column that the cells of a class allow."""
    return min(len(set().union(*(row[column] for row in rows))) for rows in classes(cells, known))


def smallest(cells, known):
    """Rows of the smallest class."""
    return min(map(len, classes(cells, known)))


def fits(person, row, known):
    """Whether a row covers what is known of a person; an empty cell says nothing."""
    return all(person[name] is None or person[name] in row[name] for name in known)


def meet(one, other, columns):
    """Whether two rows have a value in common on each of some columns."""
    return all(set(one[name]) & set(other[name]) for name in columns)


def pairings(first, second, columns):
    """All ways to pair off the rows of two releases so that the cells of each pair meet."""
    for order in permutations(range(len(second))):
        if all(meet(first[row], second[order[row]], columns) for row in range(len(first))):
            yield order


def pairs_in_matchings(count, allowed):
    """Pairs that belong to some perfect matching of allowed pairs."""
    found = set()
    for order in permutations(range(count)):
        pairs = set(enumerate(order))
        if pairs <= allowed:
            found |= pairs
    return found
