"""A released graph beside its original: the same entities, the same structure, possible groups.

Structure is compared by signatures: a node's signature begins with its degree and takes in, step by
step, the signatures of its neighbours (Zhang, 4.5). Equal graphs have equal signatures;
that graphs with equal signatures are equal is not checked, nor which node an entity is, which no
release of this kind tells.
"""

from __future__ import annotations

from collections.abc import Iterator

from papilio.verify import sql
from papilio.verify.graph_parts import Parts, Side
from papilio.verify.opened import WORK, Opened
from papilio.verify.verdict import Finding, finding

#: Steps of signatures; more tell hardly more (Zhang, Figure 4.9).
_STEPS = 3


def check_graph_original(opened: Opened, parts: Parts, original: str) -> Iterator[Finding]:
    """Compare a released graph with its original.

    Parameters
    ----------
    opened, parts
        The release.
    original
        The views ``<original> left`` and ``<original> right`` hold the attributes and the number
        ``papilio entity`` of each entity, ``<original> edges`` the numbers ``left`` and ``right``.
    """
    released = {side.label: _released_edges(parts, side) for side in (parts.left, parts.right)}
    _signatures(opened, "released", released, {"k": parts.left.nodes, "l": parts.right.nodes})
    numbers = {
        label: f'(SELECT "papilio entity" AS node FROM {sql.name(f"{original} {part}")})'
        for label, part in (("k", "left"), ("l", "right"))
    }
    edges = sql.name(f"{original} edges")
    truth = {
        "k": f'(SELECT "left" AS this, "right" AS that FROM {edges})',
        "l": f'(SELECT "right" AS this, "left" AS that FROM {edges})',
    }
    _signatures(opened, "true", truth, numbers)
    yield _entities(opened, parts, original)
    yield _structure(opened)
    yield _assignment(opened, parts, original)


def _released_edges(parts: Parts, side: Side) -> str:
    return f"(SELECT {side.end} AS this, {side.other} AS that FROM {parts.edges})"


def _signatures(opened: Opened, name: str, edges: dict[str, str], nodes: dict[str, str]) -> None:
    """Make tables ``<name>_k`` and ``<name>_l`` with the signature of each node."""
    for label in ("k", "l"):
        opened.execute(
            f"CREATE OR REPLACE TABLE {WORK}.{name}_{label} AS SELECT n.node, "
            f"count(e.this)::HUGEINT AS signature FROM {nodes[label]} AS n LEFT JOIN "
            f"{edges[label]} AS e ON n.node = e.this GROUP BY n.node"
        )
    for _ in range(_STEPS):
        for label, other in (("k", "l"), ("l", "k")):
            # A sum of hashes does not depend on the order of the neighbours.
            opened.execute(
                f"CREATE OR REPLACE TABLE {WORK}.{name}_{label}_next AS SELECT n.node, "
                "hash(n.signature, coalesce(sum(hash(o.signature)::HUGEINT), 0))::HUGEINT AS "
                f"signature FROM {WORK}.{name}_{label} AS n LEFT JOIN {edges[label]} AS e "
                f"ON n.node = e.this LEFT JOIN {WORK}.{name}_{other} AS o ON e.that = o.node "
                "GROUP BY n.node, n.signature"
            )
        for label in ("k", "l"):
            opened.execute(
                f"CREATE OR REPLACE TABLE {WORK}.{name}_{label} AS "
                f"SELECT * FROM {WORK}.{name}_{label}_next"
            )


def _entities(opened: Opened, parts: Parts, original: str) -> Finding:
    """The entities of the release are those of the original, with their attributes."""
    different = 0
    for side, part in ((parts.left, "left"), (parts.right, "right")):
        columns = sql.names(side.attributes) + ", " if side.attributes else ""
        known = set(opened.types(f"{original} {part}"))
        if not set(side.attributes) <= known:
            return finding(
                "entities", "those of the original", "other columns than the policy has", False
            )
        there = f"SELECT {columns}1 AS one FROM {side.entities}"
        here = f"SELECT {columns}1 AS one FROM {sql.name(f'{original} {part}')}"
        (count,) = opened.row(
            f"SELECT (SELECT count(*) FROM ({there} EXCEPT ALL {here})) + "
            f"(SELECT count(*) FROM ({here} EXCEPT ALL {there}))"
        )
        different += count
    text = f"{different} differ" if different else "the same"
    return finding("entities", "those of the original", text, not different)


