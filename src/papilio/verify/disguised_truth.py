"""Whether a disguised release could have been made from an original, and nothing is lost.

People must be the original's, one by one. In each group the original values must be assignable,
each to a subdomain of its own that holds it. Subdomains are nodes of one tree, so this can be
counted (Hall's theorem on a laminar family): going up the tree, the subdomains inside a node for
which there is no value are those that were missing below or, if that is more, its subdomains
without values; at the root this must not be more than there are fake values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from papilio.verify import sql
from papilio.verify.disguised_layout import Claimed, Layout, Part, end_kind
from papilio.verify.fitting import matched
from papilio.verify.integrity import family
from papilio.verify.opened import WORK, Opened
from papilio.verify.target_distribution import BlindPools, load_pools
from papilio.verify.target_tree import TargetTree
from papilio.verify.verdict import Finding, Status, finding

#: Column of the original's view with what each person demands.
PERSONAL = "papilio personal"
_CLAIM = "truthfulness"
_DEMANDED = "every original row is one published row and fits a subdomain of its group"
_LEVELS = "personal levels"


def check_disguised_truth(
    opened: Opened, layout: Layout, claimed: Claimed, original: str, *, personal: bool
) -> Iterator[Finding]:
    """Check people, values and, if there are, personal levels against the original.

    Where people of one description are in several groups, who of them is in which is not said; then
    each description is matched by itself, which is necessary, and sufficient only for descriptions
    of which there is one person each.
    """
    faults = _column_faults(opened, layout, original)
    if not faults:
        strange = _number(opened, layout, original, claimed.tree)
        faults = [f"{strange} values are outside of the domain"] if strange else []
    if not faults:
        faults = _people_faults(opened)
    if faults:
        yield finding(_CLAIM, _DEMANDED, "; ".join(faults), holds=False)
        return
    (several,) = opened.row(
        f"SELECT count(*) FROM (SELECT q FROM {WORK}.people GROUP BY q HAVING count(*) > 1)"
    )
    load_pools(opened, claimed)
    short = _unmatched(opened, claimed.tree)
    (rows,) = opened.row(f"SELECT coalesce(sum(n), 0) FROM {WORK}.truth")
    served = _served(opened, None)
    measured = f"{short} subdomains have no value" if short else f"all {rows} rows fit"
    if served < rows:
        measured = f"{rows - served} rows find no group that can hold them"
    holds = not short and served == rows
    about = "" if not several else f"; {several} descriptions are in several groups"
    yield finding(_CLAIM, _DEMANDED, measured + about, holds)
    if personal:
        yield _check_levels(opened, claimed, original, int(rows))


def _column_faults(opened: Opened, layout: Layout, original: str) -> list[str]:
    types = opened.types(original)
    types.pop(PERSONAL, None)
    shown = {column.name: column.type for column in layout.shown}
    shown[layout.sensitive.name] = layout.sensitive.type
    faults = [f"'{name}' is not in the original" for name in shown if name not in types]
    faults += [f"'{name}' is not published" for name in types if name not in shown]
    return faults + [
        f"'{name}' is not {shown[name]} in the original"
        for name, kind in types.items()
        if name in shown and family(kind) != shown[name]
    ]


def _number(opened: Opened, layout: Layout, original: str, tree: TargetTree) -> int:
    """Number descriptions, and find the leaf of each value; how many values have none.

    ``truth`` has description, leaf and demand of original rows, ``people`` description and group;
    equal ones are counted together.
    """
    leaves = [node for node in range(tree.size) if not tree.children[node]]
    opened.keep_columns("leaves", {"node": leaves})
    names = [sql.name(column.name) for column in layout.shown]
    described = ", ".join(f"{name} AS d{i}" for i, name in enumerate(names))
    ours = ", ".join(
        f"{_as_kind(opened, layout, column.name, column.type)} AS d{i}"
        for i, column in enumerate(layout.shown)
    )
    value, kind = sql.name(layout.sensitive.name), end_kind(opened, layout)
    said = sql.name(PERSONAL) if PERSONAL in opened.types(original) else "NULL"
    keys = ", ".join(f"d{i}" for i in range(len(names)))
    people = f"SELECT {ours}, {sql.name(layout.group)} AS g FROM {sql.name(layout.people)}"
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.descriptions AS SELECT *, row_number() OVER () AS q FROM "
        f"(SELECT {described} FROM {sql.name(original)} UNION SELECT {keys} FROM ({people}))"
    )
    same = " AND ".join(f"r.d{i} IS NOT DISTINCT FROM d.d{i}" for i in range(len(names)))
    leaf = f"(SELECT node, low, high FROM {WORK}.leaves JOIN {WORK}.tree USING (node)) AS t"
    distinct = f"SELECT DISTINCT CAST({value} AS {kind}) AS v FROM {sql.name(original)}"
    # A value that ends one cell and begins the next belongs to the next.
    find = "LEFT JOIN {} ON v = low" if kind == sql.TEXT else "ASOF LEFT JOIN {} ON v >= low"
    held = "node" if kind == sql.TEXT else "CASE WHEN v <= high THEN node END"
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.leaf AS SELECT v, {held} AS leaf "
        f"FROM ({distinct}) AS d {find.format(leaf)}"
    )
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.truth AS SELECT q, leaf, said, count(*) AS n FROM "
        f"(SELECT {described}, CAST({value} AS {kind}) AS v, CAST({said} AS VARCHAR) AS said "
        f"FROM {sql.name(original)}) AS r JOIN {WORK}.descriptions AS d ON {same} "
        f"LEFT JOIN {WORK}.leaf USING (v) GROUP BY ALL"
    )
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.people AS SELECT q, g, count(*) AS n "
        f"FROM ({people}) AS r JOIN {WORK}.descriptions AS d ON {same} GROUP BY ALL"
    )
    (strange,) = opened.row(f"SELECT coalesce(sum(n), 0) FROM {WORK}.truth WHERE leaf IS NULL")
    return int(strange)


def _as_kind(opened: Opened, layout: Layout, name: str, kind: str) -> str:
    """A published column; NULL where it is empty and, in a CSV file, of no certain type."""
    present = family(opened.types(layout.people)[name]) == kind
    return sql.name(name) if present else "NULL"


def _people_faults(opened: Opened) -> list[str]:
    counts = [
        f"SELECT q, sum(n) AS n FROM {WORK}.{table} GROUP BY q" for table in ("truth", "people")
    ]
    (count,) = opened.row(
        f"SELECT count(*) FROM ({counts[0]}) AS a FULL JOIN ({counts[1]}) AS b USING (q) "
        "WHERE a.n IS DISTINCT FROM b.n"
    )
    what = "descriptions of people do not occur as often as in the original"
    return [f"{count} {what}"] if count else []


def _unmatched(opened: Opened, tree: TargetTree) -> int:
    """Subdomains without a value beyond fake ones, in groups whose people are certain."""
    certain = (
        f"SELECT g FROM {WORK}.people GROUP BY g HAVING bool_and(q IN "
        f"(SELECT q FROM {WORK}.people GROUP BY q HAVING count(*) = 1))"
    )
    values = (
        f"SELECT p.g, a.above AS node, sum(t.n) AS c FROM {WORK}.truth AS t "
        f"JOIN {WORK}.people AS p USING (q) JOIN {WORK}.above AS a ON a.node = t.leaf "
        f"WHERE p.g IN ({certain}) GROUP BY ALL"
    )
    rows = opened.arrays(
        f"SELECT g, node, CAST(s AS BIGINT) AS s, CAST(coalesce(c, 0) AS BIGINT) AS c "
        f"FROM {WORK}.inside LEFT JOIN ({values}) USING (g, node) WHERE g IN ({certain}) "
        "ORDER BY g, node DESC"
    )
    short = 0
    missing: dict[tuple[int, int], int] = {}
    for group, node, inside, held in zip(
        *(np.asarray(each).tolist() for each in rows), strict=True
    ):
        # Nodes come after everything below them.
        needed = max(missing.pop((group, node), 0), inside - held)
        if node:
            above = (group, tree.parent[node])
            missing[above] = missing.get(above, 0) + needed
        else:
            short += max(0, needed - (inside - held))
    return short


def _served(
    opened: Opened,
    demands: dict[str, int] | None,
    exact: dict[tuple[int, str], int] | None = None,
    parts: Sequence[Part] = (),
) -> int:
    """Original rows that find a published row of their description in a group that can hold them.

    A group can hold a value if one of its subdomains does and, with personal levels, if its pool
    holds all that the person demands; blind ones are where ``exact`` has them, by target and text.
    """
    supplies = f"SELECT *, row_number() OVER (ORDER BY q, leaf, said) - 1 AS a FROM {WORK}.truth"
    places = f"SELECT *, row_number() OVER (ORDER BY q, g) - 1 AS b FROM {WORK}.people"
    (supply,) = opened.arrays(f"SELECT n FROM ({supplies}) ORDER BY a")
    (demand,) = opened.arrays(f"SELECT n FROM ({places}) ORDER BY b")
    held = (
        f"SELECT DISTINCT g, above.node AS leaf FROM {WORK}.cells AS c "
        f"JOIN {WORK}.above ON above.above = c.node"
    )
    join = ""
    if demands is not None:
        opened.keep_columns("demands", {"text": list(demands), "demanded": list(demands.values())})
        join = (
            f"JOIN {WORK}.demands AS e ON e.\"text\" = s.q || '|' || s.leaf || '|' || "
            f"coalesce(s.said, '') JOIN {WORK}.pools AS o ON o.g = d.g "
            f"JOIN {WORK}.above AS u ON u.node = e.demanded AND u.above = o.pool "
        )
    if exact is not None:
        keys = list(exact)
        columns: dict[str, list[Any]] = {
            "place": [place for place, _ in keys],
            "said": [text for _, text in keys],
        }
        opened.keep_columns("exact", {**columns, "blind": list(exact.values())})
        part = " ".join(f"WHEN d.g BETWEEN {p.first} AND {p.last} THEN {p.place}" for p in parts)
        join += (
            f'JOIN {WORK}.exact AS x ON x.said = e."text" AND x.blind = o.pool '
            f"AND x.place = CASE {part} END "
        )
    first, second = opened.arrays(
        f"SELECT s.a, d.b FROM ({supplies}) AS s JOIN ({places}) AS d USING (q) "
        f"JOIN ({held}) AS h ON h.g = d.g AND h.leaf = s.leaf {join}"
    )
    pairs = np.column_stack([first, second]).astype(np.int64)
    return matched(pairs, np.asarray(supply, np.int64), np.asarray(demand, np.int64))


def _check_levels(opened: Opened, claimed: Claimed, original: str, rows: int) -> Finding:
    """Check that every person can be in a group whose pool holds all they demand.

    If it is claimed that pools are told by demands alone, it must be just the pool that is.
    """
    tree = claimed.tree
    demanded = "every person is in a pool that holds what they demand"
    if PERSONAL not in opened.types(original):
        measured = "the original has no column of levels"
        return Finding(_LEVELS, demanded, measured, Status.NOT_CHECKED)
    found = opened.rows(f"SELECT DISTINCT q, leaf, said FROM {WORK}.truth")
    nodes = {f"{q}|{leaf}|{said or ''}": demand(tree, leaf, said) for q, leaf, said in found}
    strange = sum(node is None for node in nodes.values())
    if strange:
        return finding(_LEVELS, demanded, f"{strange} demands are not understood", holds=False)
    exact: dict[tuple[int, str], int] | None = None
    if claimed.blind:
        demanded += ", and in none because of their value"
        told = BlindPools(claimed, partial(demand, tree))
        pools = {
            (part.place, f"{q}|{leaf}|{said or ''}"): told.pool(part.place, leaf, said)
            for q, leaf, said in found
            for part in claimed.parts
        }
        exact = {key: pool for key, pool in pools.items() if pool is not None}
    known = {text: node for text, node in nodes.items() if node is not None}
    served = _served(opened, known, exact, claimed.parts)
    measured = f"{served} of {rows} people are"
    return finding(_LEVELS, demanded, measured, served == rows)


def demand(tree: TargetTree, leaf: int, said: str | None) -> int | None:
    """Node that a person names, raised to nodes the target does not tell from it."""
    text = (said or "").strip()
    path = [leaf]
    while path[-1]:
        path.append(tree.parent[path[-1]])
    if not text:
        return 0
    level = re.fullmatch(r"(\d+)(\.0)?", text)
    if level and int(level[1]) <= max(_depth(tree)):
        return path[min(int(level[1]), len(path) - 1)]
    ends = re.fullmatch(r"\[(.*), ?(.*)\]", text)
    wanted = (ends[1], ends[2]) if ends else (text, text)
    return next((node for node in path if (tree.low[node], tree.high[node]) == wanted), None)


def _depth(tree: TargetTree) -> list[int]:
    depth = [0]
    for node in range(1, tree.size):
        depth.append(depth[tree.parent[node]] + 1)
    return depth
