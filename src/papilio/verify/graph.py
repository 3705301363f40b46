"""The content of a released graph: numbers that fit together, the claim, and the original.

Which table of a released graph is what.

The claim ``safe-grouping`` says it: it is about the table of edges, its ``columns`` are the left
and the right end of an edge, and its parameters ``left`` and ``right`` name the tables of entities.
Each of these has a table of nodes beside it, called like it with ``_nodes`` at the end.

A released graph beside its original: the same entities, the same structure, possible groups.

Structure is compared by signatures: a node's signature begins with its degree and takes in, step by
step, the signatures of its neighbours (Zhang, 4.5). Equal graphs have equal signatures;
that graphs with equal signatures are equal is not checked, nor which node an entity is, which no
release of this kind tells.

Safe (k,l)-groupings from the released tables (Zhang, Definitions 4.4.1 to 4.4.3).

Sizes are counted among the nodes of each group, and again among its entities; safety by looking
for a node whose neighbours include two of one group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from papilio.release.manifest import Claim, Manifest
from papilio.verify import sql
from papilio.verify.integrity import check_rows
from papilio.verify.opened import WORK, Opened
from papilio.verify.verdict import Finding, Status, finding

_NODES = {"node", "group"}


@dataclass(frozen=True)
class Side:
    """One side of a released graph; every name is ready for SQL.

    Attributes
    ----------
    entities, nodes
        Tables of entities and of nodes.
    end
        Column of the table of edges that holds this side's nodes.
    other
        The column with the other side's.
    size
        Least size of a group.
    label
        ``k`` or ``l``.
    attributes
        Columns of the table of entities besides the group, not quoted.
    """

    entities: str
    nodes: str
    end: str
    other: str
    size: int
    label: str
    attributes: tuple[str, ...]


@dataclass(frozen=True)
class Parts:
    """The tables of a released graph.

    Attributes
    ----------
    edges
        The table of edges, ready for SQL.
    left, right
        The sides.
    strict
        Whether groups are claimed to be at most one larger than demanded.
    dropped
        How many links of the original are said to have been left out.
    """

    edges: str
    left: Side
    right: Side
    strict: bool
    dropped: int = 0


def parts_of(manifest: Manifest, claim: Claim) -> Parts | None:
    """Read the claim; ``None`` if it does not say which table is what, or not of these tables."""
    said = claim.parameters
    left, right = said.get("left"), said.get("right")
    if not isinstance(left, str) or not isinstance(right, str) or len(claim.columns) != 2:
        return None
    named = (left, right, claim.table, f"{left}_nodes", f"{right}_nodes")
    columns = {t.name: tuple(n for c in t.columns for n in c.published) for t in manifest.tables}
    if len(set(named)) < 5 or set(named) != set(columns):
        return None
    dropped = said.get("dropped", 0)
    counted = isinstance(dropped, int) and not isinstance(dropped, bool) and dropped >= 0
    sized = _size(said.get("k")) and _size(said.get("l"))
    if not (counted and sized and isinstance(said.get("strict"), bool)):
        return None
    fits = (
        columns[claim.table] == claim.columns
        and set(columns[named[3]]) == set(columns[named[4]]) == _NODES
        and "group" in columns[left]
        and "group" in columns[right]
    )
    if not fits:
        return None
    ends = [sql.name(each) for each in claim.columns]
    return Parts(
        sql.name(claim.table),
        _side(left, columns[left], ends[0], ends[1], said["k"], "k"),
        _side(right, columns[right], ends[1], ends[0], said["l"], "l"),
        said["strict"],
        dropped,
    )


def _size(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 1


def _side(name: str, columns: tuple[str, ...], end: str, other: str, size: int, label: str) -> Side:
    attributes = tuple(each for each in columns if each != "group")
    nodes = sql.name(f"{name}_nodes")
    return Side(sql.name(name), nodes, end, other, size, label, attributes)


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
    # Links that were left out change the signatures of all around them; degrees stay comparable.
    steps = 0 if parts.dropped else _STEPS
    nodes = {"k": parts.left.nodes, "l": parts.right.nodes}
    _signatures(opened, "released", released, nodes, steps)
    numbers = {
        label: f'(SELECT "papilio entity" AS node FROM {sql.name(f"{original} {part}")})'
        for label, part in (("k", "left"), ("l", "right"))
    }
    edges = sql.name(f"{original} edges")
    truth = {
        "k": f'(SELECT "left" AS this, "right" AS that FROM {edges})',
        "l": f'(SELECT "right" AS this, "left" AS that FROM {edges})',
    }
    _signatures(opened, "true", truth, numbers, steps)
    yield _entities(opened, parts, original)
    yield _less(opened, parts, edges) if parts.dropped else _structure(opened)
    yield _assignment(opened, parts, original)


def _released_edges(parts: Parts, side: Side) -> str:
    return f"(SELECT {side.end} AS this, {side.other} AS that FROM {parts.edges})"


def _signatures(
    opened: Opened, name: str, edges: dict[str, str], nodes: dict[str, str], steps: int
) -> None:
    """Make tables ``<name>_k`` and ``<name>_l`` with each node's signature; 0 steps: its degree."""
    for label in ("k", "l"):
        opened.execute(
            f"CREATE OR REPLACE TABLE {WORK}.{name}_{label} AS SELECT n.node, "
            f"count(e.this)::HUGEINT AS signature FROM {nodes[label]} AS n LEFT JOIN "
            f"{edges[label]} AS e ON n.node = e.this GROUP BY n.node"
        )
    for _ in range(steps):
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


