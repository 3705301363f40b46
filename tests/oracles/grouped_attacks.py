"""Attacks on values in groups, by looking at every world that fits. Imports nothing of Papilio.

``rows`` are the published people: (known, group). ``cells`` maps a group to its cells, each a tuple
of the values it allows; a missing value is ``(None,)``. A world says of each person, in the order
of ``rows``, which row is theirs and which value they have.
"""

from fractions import Fraction
from itertools import combinations, permutations, product


def worlds(rows, cells):
    """All worlds: people who are alike may change places, cells are dealt out, values chosen."""
    places = [
        order
        for order in permutations(range(len(rows)))
        if all(rows[place][0] == rows[person][0] for person, place in enumerate(order))
    ]
    groups = sorted({group for _, group in rows})
    members = {g: [row for row, (_, group) in enumerate(rows) if group == g] for g in groups}
    dealt = [list(permutations(cells[g], len(members[g]))) for g in groups]
    for deal in product(*dealt):
        cell_of = {
            row: cell
            for g, dealt_cells in zip(groups, deal, strict=True)
            for row, cell in zip(members[g], dealt_cells, strict=True)
        }
        for values in product(*(cell_of[row] for row in range(len(rows)))):
            for order in places:
                yield [values[place] for place in order]


def certain(rows, cells):
    """People who have the same value in every world."""
    seen = [set() for _ in rows]
    for world in worlds(rows, cells):
        for person, value in enumerate(world):
            seen[person].add(value)
    return sum(len(values) == 1 for values in seen)


def cell_worlds(rows, cells):
    """The cell of each person, in all worlds; values inside ranges are left open."""
    whole = {group: [(cell,) for cell in of_group] for group, of_group in cells.items()}
    yield from worlds(rows, whole)


def best_windows(rows, cells, width):
    """Of each person, the largest share of worlds in which one window holds their cell."""
    seen = [[] for _ in rows]
    for world in cell_worlds(rows, cells):
        for person, cell in enumerate(world):
            seen[person].append(cell)
    ends = {value for of_group in cells.values() for cell in of_group for value in cell}
    starts = [value for value in ends if value is not None] or [0]
    return [max(_held(of_person, low, low + width) for low in starts) for of_person in seen]


def _held(cells, low, high):
    inside = [None not in cell and low <= min(cell) and max(cell) <= high for cell in cells]
    return Fraction(sum(inside), len(cells))


def rows_that_open(values, k, e):
    """Fewest rows of a group without which fewer than k values, or less than e, are left."""
    for number in range(len(values) + 1):
        for gone in combinations(range(len(values)), number):
            left = [v for at, v in enumerate(values) if at not in gone and v is not None]
            if len(set(left)) < k or max(left) - min(left) < e:
                return number
    raise AssertionError("k is at least 1")


def most_in_a_window(values, width):
    """Most of a group's values that one window holds, and how many values it has."""
    known = [value for value in values if value is not None]
    return max(sum(low <= v <= low + width for v in known) for low in known), len(known)
