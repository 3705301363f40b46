"""Whether every generalised cell is well formed, so that a stranger can read it."""

from __future__ import annotations

from collections.abc import Sequence

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.integrity import family
from papilio.verify.labels import label_reader
from papilio.verify.opened import Opened
from papilio.verify.readings import Reader, Reading, range_reader, set_reader
from papilio.verify.verdict import Finding, Status, finding

_DEMANDED = {
    "range": "smallest <= largest, NULL only where said",
    "set": "sorted lists without repetition",
    "node": "labels of the hierarchy",
}


def check_cells(opened: Opened, table: PublishedTable) -> list[Finding]:
    """Check the cells of every generalised column of a table.

    Notes
    -----
    Cost: one pass over all columns with bounds together, and one over each other column.
    """
    generalised = [column for column in table.columns if column.cells != "value"]
    bounded = _ill_bounded(opened, table, [c for c in generalised if has_bounds(c)])
    return [
        _finding(
            table,
            column,
            bounded[column.name] if has_bounds(column) else _ill_formed(opened, table, column),
        )
        for column in generalised
    ]


def reader(opened: Opened, column: PublishedColumn) -> Reader | None:
    """How the cells of a column are read that are written as one text; ``None`` if unknown."""
    if column.cells == "range":
        return range_reader(column)
    if column.cells == "set":
        return set_reader(column)
    return label_reader(column, opened.hierarchies) if column.cells == "node" else None


def has_bounds(column: PublishedColumn) -> bool:
    """Whether a column is published as ``_min``, ``_max`` and perhaps ``_null``."""
    return column.cells == "range" and not column.text


def bounds(opened: Opened, table: PublishedTable, column: PublishedColumn) -> tuple[str, str, str]:
    """SQL for smallest value, largest value and "may be NULL" of a column with bounds.

    In a CSV file nothing shows the type of a column that is NULL throughout.
    """
    types = opened.types(table.name)
    empty = "TIMESTAMP" if column.type == "date" else "BIGINT"
    low, high = (
        sql.name(name) if family(types[name]) == column.type else f"CAST(NULL AS {empty})"
        for name in column.published[:2]
    )
    if column.type == "date":
        low, high = f"CAST({low} AS TIMESTAMP)", f"CAST({high} AS TIMESTAMP)"
    null = column.published[2:]
    if not null:
        return low, high, "false"
    return low, high, sql.name(null[0]) if types[null[0]] == "BOOLEAN" else "CAST(NULL AS BOOLEAN)"


def _finding(table: PublishedTable, column: PublishedColumn, count: int | None) -> Finding:
    claim = f"cells of {table.name}"
    if count is None:
        measured = "cells of an unknown kind"
        return Finding(claim, "a known kind", measured, Status.NOT_CHECKED, column=column.name)
    measured = f"{count} rows break it" if count else "all rows"
    return finding(claim, _DEMANDED[column.cells], measured, count == 0, column=column.name)


def _ill_bounded(
    opened: Opened, table: PublishedTable, columns: Sequence[PublishedColumn]
) -> dict[str, int]:
    """Rows with bounds that cannot be, by column."""
    if not columns:
        return {}
    tests = [f"NOT coalesce({_proper(opened, table, column)}, false)" for column in columns]
    counts = opened.row(
        f"SELECT {', '.join(map(sql.count_where, tests))} FROM {sql.name(table.name)}"
    )
    return {column.name: int(n) for column, n in zip(columns, counts, strict=True)}


def _proper(opened: Opened, table: PublishedTable, column: PublishedColumn) -> str:
    low, high, null = bounds(opened, table, column)
    limited = sql.is_moment if column.type == "date" else sql.is_finite
    return (
        f"CASE WHEN {low} IS NULL AND {high} IS NULL THEN {null} "
        f"ELSE {low} <= {high} AND {limited(low)} AND {limited(high)} "
        f"AND {null} IS NOT NULL END"
    )


def _ill_formed(opened: Opened, table: PublishedTable, column: PublishedColumn) -> int | None:
    """Rows with a text that cannot be read; ``None`` if no such cells are known here."""
    readings = readings_of(opened, table, column)
    if readings is None:
        return None
    cells = distinct_cells(opened, table.name, column.published[0])
    return sum(count for text, count in cells if readings[text] is None)


def readings_of(
    opened: Opened, table: PublishedTable, column: PublishedColumn
) -> dict[str | None, Reading | None] | None:
    """What each distinct cell of a column of text allows, read once; ``None`` if unknown here.

    A cell that is not well formed has ``None``; NULL is always among them.
    """
    key = ("readings", table.name, column.name)
    if key not in opened.kept:
        read = reader(opened, column)
        cells = distinct_cells(opened, table.name, column.published[0])
        texts = {None, *(text for text, _ in cells)}
        opened.kept[key] = None if read is None else {text: read(text) for text in texts}
    readings: dict[str | None, Reading | None] | None = opened.kept[key]
    return readings


def distinct_cells(opened: Opened, table: str, name: str) -> list[tuple[str | None, int]]:
    """Distinct cells of a column and their numbers of rows, asked for once.

    A million lists would take longer to read than to publish.
    """
    key = ("cells", table, name)
    if key not in opened.kept:
        cell = sql.name(name)
        found = opened.rows(f"SELECT {cell}, count(*) FROM {sql.name(table)} GROUP BY {cell}")
        opened.kept[key] = [(text, int(count)) for text, count in found]
    cells: list[tuple[str | None, int]] = opened.kept[key]
    return cells
