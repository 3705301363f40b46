"""Whether linked tables are linked: keys that identify, references that lead somewhere.

Keys carry the functional dependencies of the original: every key once means that all columns of a
row depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, finding


def check_shape(opened: Opened) -> Finding:
    """Check that the tables hang together: one for people, every other under one of them."""
    tables = {table.name: table for table in opened.manifest.tables}
    faults = [] if _roots(opened) == 1 else [f"{_roots(opened)} tables hang off no other"]
    for table in tables.values():
        faults += [f"'{table.name}': {fault}" for fault in _shape_faults(table, tables)]
    faults += [] if faults else _circles(tables)
    measured = "; ".join(faults) or f"{len(tables)} tables under one person table"
    return finding("links", "every table hangs off one other, down to people", measured, not faults)


def check_keys(opened: Opened) -> Iterator[Finding]:
    """Check that keys run from 1 to the number of rows, and that references are keys above."""
    for table in opened.manifest.tables:
        if table.key is not None:
            yield _check_key(opened, table, table.key)
        if table.parent is not None:
            ((above, column),) = table.parent.items()
            yield _check_references(opened, table, above, column)


def ordered(opened: Opened) -> list[PublishedTable]:
    """Tables of a release whose shape is right, each after the one it hangs off."""
    found: list[PublishedTable] = []
    waiting = list(opened.manifest.tables)
    while waiting:
        names = {table.name for table in found}
        ready = [t for t in waiting if t.parent is None or next(iter(t.parent)) in names]
        found += ready
        waiting = [table for table in waiting if table not in ready]
    return found


def _roots(opened: Opened) -> int:
    return sum(table.parent is None for table in opened.manifest.tables)


def _shape_faults(table: PublishedTable, tables: dict[str, PublishedTable]) -> Iterator[str]:
    keys = {"key": table.key, "parent": None}
    if table.parent is not None:
        if len(table.parent) != 1:
            yield "it hangs off more than one table or none"
            return
        ((above, column),) = table.parent.items()
        keys["parent"] = column
        if above not in tables:
            yield "it hangs off a table that is not described"
        elif tables[above].key is None:
            yield "the table it hangs off has no key"
    for role, name in keys.items():
        having = [column for column in table.columns if column.role == role]
        if [column.name for column in having] != ([] if name is None else [name]):
            yield f"no or another column with the role '{role}'"
        elif any(not _is_plain_number(column) for column in having):
            yield f"the column with the role '{role}' is no number"


def _is_plain_number(column: PublishedColumn) -> bool:
    return column.cells == "value" and column.type == "numeric"


def _circles(tables: dict[str, PublishedTable]) -> list[str]:
    for table in tables.values():
        seen, here = set(), table
        while here.parent is not None and here.name not in seen:
            seen.add(here.name)
            here = tables[next(iter(here.parent))]
        if here.parent is not None:
            return ["tables hang off each other in a circle"]
    return []


def _check_key(opened: Opened, table: PublishedTable, key: str) -> Finding:
    name = sql.name(key)
    rows, known, least, most = opened.row(
        f"SELECT count(*), count(DISTINCT {name}), min({name}), max({name}) "
        f"FROM {sql.name(table.name)}"
    )
    holds = rows == known and (rows == 0 or (least == 1 and most == rows))
    measured = "as demanded" if holds else f"{known} different keys in {rows} rows, or other ones"
    demanded = "each number from 1 to the number of rows once"
    return finding(f"keys of {table.name}", demanded, measured, holds)


def _check_references(opened: Opened, table: PublishedTable, above: str, column: str) -> Finding:
    key = opened.manifest.table(above).key
    (lost,) = opened.row(
        f"SELECT count(*) FROM {sql.name(table.name)} AS t "
        f"LEFT JOIN {sql.name(above)} AS p ON t.{sql.name(column)} = p.{sql.name(str(key))} "
        f"WHERE p.{sql.name(str(key))} IS NULL"
    )
    demanded = f"every row belongs to a row of '{above}'"
    measured = f"{lost} rows belong to none" if lost else "all rows"
    return finding(f"references of {table.name}", demanded, measured, lost == 0)
