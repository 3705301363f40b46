"""Whether the tables of a projected release keep their sensitive columns apart.

Definition 3 of Fang, Ashrafi and Ng, "Privacy beyond single sensitive attribute" (DEXA 2011): every
sensitive column is in exactly one table, and the tables have nothing but quasi-identifiers in
common.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from papilio.release.manifest import Claim, PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.integrity import family
from papilio.verify.opened import Opened
from papilio.verify.truthfulness import check_truthfulness
from papilio.verify.verdict import Finding, finding
from papilio.verify.witness.values import spare_rows


def check_plan(opened: Opened) -> Iterator[Finding]:
    """Check what can be seen without the original."""
    yield _check_shared(opened)
    yield _check_quasi(opened)
    yield _check_rows(opened)
    yield _check_keys(opened)


def check_projections(opened: Opened, original: str) -> Iterator[Finding]:
    """Check the tables against the original: all of its columns, and each table's truth.

    Parameters
    ----------
    opened
        The release.
    original
        Name of a view with the original's columns, registered on the same connection.
    """
    known = opened.types(original)
    published = {column.name for table in opened.manifest.tables for column in table.columns}
    missing = [name for name in known if name not in published]
    measured = "; ".join(f"'{name}' is in no table" for name in missing) or "all of them"
    demanded = "every column of the original in a table"
    yield finding("completeness of the plan", demanded, measured, not missing)
    for number, table in enumerate(opened.manifest.tables):
        yield _truthful(opened, table, original, known, f"papilio part {number}")


def _truthful(
    opened: Opened, table: PublishedTable, original: str, known: dict[str, str], view: str
) -> Finding:
    names = sql.names(c.name for c in table.columns if c.name in known) or "1 AS nothing"
    opened.execute(f"CREATE VIEW {sql.name(view)} AS SELECT {names} FROM {sql.name(original)}")
    found = check_truthfulness(opened, table, view)
    about = f"{found.claim} of {table.name}"
    return Finding(about, found.demanded, found.measured, found.status)


def check_shared_classes(opened: Opened, claim: Claim) -> Finding:
    """Check that a table is divided into the same classes as all others, as far as can be seen.

    Whoever reads the tables sees classes as cells and sizes: each combination of cells of the
    quasi-identifiers stands in every table equally often.
    """
    mine = next(t for t in opened.manifest.tables if t.name == claim.table)
    faults = []
    for other in opened.manifest.tables:
        if other is mine:
            continue
        cells = sorted(_cells(mine, "quasi"))
        if cells != sorted(_cells(other, "quasi")):
            faults.append(f"{other.name} has other columns")
            continue
        names = sql.names(cells) or "1"
        one, two = (
            f'SELECT {names}, count(*) AS "papilio rows" FROM {sql.name(table.name)}'
            + (f" GROUP BY {names}" if cells else "")
            for table in (mine, other)
        )
        both = f"({one} EXCEPT {two}) UNION ALL ({two} EXCEPT {one})"
        (differing,) = opened.row(f"SELECT count(*) FROM ({both}) AS differing")
        if differing:
            faults.append(f"{differing} classes of it or {other.name} are not in both")
    demanded = "the same classes in all tables"
    return finding(claim.claim, demanded, "; ".join(faults) or "the same", not faults)


def _check_shared(opened: Opened) -> Finding:
    """Check that no two tables share a column other than a quasi-identifier."""
    faults = []
    for one, other in combinations(opened.manifest.tables, 2):
        mine, theirs = _roles(one), _roles(other)
        faults += [
            f"'{name}' is in {one.name} and {other.name}"
            for name in mine
            if name in theirs and not mine[name] == theirs[name] == "quasi"
        ]
        # A name may be told of another column, but rows are joined by what is published.
        common = _cells(one, "quasi") & _cells(other, "quasi")
        free = (_cells(one) & _cells(other)) - common
        faults += [f"'{name}' is published in {one.name} and {other.name}" for name in sorted(free)]
    demanded = "tables share nothing but quasi-identifiers"
    measured = "; ".join(dict.fromkeys(faults)) or "nothing else in common"
    return finding("disjointness of the plan", demanded, measured, not faults)


def _check_quasi(opened: Opened) -> Finding:
    """Check that all tables have the same quasi-identifiers, and each a sensitive column."""
    tables = opened.manifest.tables
    first = sorted(c.name for c in tables[0].columns if c.role == "quasi") if tables else []
    faults = [
        f"{table.name} has others"
        for table in tables
        if sorted(c.name for c in table.columns if c.role == "quasi") != first
    ]
    faults += [f"{t.name} has none" for t in tables if "sensitive" not in _roles(t).values()]
    demanded = "the same quasi-identifiers in all tables, and a sensitive column in each"
    return finding("columns of the plan", demanded, "; ".join(faults) or "so it is", not faults)


def _check_rows(opened: Opened) -> Finding:
    """Check that tables have equally many rows, or, where some may be left out, enough of them.

    The original has at least as many rows as the longest table; a table that leaves nothing out has
    all of them.
    """
    tables = opened.manifest.tables
    whole = {table.rows for table in tables if table.left_out_at_most == 0}
    rows = [table.rows for table in tables]
    most = max([*whole, *rows], default=0)
    short = any(most - table.rows > spare_rows(table, most) for table in tables)
    too_long = bool(whole) and most > max(whole)
    share = max((table.left_out_at_most for table in tables), default=0.0)
    demanded = (
        f"at most {100 * share:g}% fewer rows in any table than the original has"
        if share
        else "equally many in all tables"
    )
    same = "equally many" if not share else f"{most} in each"
    measured = same if len({*rows}) <= 1 else f"from {min(rows)} to {most}"
    return finding("rows of the plan", demanded, measured, not short and not too_long)


def _check_keys(opened: Opened) -> Finding:
    """Check that no column numbers the rows of two tables alike, under whatever names.

    Two columns of different tables that hold the same values, none of them twice, would join the
    rows one to one.
    """
    faults = []
    keys = [(table, column) for table in opened.manifest.tables for column in _keys(opened, table)]
    for (one, mine), (other, theirs) in combinations(keys, 2):
        if one is not other and _same_values(opened, (one, mine), (other, theirs)):
            faults.append(f"'{mine.name}' of {one.name} and '{theirs.name}' of {other.name}")
    demanded = "no column that numbers the rows of two tables alike"
    return finding("keys of the plan", demanded, "; ".join(faults) or "none", not faults)


def _keys(opened: Opened, table: PublishedTable) -> list[PublishedColumn]:
    """Columns that are no quasi-identifiers and have another value in every row."""
    others = [c for c in table.columns if c.role != "quasi" and len(c.published) == 1]
    if not others or table.rows < 2:
        return []
    counts = ", ".join(f"count(DISTINCT {sql.name(c.published[0])})" for c in others)
    found = opened.row(f"SELECT count(*), {counts} FROM {sql.name(table.name)}")
    return [column for column, count in zip(others, found[1:], strict=True) if count == found[0]]


def _same_values(
    opened: Opened,
    one: tuple[PublishedTable, PublishedColumn],
    other: tuple[PublishedTable, PublishedColumn],
) -> bool:
    sides = [(table.name, column.published[0]) for table, column in (one, other)]
    kinds = {family(opened.types(table)[column]) for table, column in sides}
    if len(kinds) > 1:
        return False
    first, second = (f"SELECT {sql.name(c)} FROM {sql.name(t)}" for t, c in sides)
    (differing,) = opened.row(f"SELECT count(*) FROM ({first} EXCEPT {second})")
    return bool(differing == 0)


def _roles(table: PublishedTable) -> dict[str, str]:
    return {column.name: column.role for column in table.columns}


def _cells(table: PublishedTable, role: str | None = None) -> set[str]:
    """Names of published columns, of a role or of all."""
    return {name for c in table.columns if role in (None, c.role) for name in c.published}