def _less(opened: Opened, parts: Parts, edges: str) -> Finding:
    """So many links fewer than the original has, and no node with more than it can have.

    If nodes only lose links, then for every rank the node of that rank by degree has no more links
    than the one of the original.
    """
    (there,) = opened.row(f"SELECT count(*) FROM {parts.edges}")
    (here,) = opened.row(f"SELECT count(*) FROM {edges}")
    faults = []
    if here - there != parts.dropped:
        faults.append(f"{here - there} links fewer")
    ranked = "(SELECT signature AS d, row_number() OVER (ORDER BY signature) AS r FROM {})"
    for label in ("k", "l"):
        tables = (ranked.format(f"{WORK}.{name}_{label}") for name in _BOTH)
        (more,) = opened.row(
            "SELECT count(*) FROM {} AS a JOIN {} AS b USING (r) WHERE a.d > b.d".format(*tables)
        )
        if more:
            faults.append(f"{more} nodes of {label} have more links than any that is left")
    demanded = f"{parts.dropped} links fewer than the original, and none added"
    measured = "; ".join(faults) or f"{parts.dropped} fewer, as far as degrees tell"
    return finding("structure of the original", demanded, measured, not faults)


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


#: Nodes of a group with so many links or more, for which the group lacks entities.
_SHORT_OF_LINKS = f"""
WITH needs AS (
    SELECT g, s, sum(n) OVER (PARTITION BY g ORDER BY s DESC) AS need FROM {WORK}.places
),
enough AS (SELECT a, s, sum(c) OVER (PARTITION BY a ORDER BY s DESC) AS c FROM {WORK}.wanted),
room AS (
    SELECT n.g, n.need, sum(least(e.n, coalesce(w.c, 0))) AS room
    FROM (SELECT n.g, n.s, n.need, e.a, e.n FROM needs AS n JOIN {WORK}.offered AS e ON n.g = e.g)
    AS e ASOF LEFT JOIN enough AS w ON e.a = w.a AND e.s <= w.s
    JOIN needs AS n ON n.g = e.g AND n.s = e.s GROUP BY n.g, n.s, n.need
)
SELECT count(*) FROM room WHERE room < need
"""


