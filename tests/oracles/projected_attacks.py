"""Attacks on projected tables by going through everybody; imports nothing of Papilio."""

from __future__ import annotations

import itertools
import math


def background_join(people, rows, covers, known, wanted):
    """Mean chances before and after, and for whom the wanted value is newly certain.

    ``people`` and ``rows`` are dictionaries; ``covers(row, person)`` says whether a row may be
    somebody's.
    """
    before, after, newly = [], [], []
    for person in people:
        mine = [row for row in rows if covers(row, person)]
        left = [row for row in mine if row[known] == person[known]]
        before.append(_share(mine, wanted, person[wanted]))
        after.append(_share(left, wanted, person[wanted]))
        newly.append(after[-1] == 1 and before[-1] < 1)
    return sum(before) / len(people), sum(after) / len(people), newly


def _share(rows, column, value):
    return sum(row[column] == value for row in rows) / len(rows)


def cross_tables(person, tables, covers, sensitive, allowed):
    """Values that a person may have, by each table alone and by rows of all that go together.

    ``allowed`` has for two columns the pairs of values that go together.
    """
    mine = [[row for row in rows if covers(row, person)] for rows in tables]
    worlds = [
        world
        for world in itertools.product(*mine)
        if all(
            (one[a], other[b]) in pairs
            for (a, b), pairs in allowed.items()
            for one in world
            if a in one
            for other in world
            if b in other
        )
    ]
    before, after = {}, {}
    for at, columns in enumerate(sensitive):
        for column in columns:
            before[column] = {row[column] for row in mine[at]}
            after[column] = {world[at][column] for world in worlds}
    return before, after


def intersection(people, tables, covers, sensitive):
    """Least number of joined rows, surest value of anybody, people with one, chance of all."""
    joined, surest, whole = [], [], []
    for person in people:
        mine = [[row for row in rows if covers(row, person)] for rows in tables]
        joined.append(math.prod(map(len, mine)))
        shares = [
            max(_share(rows, column, row[column]) for row in rows)
            for rows, columns in zip(mine, sensitive, strict=True)
            for column in columns
        ]
        surest.append(max(shares))
        whole.append(
            math.prod(
                sum(all(row[c] == person[c] for c in columns) for row in rows) / len(rows)
                for rows, columns in zip(mine, sensitive, strict=True)
            )
        )
    certain = sum(each == 1 for each in surest)
    return min(joined), max(surest), certain, sum(whole) / len(people)
