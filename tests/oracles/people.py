"""Requirements over people, slow and plain. Imports nothing of Papilio.

A class is a list of rows (person, value); the table is such a list too. ``holds`` is a requirement
on a list of values.
"""

from collections import Counter
from itertools import product


def k_over_people(rows, k):
    """No person owns more than one row in k."""
    counts = Counter(person for person, _ in rows)
    return len(rows) >= k and all(k * count <= len(rows) for count in counts.values())


def over_people(rows, table, holds):
    """The requirement holds for the class, and without each person who has several rows."""
    if not holds([value for _, value in rows]):
        return False
    counts = Counter(person for person, _ in table)
    for repeated in (person for person, count in counts.items() if count > 1):
        left = [value for person, value in rows if person != repeated]
        if left and not holds(left):
            return False
    return True


def partitions(items):
    """All ways to divide a list into classes."""
    if not items:
        yield []
        return
    first, *rest = items
    for smaller in partitions(rest):
        for place, part in enumerate(smaller):
            yield [*smaller[:place], [first, *part], *smaller[place + 1 :]]
        yield [[first], *smaller]


def least_loss(points, meets, width):
    """Loss of the best division of the rows into classes, each of which meets the demand.

    ``points`` are the rows' numbers; the loss of a class is its rows times what ``width`` says.
    """
    best = None
    for division in partitions(list(range(len(points)))):
        if all(meets(part) for part in division):
            loss = sum(len(part) * width([points[row] for row in part]) for part in division)
            best = loss if best is None else min(best, loss)
    return best


def tables(people, rows):
    """All ways in which so many rows can belong to so many people."""
    return product(range(people), repeat=rows)