def _assignment(opened: Opened, parts: Parts, original: str) -> Finding:
    """Groups have room for the entities of the original: necessary conditions, by counting.

    For attributes a and a signature s that c entities of the original have together, the groups
    offer at most sum over groups of min(entities with a, nodes with s) places, which must be c or
    more; and a group has at most sum over s of min(c, nodes with s) entities with a. In large
    graphs looked at where a or s occurs in few groups: elsewhere there is room, and the sums take
    long. Where links were left out: a group that has so many nodes with s links or more has as many
    entities that had s links or more.
    """
    astray = 0
    for side, part in ((parts.left, "left"), (parts.right, "right")):
        _count_both(opened, side, sql.name(f"{original} {part}"))
        (nodes,) = opened.row(f"SELECT count(*) FROM {side.nodes}")
        few = nodes if nodes <= _SMALL else _FEW
        statements = [_SHORT_OF_LINKS] if parts.dropped else _short(few)
        astray += sum(opened.row(statement)[0] for statement in statements)
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


def check_safe_grouping(opened: Opened, claim: Claim, parts: Parts) -> Finding:
    """Check that groups are as large as claimed, not larger than strict, and safe."""
    measured, faults = [], []
    for side in (parts.left, parts.right):
        least, most, groups = opened.row(
            f"SELECT min(n), max(n), count(*) FROM (SELECT count(*) AS n FROM {side.nodes} "
            'GROUP BY "group")'
        )
        measured.append(f"{side.label} = {least or 0} to {most or 0} over {groups} groups")
        if least is None or least < side.size:
            faults.append(f"a group has fewer than {side.label} nodes")
        if parts.strict and (most or 0) > side.size + 1:
            faults.append(f"a group has more than {side.label} + 1 nodes")
        unsafe = _unsafe(opened, parts, side)
        if unsafe:
            faults.append(f"{unsafe} times nodes of one group of {side.label} share a neighbour")
    strict = "strict and safe" if parts.strict else "safe"
    demanded = f"k >= {parts.left.size}, l >= {parts.right.size}, {strict}"
    text = "; ".join([*measured, *(faults or [strict])])
    return finding("safe-grouping", demanded, text, not faults, recipient=claim.recipient)


def _unsafe(opened: Opened, parts: Parts, side: Side) -> int:
    """How often a node of the other side has several neighbours in one group."""
    (count,) = opened.row(
        f"SELECT count(*) FROM (SELECT 1 FROM {parts.edges} AS e JOIN {side.nodes} AS n "
        f'ON e.{side.end} = n.node GROUP BY n."group", e.{side.other} HAVING count(*) > 1)'
    )
    return int(count)


def check_known_degree(opened: Opened, claim: Claim, parts: Parts) -> Finding:
    """Check what somebody believes of links who knows how many links both ends have.

    With n nodes of the degree in the group of the left end, m in that of the right end and c edges
    between these, belief is c / (n m), and must be at most 1/s.
    """
    allowed = claim.parameters.get("s")
    if not _size(allowed) or claim.table != _table_of(opened, parts) or len(claim.columns) != 2:
        return _unknown(claim)
    for side in (parts.left, parts.right):
        opened.execute(
            f"CREATE OR REPLACE TABLE {WORK}.cell_{side.label} AS SELECT node, cell, "
            "count(*) OVER (PARTITION BY cell) AS n FROM (SELECT n.node, "
            f'row(n."group", count(e.{side.end})) AS cell FROM {side.nodes} AS n LEFT JOIN '
            f'{parts.edges} AS e ON n.node = e.{side.end} GROUP BY n.node, n."group")'
        )
    over, links, strongest = opened.row(
        f"SELECT coalesce(sum(c) FILTER (WHERE c * {allowed} > places), 0), coalesce(sum(c), 0), "
        "coalesce(max(c / places), 0) FROM (SELECT count(*) AS c, any_value(x.n * y.n) AS places "
        f"FROM {parts.edges} AS e JOIN {WORK}.cell_k AS x ON e.{parts.left.end} = x.node "
        f"JOIN {WORK}.cell_l AS y ON e.{parts.right.end} = y.node GROUP BY x.cell, y.cell)"
    )
    demanded = f"to who knows the degrees of both ends, belief in a link <= 1/{allowed}"
    measured = f"at most {float(strongest):.3g}; {over} of {links} links above"
    return finding(claim.claim, demanded, measured, not over, recipient=claim.recipient)


