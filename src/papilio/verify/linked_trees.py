"""Which people have the same tree, and which rows stand at the same place of it, in SQL.

Bottom-up, rows of a table get the same number (``tree``) exactly if their cells are the same and,
for each table below, the sorted lists of the numbers of the rows that refer to them. Rows that
nothing refers to have no list. Top-down, rows stand at the same ``place`` if their trees are the
same and the rows they refer to stand at the same place.
"""

from __future__ import annotations

from papilio.release.manifest import PublishedTable
from papilio.verify import sql
from papilio.verify.linked_links import ordered
from papilio.verify.opened import WORK, Opened

#: Number of a row; a blank in it keeps it apart from published columns.
_ID = '"papilio id"'


def number_trees(opened: Opened) -> dict[str, str]:
    """Number trees and places of all rows.

    Returns, by table, a table in the work schema with a line per row: ``id``, ``key`` and ``up``
    (NULL where there is none), ``tree`` and ``place``. Its ``id`` is the number of the row in the
    order in which DuckDB reads the table.
    """
    tables = ordered(opened)
    names = {table.name: f"{WORK}.linked{place}" for place, table in enumerate(tables)}
    for table in reversed(tables):
        _number(opened, table, tables, names)
    for table in tables:
        above = None if table.parent is None else names[next(iter(table.parent))]
        _place(opened, names[table.name], above)
    return names


def quasi_cells(table: PublishedTable) -> list[str]:
    """Published columns that carry the quasi-identifiers of a table."""
    return [cell for c in table.columns if c.role == "quasi" for cell in c.published]


def _number(
    opened: Opened, table: PublishedTable, tables: list[PublishedTable], names: dict[str, str]
) -> None:
    below = [t for t in tables if t.parent is not None and table.name in t.parent]
    key = "NULL" if table.key is None else f"r.{sql.name(table.key)}"
    up = "NULL" if table.parent is None else f"r.{sql.name(next(iter(table.parent.values())))}"
    joins = " ".join(
        f"LEFT JOIN (SELECT up, list(tree ORDER BY tree) AS trees FROM {names[t.name]} "
        f"GROUP BY up) AS b{i} ON b{i}.up = {key}"
        for i, t in enumerate(below)
    )
    parts = [f"r.{sql.name(cell)}" for cell in quasi_cells(table)]
    parts += [f"b{i}.trees" for i in range(len(below))]
    listed = ", ".join(f"{part} AS part{i}" for i, part in enumerate(parts))
    kept = ", ".join(f"part{i}" for i in range(len(parts)))
    opened.execute(
        "CREATE OR REPLACE TEMP TABLE papilio_parts AS "
        f"SELECT r.{_ID} AS id, {key} AS key, {up} AS up"
        f"{', ' if parts else ''}{listed} FROM (SELECT row_number() OVER () AS {_ID}, * "
        f"FROM {sql.name(table.name)}) AS r {joins}"
    )
    if not parts:
        source = "SELECT id, key, up, 1 AS tree FROM papilio_parts"
    else:
        same = " AND ".join(f"p.part{i} IS NOT DISTINCT FROM f.part{i}" for i in range(len(parts)))
        source = (
            "SELECT p.id, p.key, p.up, f.tree FROM papilio_parts AS p JOIN ("
            f"SELECT row_number() OVER () AS tree, {kept} FROM "
            f"(SELECT DISTINCT {kept} FROM papilio_parts)) AS f ON {same}"
        )
    opened.execute(f"CREATE OR REPLACE TABLE {names[table.name]} AS {source}")
    opened.execute("DROP TABLE papilio_parts")


def _place(opened: Opened, name: str, above: str | None) -> None:
    if above is None:
        opened.execute(f"ALTER TABLE {name} ADD COLUMN place BIGINT")
        opened.execute(f"UPDATE {name} SET place = tree")
        return
    opened.execute(
        f"CREATE OR REPLACE TABLE {name} AS SELECT t.*, "
        f"dense_rank() OVER (ORDER BY p.place, t.tree) AS place "
        f"FROM {name} AS t LEFT JOIN {above} AS p ON t.up = p.key"
    )
