"""Whether a permuted release could have been made from an original, and nothing is lost.

A person's row says which group it is in, and a group says which values it has. So every original
row needs a published row with the same quasi-identifiers and plain values, in a group that has
its sensitive value; each published row serves once. Where all people of one description are in one
group, their values must be among those of the group together.
"""

from __future__ import annotations

import numpy as np

from papilio.verify import sql
from papilio.verify.integrity import family
from papilio.verify.matching import matched
from papilio.verify.opened import WORK, Opened
from papilio.verify.permuted_layout import Layout
from papilio.verify.verdict import Finding, finding

_CLAIM = "truthfulness"
_DEMANDED = "every original row is one published row and one value of its group"


def check_permuted_truth(opened: Opened, layout: Layout, original: str) -> Finding:
    """Check people and values against the original.

    Where people of one description are in several groups, who of them is in which is not said;
    then each description is matched by itself, which is necessary, and sufficient only for
    descriptions of which there is one person each.

    Notes
    -----
    Cost: joins in SQL, and a maximum flow if a description is in several groups.
    """
    faults = _column_faults(opened, layout, original)
    if faults:
        return finding(_CLAIM, _DEMANDED, "; ".join(faults), holds=False)
    _number(opened, layout, original)
    (rows,) = opened.row(f"SELECT count(*) FROM {sql.name(original)}")
    faults = _difference(opened, "SELECT q FROM {}", "people") + _difference(
        opened, "SELECT v FROM {}", "values"
    )
    if faults:
        return finding(_CLAIM, _DEMANDED, "; ".join(faults), holds=False)
    served, excess = _served(opened), _excess(opened)
    measured = f"{served} of {rows} rows can be matched"
    if excess:
        measured += f"; {excess} values are in other groups than their people"
    return finding(_CLAIM, _DEMANDED, measured, served == rows and not excess)


def _column_faults(opened: Opened, layout: Layout, original: str) -> list[str]:
    types = opened.types(original)
    shown = {column.name: column.type for column in layout.shown} | {layout.sensitive: "numeric"}
    faults = [f"'{name}' is not in the original" for name in shown if name not in types]
    faults += [f"'{name}' is not published" for name in types if name not in shown]
    return faults + [
        f"'{name}' is not {shown[name]} in the original"
        for name, kind in types.items()
        if name in shown and family(kind) != shown[name]
    ]


def _number(opened: Opened, layout: Layout, original: str) -> None:
    """Number descriptions and values; keeps rows of three kinds in the work schema.

    ``truth`` has description and value of original rows, ``people`` description and group,
    ``values`` value and group; equal ones are counted together.
    """
    names = [sql.name(column.name) for column in layout.shown]
    ours = [_as_kind(opened, layout, column.name, column.type) for column in layout.shown]
    value, source = sql.name(layout.sensitive), sql.name(original)
    described = ", ".join(f"{name} AS d{i}" for i, name in enumerate(names))
    published = ", ".join(f"{name} AS d{i}" for i, name in enumerate(ours))
    group = sql.name(layout.group)
    people = f"SELECT {published}, {group} AS g FROM {sql.name(layout.people)}"
    keys = ", ".join(f"d{i}" for i in range(len(names)))
    opened.execute(
        f"CREATE OR REPLACE TABLE {WORK}.descriptions AS SELECT *, row_number() OVER () AS q FROM "
        f"(SELECT {described} FROM {source} UNION SELECT {keys} FROM ({people}))"
    )
    same = " AND ".join(f"r.d{i} IS NOT DISTINCT FROM d.d{i}" for i in range(len(names)))
    for name, rows, rest in (
        ("truth", f"SELECT {described}, {value} AS v FROM {source}", "v"),
        ("people", people, "g"),
    ):
        opened.execute(
            f"CREATE OR REPLACE TABLE {WORK}.{name} AS SELECT q, {rest}, count(*) AS n "
            f"FROM ({rows}) AS r JOIN {WORK}.descriptions AS d ON {same} GROUP BY ALL"
        )
    opened.execute(
        f'CREATE OR REPLACE TABLE {WORK}."values" AS SELECT {group} AS g, {value} AS v, '
        f"count(*) AS n FROM {sql.name(layout.values)} GROUP BY ALL"
    )


def _as_kind(opened: Opened, layout: Layout, name: str, kind: str) -> str:
    """A published column; NULL where it is empty and, in a CSV file, of no certain type."""
    present = family(opened.types(layout.people)[name]) == kind
    return sql.name(name) if present else "NULL"


def _difference(opened: Opened, wanted: str, name: str) -> list[str]:
    """Say how many descriptions or values occur more often in the original than published."""
    key = wanted.split()[1]
    counts = [
        f"SELECT {key}, sum(n) AS n FROM {WORK}.{sql.name(table)} GROUP BY {key}"
        for table in ("truth", name)
    ]
    (count,) = opened.row(
        f"SELECT count(*) FROM ({counts[0]}) AS a FULL JOIN ({counts[1]}) AS b "
        f"ON a.{key} IS NOT DISTINCT FROM b.{key} WHERE a.n IS DISTINCT FROM b.n"
    )
    what = "descriptions of people" if key == "q" else "values"
    return [f"{count} {what} do not occur as often as in the original"] if count else []


def _served(opened: Opened) -> int:
    """Original rows that find a published row of their description in a group with their value."""
    supplies = f"SELECT *, row_number() OVER (ORDER BY q, v) - 1 AS a FROM {WORK}.truth"
    demands = f"SELECT *, row_number() OVER (ORDER BY q, g) - 1 AS b FROM {WORK}.people"
    (supply,) = opened.arrays(f"SELECT n FROM ({supplies}) ORDER BY a")
    (demand,) = opened.arrays(f"SELECT n FROM ({demands}) ORDER BY b")
    first, second = opened.arrays(
        f"SELECT s.a, d.b FROM ({supplies}) AS s JOIN ({demands}) AS d USING (q) "
        f'JOIN {WORK}."values" AS o ON o.g = d.g AND o.v IS NOT DISTINCT FROM s.v'
    )
    pairs = np.column_stack([first, second]).astype(np.int64)
    return matched(pairs, np.asarray(supply, np.int64), np.asarray(demand, np.int64))


def _excess(opened: Opened) -> int:
    """Values that people who can be in one group only have more often than the group."""
    (count,) = opened.row(
        f"SELECT coalesce(sum(greatest(c.n - coalesce(o.n, 0), 0)), 0) FROM "
        f"(SELECT g, v, sum(t.n) AS n FROM {WORK}.truth AS t JOIN "
        f"(SELECT q, min(g) AS g FROM {WORK}.people GROUP BY q HAVING count(*) = 1) USING (q) "
        f'GROUP BY g, v) AS c LEFT JOIN {WORK}."values" AS o '
        f"ON o.g = c.g AND o.v IS NOT DISTINCT FROM c.v"
    )
    return int(count)