def _structure(opened: Opened) -> Finding:
    """Both graphs have the same number of nodes with each signature."""
    different = 0
    for label in ("k", "l"):
        there, here = (f"SELECT signature FROM {WORK}.{name}_{label}" for name in _BOTH)
        (count,) = opened.row(
            f"SELECT (SELECT count(*) FROM ({there} EXCEPT ALL {here})) + "
            f"(SELECT count(*) FROM ({here} EXCEPT ALL {there}))"
        )
        different += count
    text = f"{different} nodes differ" if different else "the same, as far as signatures tell"
    demanded = f"degrees and {_STEPS}-step signatures as in the original"
    return finding("structure of the original", demanded, text, not different)


_BOTH = ("released", "true")

#: Of a large graph, attributes and signatures that occur in at most so many groups are looked at.
_FEW = 8
#: Of a graph of up to so many nodes on a side, all are.
_SMALL = 20_000

#: Places that groups offer together; DuckDB's least passes over NULL.
_ROOM = "coalesce(sum(least(coalesce({}, 0), coalesce({}, 0))), 0)"


def _short(few: int) -> Iterator[str]:
    """Counts that do not fit: of entities by attributes and signature, by attributes and group."""
    rare_a = f"(SELECT a FROM {WORK}.offered GROUP BY a HAVING count(*) <= {few})"
    rare_s = f"(SELECT s FROM {WORK}.places GROUP BY s HAVING count(*) <= {few})"
    yield (
        f"SELECT count(*) FROM (SELECT t.c, {_ROOM.format('e.n', 'v.n')} AS room "
        f"FROM {WORK}.wanted AS t SEMI JOIN {rare_a} AS few ON t.a = few.a "
        f"LEFT JOIN {WORK}.offered AS e ON t.a = e.a "
        f"LEFT JOIN {WORK}.places AS v ON v.g = e.g AND v.s = t.s GROUP BY t.a, t.s, t.c) "
        "WHERE room < c"
    )
    yield (
        f"SELECT count(*) FROM (SELECT t.c, {_ROOM.format('e.n', 'v.n')} AS room "
        f"FROM {WORK}.wanted AS t SEMI JOIN {rare_s} AS few ON t.s = few.s "
        f"LEFT JOIN {WORK}.places AS v ON t.s = v.s "
        f"LEFT JOIN {WORK}.offered AS e ON v.g = e.g AND e.a = t.a GROUP BY t.a, t.s, t.c) "
        "WHERE room < c"
    )
    yield (
        f"SELECT count(*) FROM (SELECT e.n, {_ROOM.format('t.c', 'v.n')} AS room "
        f"FROM {WORK}.offered AS e SEMI JOIN {rare_a} AS few ON e.a = few.a "
        f"LEFT JOIN {WORK}.wanted AS t ON t.a = e.a "
        f"LEFT JOIN {WORK}.places AS v ON v.g = e.g AND v.s = t.s GROUP BY e.a, e.g, e.n) "
        "WHERE room < n"
    )


def _assignment(opened: Opened, parts: Parts, original: str) -> Finding:
    """Groups have room for the entities of the original: necessary conditions, by counting.

    For attributes a and a signature s that c entities of the original have together, the groups
    offer at most sum over groups of min(entities with a, nodes with s) places, which must be c or
    more; and a group has at most sum over s of min(c, nodes with s) entities with a. In large
    graphs looked at where a or s occurs in few groups: elsewhere there is room, and the sums take
    long.
    """
    astray = 0
    for side, part in ((parts.left, "left"), (parts.right, "right")):
        _count_both(opened, side, sql.name(f"{original} {part}"))
        (nodes,) = opened.row(f"SELECT count(*) FROM {side.nodes}")
        few = nodes if nodes <= _SMALL else _FEW
        astray += sum(opened.row(statement)[0] for statement in _short(few))
    text = f"{astray} counts do not fit" if astray else "possible, as far as counts tell"
    return finding("entities in groups", "each with its own node", text, not astray)


def _count_both(opened: Opened, side: Side, original: str) -> None:
    """Count the original by attributes and signature, the release by each and group."""
    cells = [f"CAST(x.{sql.name(each)} AS VARCHAR)" for each in side.attributes]
    attributes = f"row({', '.join(cells)})" if cells else "row(0)"
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.wanted AS SELECT hash({attributes}) AS a, "
        f"t.signature AS s, count(*) AS c FROM {original} AS x JOIN {WORK}.true_{side.label} AS t "
        'ON x."papilio entity" = t.node GROUP BY a, s'
    )
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.offered AS SELECT hash({attributes}) AS a, "
        f'x."group" AS g, count(*) AS n FROM {side.entities} AS x GROUP BY a, g'
    )
    opened.execute(
        f'CREATE OR REPLACE TABLE {WORK}.places AS SELECT n."group" AS g, r.signature AS s, '
        f"count(*) AS n FROM {side.nodes} AS n JOIN {WORK}.released_{side.label} AS r "
        "USING (node) GROUP BY g, s"
    )
