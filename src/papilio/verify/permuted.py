"""The verdict on the content of a permuted release.

Whether a permuted release could have been made from an original, and nothing is lost.

A person's row says which group it is in, and a group says which values it has. So every original
row needs a published row with the same quasi-identifiers and plain values, in a group that has
its sensitive value; each published row serves once. Where all people of one description are in one
group, their values must be among those of the group together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from papilio.verify import sql
from papilio.verify.fitting import matched
from papilio.verify.group_tables import wrong_columns
from papilio.verify.integrity import check_rows, family
from papilio.verify.ke_anonymity import check_ke_anonymity
from papilio.verify.opened import WORK, Opened
from papilio.verify.permuted_layout import Layout, layout_faults, layout_of
from papilio.verify.verdict import Finding, Status, finding

#: What rounding may change, as a part of the sum of all absolute values of a group.
_ROUNDING = 1e-11


def check_help(opened: Opened, layout: Layout) -> Finding:
    """Check that the help table says of every group and number of hits what the values do.

    Counts, smallest and largest values, and sums of whole numbers must be equal; sums of doubles,
    averages, means and variances but for rounding.

    Notes
    -----
    Cost: a sort of the values and four joins with the help table, in SQL.
    """
    claim, demanded = f"help of {layout.help}", "what the values of each group allow, tight"
    _prepare(opened, layout)
    missing, strange = _extent(opened, layout)
    if missing or strange:
        measured = f"{missing} rows are missing, {strange} are too many"
        return finding(claim, demanded, measured, holds=False)
    faults = wrong_columns(opened, _tests(opened, layout), _compared(layout))
    return finding(claim, demanded, "; ".join(faults) or "all rows", not faults)


def _prepare(opened: Opened, layout: Layout) -> None:
    """Sizes of groups, and their values by rank from either end with sums up to them."""
    group, value = sql.name(layout.group), sql.name(layout.sensitive)
    kind = sql.WHOLE if _is_whole(opened, layout.values, layout.sensitive) else "DOUBLE"
    opened.keep(
        "cells", f"SELECT {group} AS g, CAST({value} AS {kind}) AS v FROM {sql.name(layout.values)}"
    )
    opened.keep(
        "sizes",
        "SELECT g, count(*) AS cells, count(v) AS known, "
        f"{sql.count_where('v < 0')} AS negative, {sql.count_where('v > 0')} AS positive, "
        "min(v) AS low, max(v) AS high, avg(coalesce(CAST(v AS DOUBLE), 0)) AS mean, "
        "var_pop(coalesce(CAST(v AS DOUBLE), 0)) AS variance, "
        f"coalesce(sum(abs(CAST(v AS DOUBLE))), 0) AS weight FROM {WORK}.cells GROUP BY g",
    )
    opened.keep("ranked", _ranked())


def _ranked() -> str:
    def end(order: str) -> str:
        own = f"OVER (PARTITION BY g ORDER BY v {order}"
        return (
            f"SELECT g, row_number() {own}) AS i, v, "
            f"sum(v) {own} ROWS UNBOUNDED PRECEDING) AS s "
            f"FROM {WORK}.cells WHERE v IS NOT NULL"
        )

    return (
        "SELECT g, i, a.v AS small, a.s AS small_sum, b.v AS large, b.s AS large_sum "
        f"FROM ({end('ASC')}) AS a JOIN ({end('DESC')}) AS b USING (g, i)"
    )


def _extent(opened: Opened, layout: Layout) -> tuple[int, int]:
    """Pairs of group and hits that are missing, and rows of the help table beyond those."""
    group = sql.name(layout.group)
    pairs = f"SELECT DISTINCT {group} AS g, hits FROM {sql.name(layout.help)}"
    proper = f"({pairs}) AS told JOIN {WORK}.sizes USING (g) WHERE hits BETWEEN 1 AND cells"
    wanted, found, rows = opened.row(
        f"SELECT (SELECT coalesce(sum(cells), 0) FROM {WORK}.sizes), "
        f"(SELECT count(*) FROM {proper} AND hits = floor(hits)), "
        f"(SELECT count(*) FROM {sql.name(layout.help)})"
    )
    return int(wanted - found), int(rows - found)


def _tests(opened: Opened, layout: Layout) -> list[tuple[str, str]]:
    """For each column of the help table, SQL that tells whether it is right."""
    slack = f"{_ROUNDING} * weight"
    sums = (
        "{0} = {1}"
        if _is_whole(opened, layout.help, "sum_lo") and _is_whole(opened, layout.help, "sum_hi")
        else f"abs({{0}} - {{1}}) <= {slack}"
    )
    mean, share = "hits * mean", "hits * variance * (cells - hits) / greatest(cells - 1, 1)"
    return [
        ("count_lo", "count_lo = least_known"),
        ("count_hi", "count_hi = most_known"),
        ("sum_lo", sums.format("sum_lo", "coalesce(lower.small_sum, 0)")),
        ("sum_hi", sums.format("sum_hi", "coalesce(upper.large_sum, 0)")),
        ("min_lo", "min_lo = low"),
        ("min_hi", "min_hi = few.large"),
        ("max_lo", "max_lo = few.small"),
        ("max_hi", "max_hi = high"),
        ("avg_lo", f"abs(avg_lo - CAST(few.small_sum AS DOUBLE) / few_known) <= {slack}"),
        ("avg_hi", f"abs(avg_hi - CAST(few.large_sum AS DOUBLE) / few_known) <= {slack}"),
        ("sum_mean", f"abs(sum_mean - {mean}) <= {slack}"),
        ("sum_var", f"abs(sum_var - {share}) <= {_ROUNDING} * ({share} + weight * weight)"),
    ]


def _compared(layout: Layout) -> str:
    """The help table joined with what it should say."""
    return (
        f"({_hits(layout)}) AS h "
        f"LEFT JOIN {WORK}.ranked AS lower ON lower.g = h.g AND lower.i = lower_known "
        f"LEFT JOIN {WORK}.ranked AS upper ON upper.g = h.g AND upper.i = upper_known "
        f"LEFT JOIN {WORK}.ranked AS few ON few.g = h.g AND few.i = few_known"
    )


def _hits(layout: Layout) -> str:
    """Rows of the help table with the numbers of known values that matter for them."""
    return (
        "SELECT *, greatest(1, least_known) AS few_known, "
        "least(greatest(negative, least_known), most_known) AS lower_known, "
        "least(greatest(positive, least_known), most_known) AS upper_known FROM "
        "(SELECT h.*, s.*, greatest(0, hits - (cells - known)) AS least_known, "
        f"least(hits, known) AS most_known FROM {sql.name(layout.help)} AS h "
        f"JOIN {WORK}.sizes AS s ON s.g = h.{sql.name(layout.group)}) AS told"
    )


def _is_whole(opened: Opened, table: str, column: str) -> bool:
    return opened.types(table)[column] in sql.WHOLE_TYPES


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


def judge_permuted(opened: Opened, original: str | None) -> Iterator[Finding]:
    """Judge rows, values and help table of a permuted release, and its claims.

    Parameters
    ----------
    opened
        The release.
    original
        Name of a view with the original; then truthfulness is checked too.
    """
    faults = layout_faults(opened.manifest)
    measured = "; ".join(faults) or "rows, values and help table"
    yield finding("layout", "that of a permuted release", measured, not faults)
    if faults:
        yield from (
            Finding(c.claim, "as claimed", "not checked", Status.NOT_CHECKED, c.recipient)
            for c in opened.manifest.claims
        )
        return
    layout = layout_of(opened.manifest)
    for table in opened.manifest.tables:
        yield check_rows(opened, table)
    yield _check_groups(opened, layout)
    yield _check_values(opened, layout)
    yield check_help(opened, layout)
    yield from _claims(opened)
    if original is not None:
        yield check_permuted_truth(opened, layout, original)


def _claims(opened: Opened) -> Iterator[Finding]:
    for claim in opened.manifest.claims:
        if claim.claim == "ke-anonymity":
            yield check_ke_anonymity(opened, claim)
        else:
            yield Finding(
                claim.claim, "as claimed", "not checked", Status.NOT_CHECKED, claim.recipient
            )


def _check_groups(opened: Opened, layout: Layout) -> Finding:
    """Check that groups are numbered from 1 and have as many people as values."""
    group = sql.name(layout.group)
    unequal, groups, highest, odd = opened.row(
        f"SELECT {sql.count_where('people <> cells')}, count(*), max(g), "
        f"{sql.count_where('g IS NULL OR g < 1 OR g <> floor(g)')} FROM ("
        "SELECT g, sum(person) AS people, sum(cell) AS cells FROM ("
        f"SELECT {group} AS g, 1 AS person, 0 AS cell FROM {sql.name(layout.people)} UNION ALL "
        f"SELECT {group}, 0, 1 FROM {sql.name(layout.values)}) AS both_tables GROUP BY g) AS sizes"
    )
    faults = [f"{unequal} groups do not have as many people as values"] if unequal else []
    if odd or highest != groups:
        faults.append("groups are not numbered from 1")
    measured = "; ".join(faults) or f"{groups} groups"
    return finding("groups", "as many people as values in each", measured, not faults)


def _check_values(opened: Opened, layout: Layout) -> Finding:
    """Check that values are finite numbers or NULL."""
    value = sql.name(layout.sensitive)
    odd = sql.count_where(f"NOT {sql.is_finite(value)}")
    (count,) = opened.row(f"SELECT {odd} FROM {sql.name(layout.values)}")
    measured = f"{count} are not" if count else "all rows"
    return finding(
        f"cells of {layout.values}",
        "finite numbers or NULL",
        measured,
        not count,
        column=layout.sensitive,
    )
