"""Whether lines of a release tell whose they are, for graphs, groups, links and tables.

What the lines of a release could follow, from the release alone: generalised and projected.

Lines stand class by class: classes in random order, lines in random order inside a class, in every
table by itself. If they do not stand class by class, no line has a place of its own, and all of
them together must be in random order.

What the lines of people and values could follow, from the release alone: permuted, disguised.

Lines of a group stand in random order, in both tables by themselves. If they did in both alike,
people would stand beside their values.

What the lines and numbers of a released graph could follow, from the release alone.

Entities stand in random order, and nodes have random numbers. Tables of nodes and edges stand in
the order of these numbers, so their lines say nothing of their own.

What the lines and keys of linked tables could follow, from the release alone.

Lines of each table stand in random order, and keys are numbers drawn by chance. So neither line nor
key goes with anything else, nor do lines and keys of one table go with those of another.

Whether the order of lines says anything: sequences of keys, looked at as chance would have them.

Whoever publishes draws the order of lines by chance. So given what a release says anyway, namely
which lines belong to one block, all orders of a block are equally likely, and no column, no other
table and no row number of the source goes with them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from papilio.verify.graph import Parts, Side, parts_of
from papilio.verify.group_tables import group_names
from papilio.verify.line_chance import Ints, least_chance, neighbour_chance, trend_chance
from papilio.verify.lines import LOOKED_AT, Lines, classes_of, read_lines, stand_together, starts_of
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, finding

#: Chance that an honest release is found wanting, for one finding; a release has two at most.
FALSE_ALARM = 5e-10
#: What is demanded of every order.
SAYS_NOTHING = "says nothing"
_TOO_FEW = "too few lines to tell"
#: Of so many sequences a finding tells what they follow.
_TOLD = 3


@dataclass(frozen=True, eq=False)
class Sequence:
    """Lines, and something that their order could follow.

    Attributes
    ----------
    about
        What is looked at, as in "the order follows …"; holds names but no values.
    block
        Lines whose orders are all equally likely have the same number.
    place
        Where each line stands; no place twice in a block.
    key
        What the order could follow; equal keys say nothing.
    """

    about: str
    block: Ints
    place: Ints
    key: Ints


def check_lines(claim: str, sequences: Iterable[Sequence]) -> Finding:
    """Check that none of some sequences follows its keys.

    An honest release is found wanting with a chance of at most :data:`FALSE_ALARM`: each sequence
    is looked at twice, for a trend and for neighbours that are alike, and each of these has its
    share of that (Bonferroni). The chances are bounds, so this holds for all sizes. What follows
    something in part only, by less than about 7 standard deviations, is not noticed; nor is, from
    the release alone, one order in two tables whose columns have nothing to do with each other.

    Parameters
    ----------
    claim
        Name of the finding.
    sequences
        What to look at.

    Notes
    -----
    If no order of so few lines could be told from chance, the finding holds and says so.
    Cost: O(n log n) for each sequence of n lines.
    """
    measured = [_measure(each) for each in sequences]
    limit = math.log(FALSE_ALARM) - math.log(2 * max(1, len(measured)))
    telling = sorted((chance, about) for about, chance, _, _ in measured if chance < limit)
    if telling:
        named = "; ".join(about for _, about in telling[:_TOLD])
        more = f"; and {len(telling) - _TOLD} more" if len(telling) > _TOLD else ""
        return finding(claim, SAYS_NOTHING, f"follows {named}{more}", holds=False)
    able = [lines for _, _, least, lines in measured if least < limit]
    if not able:
        return finding(claim, SAYS_NOTHING, _TOO_FEW, holds=True)
    return finding(claim, SAYS_NOTHING, f"nothing in {max(able)} lines", holds=True)


def _measure(sequence: Sequence) -> tuple[str, float, float, int]:
    """What a sequence is about, its chance, the least it could have, and its lines."""
    order = np.lexsort((sequence.place, sequence.block))
    block, key = sequence.block[order], sequence.key[order]
    if len(key) < 2:
        return sequence.about, 0.0, 0.0, len(key)
    ranks: Ints = np.unique(key, return_inverse=True)[1].astype(np.int64)
    chance = min(trend_chance(block, ranks), neighbour_chance(block, ranks))
    return sequence.about, chance, least_chance(block, ranks), len(key)


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


def graph_sequences(opened: Opened) -> Iterator[Sequence]:
    """Sequences of entities, of nodes, and of both inside groups."""
    (claim,) = [each for each in opened.manifest.claims if each.claim == "safe-grouping"]
    parts = parts_of(opened.manifest, claim)
    if parts is None:
        return
    for side, name in ((parts.left, "left"), (parts.right, "right")):
        entities = read_lines(opened, claim.parameters[name])
        nodes = read_lines(opened, f"{claim.parameters[name]}_nodes")
        yield from _entities(entities)
        yield from _nodes(entities, nodes, _known_of_nodes(opened, parts, side, nodes))


def unordered_tables(opened: Opened) -> list[str]:
    """Tables of nodes and edges that do not stand in the order of their numbers."""
    (claim,) = [each for each in opened.manifest.claims if each.claim == "safe-grouping"]
    wanted = {claim.table: claim.columns}
    wanted |= {f"{claim.parameters[side]}_nodes": ("node",) for side in ("left", "right")}
    return [
        f"'{table}' does not stand in the order of its numbers"
        for table, columns in wanted.items()
        if not _ascending([read_lines(opened, table).ranks(each) for each in columns])
    ]


def _ascending(ranks: list[Ints]) -> bool:
    order = np.lexsort(tuple(reversed(ranks)))
    return bool((order == np.arange(len(order))).all())


def group_of(lines: Lines) -> Ints:
    """Group of each line."""
    return lines.frame.get_column("group").to_numpy().astype(np.int64)


def _entities(lines: Lines) -> Iterator[Sequence]:
    for column in lines.table.columns:
        about = f"'{column.name}' of '{lines.table.name}'"
        yield Sequence(about, lines.none, lines.place, lines.ranks(column.published[0]))


def _known_of_nodes(opened: Opened, parts: Parts, side: Side, nodes: Lines) -> dict[str, Ints]:
    """Degree of the first nodes, and the rank of the mean number of their neighbours."""
    node, degree, mean = opened.arrays(
        f"SELECT {side.end}, count(*), avg({side.other}) FROM {parts.edges} "
        f"WHERE {side.end} < {LOOKED_AT} GROUP BY {side.end}"
    )
    node = np.asarray(node, np.int64)
    place = np.zeros(LOOKED_AT, np.int64)
    numbers = nodes.frame.get_column("node").to_numpy().astype(np.int64)
    known = {}
    for name, values in (("degree", degree), ("neighbours", mean)):
        place[:] = 0
        place[node] = np.unique(values, return_inverse=True)[1] + 1
        known[name] = place[numbers]
    return known


def _nodes(entities: Lines, nodes: Lines, known: dict[str, Ints]) -> Iterator[Sequence]:
    name = nodes.table.name
    number = nodes.ranks("node")
    for what, key in {**known, "group": group_of(nodes)}.items():
        yield Sequence(f"{what} by the numbers of '{name}'", nodes.none, number, key)
    places = (places_in(group_of(entities)), places_in(group_of(nodes)[np.argsort(number)]))
    _, left, right = np.intersect1d(*places, assume_unique=True, return_indices=True)
    beside = np.argsort(number)[right]
    for column in entities.columns("quasi", "sensitive", "plain"):
        place = by(entities.ranks(column.published[0])[left])
        for what, key in known.items():
            about = f"'{column.name}' of '{entities.table.name}' in '{name}' ({what})"
            yield Sequence(about, group_of(entities)[left], place, key[beside])


def linked_sequences(opened: Opened) -> Iterator[Sequence]:
    """Sequences by line and by key, table by table, and lines by those of the table above."""
    for table in opened.manifest.tables:
        lines = read_lines(opened, table.name)
        yield from _by_line(lines)
        if table.key is not None:
            yield from _by_key(lines, table.key)
        if table.parent is not None:
            ((above, column),) = table.parent.items()
            yield from _by_parent(lines, column, read_lines(opened, above))


def _by_line(lines: Lines) -> Iterator[Sequence]:
    for column in lines.table.columns:
        about = f"'{column.name}' of '{lines.table.name}'"
        yield Sequence(about, lines.none, lines.place, lines.ranks(column.published[0]))


def _by_key(lines: Lines, key: str) -> Iterator[Sequence]:
    numbers = lines.ranks(key)
    for column in lines.table.columns:
        if column.role != "key":
            about = f"'{column.name}' by the keys of '{lines.table.name}'"
            yield Sequence(about, lines.none, numbers, lines.ranks(column.published[0]))


def _by_parent(lines: Lines, column: str, above: Lines) -> Iterator[Sequence]:
    """Lines by the lines above them, as far as those are among the first."""
    if above.table.key is None:
        return
    line = _line_of(above.frame.get_column(above.table.key).to_numpy().astype(np.int64))
    parent = lines.frame.get_column(column).to_numpy().astype(np.int64)
    place = line[np.minimum(parent, len(line) - 1)]
    known = np.flatnonzero(place >= 0)
    about = f"lines of '{above.table.name}' in '{lines.table.name}'"
    yield Sequence(about, lines.none[known], lines.place[known], place[known])


def _line_of(keys: Ints) -> Ints:
    """Line of each key; -1 for keys that are not there, the last number among them."""
    found = np.full(int(keys.max(initial=0)) + 2, -1, np.int64)
    found[keys] = np.arange(len(keys))
    return found