def _table_of(opened: Opened, parts: Parts) -> str | None:
    return next((t.name for t in opened.manifest.tables if sql.name(t.name) == parts.edges), None)


def judge_graph(opened: Opened, original: str | None) -> Iterator[Finding]:
    """Judge a release of kind ``graph``.

    Parameters
    ----------
    opened
        The release.
    original
        Views of the original are called so with `` left``, `` right`` and `` edges`` behind it.
    """
    for table in opened.manifest.tables:
        yield check_rows(opened, table)
    claims = opened.manifest.claims
    said = [claim for claim in claims if claim.claim == "safe-grouping"]
    parts = parts_of(opened.manifest, said[0]) if len(said) == 1 else None
    demanded = "one claim of safe grouping that names the five tables"
    described = "as described" if parts is not None else "none that fits the tables"
    yield finding("tables of the graph", demanded, described, parts is not None)
    known = [claim for claim in claims if claim.claim == "known-degree" and parts is not None]
    yield from (_unknown(c) for c in claims if parts is None or c not in (*said, *known))
    if parts is None:
        return
    structure = [_numbers(opened, parts), _groups(opened, parts)]
    yield from structure
    if any(each.status is not Status.HOLDS for each in structure):
        yield from map(_unknown, (said[0], *known))
        return
    yield check_safe_grouping(opened, said[0], parts)
    yield from (check_known_degree(opened, claim, parts) for claim in known)
    if original is not None:
        yield from check_graph_original(opened, parts, original)


def _unknown(claim: Claim) -> Finding:
    return Finding(
        claim.claim, "as claimed", "not checked", Status.NOT_CHECKED, recipient=claim.recipient
    )


def _numbers(opened: Opened, parts: Parts) -> Finding:
    """Nodes are numbered 0, 1, …, each once; edges join nodes that there are, each pair once."""
    faults = []
    for side in (parts.left, parts.right):
        nodes, different, least, most = opened.row(
            f"SELECT count(*), count(DISTINCT node), min(node), max(node) FROM {side.nodes}"
        )
        if nodes == 0 or different != nodes or least != 0 or most != nodes - 1:
            faults.append(f"the nodes of {side.label} are not numbered from 0 on")
        (astray,) = opened.row(
            f"SELECT count(*) FROM {parts.edges} AS e ANTI JOIN {side.nodes} AS n "
            f"ON e.{side.end} = n.node"
        )
        if astray:
            faults.append(f"{astray} edges lead to no node of {side.label}")
    edges, different = opened.row(
        f"SELECT count(*), (SELECT count(*) FROM (SELECT DISTINCT * FROM {parts.edges})) "
        f"FROM {parts.edges}"
    )
    if edges != different:
        faults.append(f"{edges - different} edges are there twice")
    demanded = "each node once, edges between them, each once"
    text = "; ".join(faults) or f"{edges} edges"
    return finding("structure", demanded, text, not faults)


def _groups(opened: Opened, parts: Parts) -> Finding:
    """Every group has as many entities as nodes, so that entities can be nodes one to one."""
    faults = [
        f"{count} groups of {side.label} differ in entities and nodes"
        for side in (parts.left, parts.right)
        if (count := _different(opened, side))
    ]
    demanded = "as many entities as nodes in each group"
    return finding("groups", demanded, "; ".join(faults) or "equally many", not faults)


def _different(opened: Opened, side: Side) -> int:
    (count,) = opened.row(
        'SELECT count(*) FROM (SELECT "group" AS g, count(*) AS n FROM '
        f'{side.entities} GROUP BY g) AS e FULL JOIN (SELECT "group" AS g, count(*) AS n FROM '
        f"{side.nodes} GROUP BY g) AS v ON e.g = v.g WHERE e.n IS DISTINCT FROM v.n"
    )
    return int(count)
