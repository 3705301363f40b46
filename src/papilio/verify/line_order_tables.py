"""What the lines of a release could follow, from the release alone: generalised and projected.

Lines stand class by class: classes in random order, lines in random order inside a class, in every
table by itself. If they do not stand class by class, no line has a place of its own, and all of
them together must be in random order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from papilio.verify.line_chance import Ints
from papilio.verify.line_order import Sequence
from papilio.verify.lines import Lines, classes_of, read_lines, stand_together, starts_of
from papilio.verify.opened import Opened

#: Most columns of a table that are compared with columns of another.
COMPARED = 8
#: Most tables that are compared with one another.
TABLES = 8


def generalised_sequences(opened: Opened) -> Iterator[Sequence]:
    """Sequences of each table by itself."""
    for table in opened.manifest.tables:
        yield from table_sequences(read_lines(opened, table.name))


def projected_sequences(opened: Opened) -> Iterator[Sequence]:
    """Sequences of each table by itself and of every two."""
    yield from generalised_sequences(opened)
    tables = [read_lines(opened, table.name) for table in opened.manifest.tables[:TABLES]]
    for one, other in combinations(tables, 2):
        yield from pair_sequences(one, other)


def table_sequences(lines: Lines) -> Iterator[Sequence]:
    """Columns that the lines of a table could follow inside classes, and classes among them."""
    name, classes = lines.table.name, classes_of(lines)
    if not lines.frame.height:
        return
    if not stand_together(classes):
        for column in lines.columns("quasi", "sensitive", "plain"):
            about = f"'{column.name}' of '{name}', not class by class"
            yield Sequence(about, lines.none, lines.place, lines.ranks(column.published[0]))
        return
    for column in lines.columns("sensitive", "plain"):
        about = f"'{column.name}' inside the classes of '{name}'"
        yield Sequence(about, classes, lines.place, lines.ranks(column.published[0]))
    starts = whole_classes(lines, classes)[0]
    for column in lines.columns("quasi"):
        about = f"'{column.name}' from class to class of '{name}'"
        key = lines.ranks(column.published[0])[starts]
        yield Sequence(about, np.zeros(len(starts), np.int64), starts, key)


def whole_classes(lines: Lines, classes: Ints) -> tuple[Ints, Ints]:
    """First line and size of all classes but one that may be cut off.

    That one is left out, so that given the others all their orders are equally likely.
    """
    starts = starts_of(classes)
    sizes = np.diff(starts, append=len(classes)).astype(np.int64)
    return (starts[:-1], sizes[:-1]) if lines.cut else (starts, sizes)


def pair_sequences(one: Lines, other: Lines) -> Iterator[Sequence]:
    """What lines of a table could follow of those in the same place of another."""
    height = min(one.frame.height, other.frame.height)
    if not height:
        return
    theirs = {c.name: one.ranks(c.published[0])[:height] for c in one.table.columns}
    about = f"of '{one.table.name}' in '{other.table.name}'"
    classes = classes_of(other)[:height]
    together = stand_together(classes)
    block = classes if together else other.none[:height]
    for column in other.columns("sensitive", "plain")[:COMPARED]:
        key = other.ranks(column.published[0])[:height]
        for name, ranks in list(theirs.items())[: 2 * COMPARED]:
            yield Sequence(f"'{name}' {about} ('{column.name}')", block, by(ranks), key)
    if together:
        yield from _class_pairs(theirs, other, classes, about)
        return
    for column in other.columns("quasi")[:COMPARED]:
        key = other.ranks(column.published[0])[:height]
        if column.name in theirs:
            yield Sequence(f"'{column.name}' {about}", block, by(theirs[column.name]), key)


def _class_pairs(
    theirs: dict[str, Ints], other: Lines, classes: Ints, about: str
) -> Iterator[Sequence]:
    """Quasi-identifiers of classes, by what stands in the same lines of another table.

    Places of equal length could as well be exchanged, so classes of one size are a block.
    """
    starts, sizes = whole_classes(other, classes)
    until = starts + sizes <= len(classes)
    starts, sizes = starts[until], sizes[until]
    for column in other.columns("quasi")[:COMPARED]:
        if column.name in theirs:
            key = other.ranks(column.published[0])[starts]
            mean = means(theirs[column.name], starts, sizes)
            yield Sequence(f"'{column.name}' {about}, class by class", sizes, by(mean), key)


def means(values: Ints, starts: Ints, sizes: Ints) -> Ints:
    """Rank of the means of some stretches of lines."""
    until = np.concatenate([[0], np.cumsum(values)])
    mean = (until[starts + sizes] - until[starts]) / np.maximum(1, sizes)
    return np.unique(mean, return_inverse=True)[1].astype(np.int64)


def by(ranks: Ints) -> Ints:
    """Places of lines in the order of something else; equal ones stay in their order."""
    place = np.empty(len(ranks), np.int64)
    place[np.argsort(ranks, kind="stable")] = np.arange(len(ranks))
    return place
