"""Whether the order of lines follows the order of the source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.verify.line_chance import Ints
from papilio.verify.line_order_kinds import (
    TABLES,
    Sequence,
    by,
    check_lines,
    groups_of,
    means,
    places_in,
    whole_classes,
)
from papilio.verify.lines import Lines, classes_of, read_lines, stand_together
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding

SOURCE = "order of the source"

#: Per table, where in the source what stands in each line comes from; negative if nobody knows.
Sources: TypeAlias = Mapping[str, NDArray[np.integer[Any]]]


def check_arrival(opened: Opened, sources: Sources) -> Finding:
    """Check that lines of groups do not follow the order in which an engine brought their rows.

    As :func:`papilio.verify.kinds.check_source_order`, for permuted and disguised releases. Groups
    themselves are not looked at: an engine may bring the rows of one group after those of another,
    which it knows by their numbers, and which says nothing of the source.
    """
    return check_lines(SOURCE, (_inside(*each) for each in _known(opened, sources)))


def _inside(lines: Lines, numbers: Ints) -> Sequence:
    about = f"the source inside groups of '{lines.table.name}'"
    return _sequence(about, groups_of(lines), lines.place, numbers)


def _known(opened: Opened, sources: Sources) -> Iterator[tuple[Lines, Ints]]:
    """Lines of all tables whose source is known, and a number for each, -1 if it has none."""
    for table in opened.manifest.tables:
        if table.name in sources:
            lines = read_lines(opened, table.name)
            numbers = np.asarray(sources[table.name], np.int64)[: lines.frame.height]
            yield Lines(table, lines.frame[: len(numbers)]), numbers


def _sequence(about: str, block: Ints, place: Ints, key: Ints) -> Sequence:
    """Leave out what has no source."""
    known = np.flatnonzero(key >= 0)
    return Sequence(about, block[known], place[known], key[known])


def of_tables(opened: Opened, sources: Sources) -> Iterator[Sequence]:
    """Lines, and classes of lines, of tables whose classes stand together."""
    known = list(_known(opened, sources))
    for lines, numbers in known:
        yield from _of_table(lines, numbers)
    for (one, theirs), (other, ours) in combinations(known[:TABLES], 2):
        yield from _of_pair(one, theirs, other, ours)


def _of_table(lines: Lines, numbers: Ints) -> Iterator[Sequence]:
    name, classes = lines.table.name, classes_of(lines)
    if not len(classes) or not stand_together(classes):
        about = f"the source in '{name}', not class by class"
        yield _sequence(about, lines.none, lines.place, numbers)
        return
    yield _sequence(f"the source inside classes of '{name}'", classes, lines.place, numbers)
    starts, sizes = whole_classes(lines, classes)
    mean = means(numbers, starts, sizes)
    about = f"the source from class to class of '{name}'"
    yield _sequence(about, np.zeros(len(starts), np.int64), starts, mean)


def _of_pair(one: Lines, theirs: Ints, other: Lines, ours: Ints) -> Iterator[Sequence]:
    """People by where they stand in another table."""
    height = min(len(theirs), len(ours))
    about = f"people of '{one.table.name}' in '{other.table.name}'"
    classes = classes_of(other)[:height]
    together = bool(height) and stand_together(classes)
    block = classes if together else np.zeros(height, np.int64)
    yield _sequence(about, block, by(theirs[:height]), ours[:height])
    if together:
        starts, sizes = whole_classes(other, classes_of(other))
        inside = starts + sizes <= height
        starts, sizes = starts[inside], sizes[inside]
        place, key = by(means(theirs, starts, sizes)), means(ours, starts, sizes)
        yield _sequence(f"{about}, class by class", sizes, place, key)


def of_groups(opened: Opened, sources: Sources) -> Iterator[Sequence]:
    """Lines inside groups, and groups, of permuted and disguised releases."""
    known = list(_known(opened, sources))
    for lines, numbers in known:
        group, name = groups_of(lines), lines.table.name
        yield _inside(lines, numbers)
        number, which, size = np.unique(group, return_inverse=True, return_counts=True)
        mean = _ranks(np.bincount(which, numbers) / size)
        # As with classes, the last may be cut off.
        whole = number[:-1] if lines.cut else number
        about = f"the source from group to group of '{name}'"
        yield Sequence(about, _parts(opened, whole), whole, mean[: len(whole)])
    for (one, theirs), (other, ours) in combinations(known, 2):
        about = f"people of '{one.table.name}' in '{other.table.name}'"
        yield _beside(about, (groups_of(one), theirs), (groups_of(other), ours))


def _ranks(values: NDArray[np.float64]) -> Ints:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _parts(opened: Opened, groups: Ints) -> Ints:
    """Part of each group of a disguised release; groups are numbered at random inside a part."""
    for claim in opened.manifest.claims:
        if "parts" in claim.parameters:
            last = [int(part["groups"][1]) for part in claim.parameters["parts"]]
            return np.searchsorted(np.array(last), groups).astype(np.int64)
    return np.zeros(len(groups), np.int64)


def _beside(about: str, one: tuple[Ints, Ints], other: tuple[Ints, Ints]) -> Sequence:
    """What stands in the same place of a group in two tables."""
    _, left, right = np.intersect1d(
        places_in(one[0]), places_in(other[0]), assume_unique=True, return_indices=True
    )
    return _sequence(about, one[0][left], by(one[1][left]), other[1][right])


def of_links(opened: Opened, sources: Sources) -> Iterator[Sequence]:
    """Lines and keys of linked tables."""
    for lines, numbers in _known(opened, sources):
        name = lines.table.name
        yield _sequence(f"the source in '{name}'", lines.none, lines.place, numbers)
        if lines.table.key is not None:
            place = lines.ranks(lines.table.key)
            yield _sequence(f"the source by the keys of '{name}'", lines.none, place, numbers)


def of_graph(opened: Opened, sources: Sources) -> Iterator[Sequence]:
    """Entities, and entities beside nodes, of a graph."""
    known = {lines.table.name: (lines, numbers) for lines, numbers in _known(opened, sources)}
    for name, (lines, numbers) in known.items():
        yield _sequence(f"the source in '{name}'", lines.none, lines.place, numbers)
        if f"{name}_nodes" in known:
            nodes, theirs = known[f"{name}_nodes"]
            group = [each.ranks("group") for each in (lines, nodes)]
            about = f"entities of '{name}' in '{name}_nodes'"
            yield _beside(about, (group[0], numbers), (group[1], theirs))
