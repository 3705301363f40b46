"""Tiny permuted and disguised releases made at random, for attacks on them.

Not by a method: any people, groups and cells that the format allows, so that attacks see more than
methods would make.
"""

import random
from types import SimpleNamespace

import polars as pl

from papilio.attack.group_reading import GROUP, HIGH, KNOWN, LOW, MANY, GroupReading

#: Leaves of the tree of ranges, and its nodes as (first, last).
LEAVES = (10, 20, 25, 40)
NODES = [(0, 0), (1, 1), (2, 2), (3, 3), (0, 1), (2, 3), (0, 3)]


def tiny(seed, *, ranges, most=5):
    """People in groups: as a reading, and as plain rows and cells for an oracle."""
    draw = random.Random(seed)
    sizes = [draw.randrange(1, 4) for _ in range(draw.randrange(1, 4))]
    while sum(sizes) > most:
        sizes.pop()
    sizes = sizes or [1]
    kinds = draw.choice((1, 2, 6))
    rows = [(draw.randrange(kinds), g) for g, size in enumerate(sizes, 1) for _ in range(size)]
    few = draw.choice((1, 2, 4))
    cells = {
        g: [_cell(draw, few, ranges) for _ in range(size + (ranges and draw.random() < 0.2))]
        for g, size in enumerate(sizes, 1)
    }
    return SimpleNamespace(rows=rows, cells=cells, reading=reading_of(rows, cells))


def _cell(draw, few, ranges):
    if not ranges:
        return (draw.choice([*LEAVES[:few], None]) if draw.random() < 0.5 else LEAVES[0],)
    first, last = draw.choice(NODES[:few]) if draw.random() < 0.7 else draw.choice(NODES)
    return LEAVES[first : last + 1]


def reading_of(rows, cells):
    """A reading of plain rows and cells."""
    people = pl.DataFrame(rows, schema={KNOWN: pl.Int64, GROUP: pl.Int64}, orient="row")
    lines = [(g, cell[0], cell[-1]) for g, of_group in cells.items() for cell in of_group]
    schema = {GROUP: pl.Int64, LOW: pl.Int64, HIGH: pl.Int64}
    shown = pl.DataFrame(lines, schema=schema, orient="row")
    return GroupReading(
        "pay",
        people.group_by(KNOWN, GROUP).len(MANY).sort(KNOWN, GROUP),
        shown.group_by(GROUP, LOW, HIGH).len(MANY).sort(GROUP, LOW, HIGH),
    )
