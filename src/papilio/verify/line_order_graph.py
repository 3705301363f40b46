"""What the lines and numbers of a released graph could follow, from the release alone.

Entities stand in random order, and nodes have random numbers. Tables of nodes and edges stand in
the order of these numbers, so their lines say nothing of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from papilio.verify.graph_parts import Parts, Side, parts_of
from papilio.verify.line_chance import Ints
from papilio.verify.line_order import Sequence
from papilio.verify.line_order_groups import places_in
from papilio.verify.line_order_tables import by
from papilio.verify.lines import LOOKED_AT, Lines, read_lines
from papilio.verify.opened import Opened


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
