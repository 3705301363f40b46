"""Whether every generalised cell is well formed, so that a stranger can read it.

And whether cells keep complete rows to themselves: where exactly one column of a class varies, and
cells are the smallest of their classes, each end and each listed value of it proves a whole row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from papilio.release.manifest import Claim, PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.integrity import family
from papilio.verify.labels import label_reader
from papilio.verify.opened import WORK, Opened
from papilio.verify.readings import OneOf, Reader, Reading, Span, range_reader, set_reader
from papilio.verify.verdict import Finding, Status, finding, not_checked

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
    return reader_of(column, opened.hierarchies)


def reader_of(column: PublishedColumn, hierarchies: Mapping[str, str]) -> Reader | None:
    """How they are read, given the texts of the files of paths by file name."""
    if column.cells == "range":
        return range_reader(column)
    if column.cells == "set":
        return set_reader(column)
    return label_reader(column, hierarchies) if column.cells == "node" else None


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


#: What is claimed of cells of which no complete row follows.
SAFE_CELLS = "safe-cells"


def check_safe_cells(opened: Opened, claim: Claim) -> Finding:
    """Check that in each class two columns vary, or none and it has k rows.

    A column varies in a class if its cell allows several values, NULL being one. Columns of which
    the release says that they follow others do not count among the two.

    Notes
    -----
    Cost: one grouping of the rows, and a reading of each distinct cell that is text.
    """
    k, among = claim.parameters.get("k"), claim.parameters.get("among")
    if isinstance(k, bool) or not isinstance(k, int) or k < 1 or not isinstance(among, list):
        return _safe(claim, "k >= 1", "the claim has no k, or names no columns", holds=False)
    table = opened.manifest.table(claim.table)
    quasi = [column for column in table.columns if column.role == "quasi"]
    demanded = f"two columns vary, or none in {k} rows"
    if {*among} != {each.name for each in quasi} - _following(opened, claim.table):
        measured = "other columns than the quasi-identifiers that follow none"
        return _safe(claim, demanded, measured, holds=False)
    if any(not _is_read(opened, table, each) for each in quasi):
        return not_checked(claim)
    counted = _counted(opened, table, quasi, among)
    bad = f"NOT (free >= 2 OR (every = 0 AND n >= {k}))"
    classes, short, rows, equal = opened.row(
        f"SELECT count(*), {sql.count_where(bad)}, {sql.sum_where('n', bad)}, "
        f"{sql.count_where('every = 0')} FROM ({counted}) AS classes"
    )
    measured = f"{classes - equal - short} of {classes} classes vary, {equal} are of equal rows"
    if short:
        measured += f"; complete rows follow from {short} classes of {int(rows)} rows"
    return _safe(claim, demanded, measured, holds=not short and classes > 0)


def _safe(claim: Claim, demanded: str, measured: str, *, holds: bool) -> Finding:
    return finding(SAFE_CELLS, demanded, measured, holds, recipient=claim.recipient)


def _following(opened: Opened, table: str) -> set[str]:
    """Columns of a table that follow others, as the release claims and others have checked."""
    return {
        str(claim.parameters.get("column"))
        for claim in opened.manifest.claims
        if claim.claim == "follows" and claim.table == table
    }


def _is_read(opened: Opened, table: PublishedTable, column: PublishedColumn) -> bool:
    own = column.cells == "value" or has_bounds(column)
    return own or readings_of(opened, table, column) is not None


def _counted(
    opened: Opened, table: PublishedTable, quasi: Sequence[PublishedColumn], among: Sequence[str]
) -> str:
    """SQL for the rows of each class, and how many of its columns vary: of some, and of all."""
    cells = [name for column in quasi for name in column.published]
    parts = [f"{sql.name(cell)} AS p{place}" for place, cell in enumerate(cells)]
    joined, marks = [], {}
    for place, column in enumerate(quasi):
        if has_bounds(column):
            low, high, null = bounds(opened, table, column)
            wide = f"{low} < {high} OR ({low} IS NOT NULL AND {null})"
            parts.append(f"CASE WHEN {wide} THEN 1 ELSE 0 END AS v{place}")
            marks[column.name] = f"v{place}"
        elif column.cells == "value":
            marks[column.name] = "0"
        else:
            opened.keep_columns(f"several_{place}", {"cell": _several(opened, table, column)})
            shown = cells.index(column.published[0])
            same = f"CAST(p{shown} AS {sql.TEXT}) = s{place}.cell"
            joined.append(f"LEFT JOIN {WORK}.several_{place} AS s{place} ON {same}")
            marks[column.name] = f"(CASE WHEN s{place}.cell IS NULL THEN 0 ELSE 1 END)"
    keys = ", ".join(part.rsplit(" ", 1)[1] for part in parts)
    lines = f"SELECT {', '.join(parts)} FROM {sql.name(table.name)}"
    grouped = f"SELECT {keys}, count(*) AS n FROM ({lines}) AS cells GROUP BY {keys}"
    free = " + ".join(marks[name] for name in among) or "0"
    every = " + ".join(marks.values()) or "0"
    return f"SELECT n, {free} AS free, {every} AS every FROM ({grouped}) AS g {' '.join(joined)}"


def _several(opened: Opened, table: PublishedTable, column: PublishedColumn) -> pa.Array:
    """Distinct cells of a column of text that allow several values."""
    readings = readings_of(opened, table, column) or {}
    return pa.array(_open(readings), pa.string())


def _open(readings: dict[str | None, Reading | None]) -> Iterator[str]:
    for text, reading in readings.items():
        if text is not None and reading is not None and not _is_one_value(reading):
            yield text


def _is_one_value(reading: Reading) -> bool:
    match reading:
        case OneOf(values, null):
            return len(values) + null < 2
        case Span(low, high, half_open, null):
            return low == high and not half_open and not null
    return False
