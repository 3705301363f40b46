"""Attacks on values in groups, by looking at every world that fits. Imports nothing of Papilio.

``rows`` are the published people: (known, group). ``cells`` maps a group to its cells, each a tuple
of the values it allows; a missing value is ``(None,)``. A world says of each person, in the order
of ``rows``, which row is theirs and which value they have.
"""

from itertools import permutations, product


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
