"""What the lines of people and values could follow, from the release alone: permuted, disguised.

Lines of a group stand in random order, in both tables by themselves. If they did in both alike,
people would stand beside their values.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from papilio.verify.group_tables import group_names
from papilio.verify.line_chance import Ints
from papilio.verify.line_order import Sequence
from papilio.verify.line_order_tables import by
from papilio.verify.lines import LOOKED_AT, Lines, read_lines
from papilio.verify.opened import Opened


def grouped_sequences(opened: Opened) -> Iterator[Sequence]:
    """Sequences of people, of values, and of both together."""
    people, values = (read_lines(opened, table.name) for table in opened.manifest.tables[:2])
    for lines in (people, values):
        for column in lines.columns("quasi", "sensitive", "plain"):
            about = f"'{column.name}' inside the groups of '{lines.table.name}'"
            key = lines.ranks(column.published[0])
            yield Sequence(about, groups_of(lines), lines.place, key)
    yield from _beside(people, values)


def groups_of(lines: Lines) -> Ints:
    """Group of each line."""
    (name,) = group_names(lines.table)
    return lines.frame.get_column(name).cast(int).to_numpy().astype(np.int64)


def beside(people: Lines, values: Lines) -> tuple[Ints, Ints]:
    """Lines of both tables that stand in the same place of the same group."""
    ours, theirs = (places_in(groups_of(lines)) for lines in (people, values))
    _, left, right = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    return left.astype(np.int64), right.astype(np.int64)


def places_in(group: Ints) -> Ints:
    """Number of each line from group and place in the group."""
    order = np.argsort(group, kind="stable")
    sorted_ = group[order]
    starts = np.flatnonzero(np.diff(sorted_, prepend=sorted_[:1] - 1))
    sizes = np.diff(starts, append=len(group))
    place = np.empty(len(group), np.int64)
    place[order] = np.arange(len(group)) - np.repeat(starts, sizes)
    return group * LOOKED_AT + place


def _beside(people: Lines, values: Lines) -> Iterator[Sequence]:
    left, right = beside(people, values)
    group = groups_of(people)[left]
    (column,) = values.columns("sensitive")
    key = values.ranks(column.published[0])[right]
    for shown in people.columns("quasi", "plain"):
        about = f"'{shown.name}' of '{people.table.name}' in '{values.table.name}'"
        yield Sequence(about, group, by(people.ranks(shown.published[0])[left]), key)
