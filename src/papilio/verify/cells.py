"""Whether every generalised cell is well formed, so that a stranger can read it."""

from __future__ import annotations

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.readings import known_labels, set_values
from papilio.verify.verdict import Finding, Status, finding

_DEMANDED = {
    "range": "smallest <= largest, NULL only where said",
    "set": "sorted lists without repetition",
    "node": "labels of the hierarchy",
}


def check_cells(opened: Opened, table: PublishedTable) -> list[Finding]:
    """Check the cells of every quasi-identifier of a table."""
    return [_check(opened, table, column) for column in table.columns if column.role == "quasi"]


def _check(opened: Opened, table: PublishedTable, column: PublishedColumn) -> Finding:
    claim = f"cells of {table.name}"
    demanded = _DEMANDED.get(column.cells)
    if demanded is None:
        measured = "cells of an unknown kind"
        return Finding(claim, "a known kind", measured, Status.NOT_CHECKED, column=column.name)
    # Looking at distinct cells only: parsing a million lists would take longer than publishing.
    cells = (
        f"SELECT {sql.names(column.published)}, count(*) AS n FROM {sql.name(table.name)} "
        f"GROUP BY {sql.names(column.published)}"
    )
    (count,) = opened.row(
        f"SELECT coalesce(sum(n), 0) FROM ({cells}) "
        f"WHERE NOT coalesce({_proper(opened, column)}, false)"
    )
    measured = f"{count} rows break it" if count else "all rows"
    return finding(claim, demanded, measured, count == 0, column=column.name)


def _proper(opened: Opened, column: PublishedColumn) -> str:
    """Condition that is true for well-formed cells."""
    if column.cells == "range":
        return _proper_text_range(column) if column.text else _proper_range(column)
    if column.cells == "set":
        return _proper_set(column)
    labels = known_labels(opened, column)
    if labels is None:
        return "true"
    cell = sql.name(column.published[0])
    return f"{cell} IS NULL OR {cell} IN ({', '.join(map(sql.text, labels))})"


def _proper_range(column: PublishedColumn) -> str:
    low, high, *null = map(sql.name, column.published)
    if not null:
        return f"{low} <= {high}"
    return (
        f"CASE WHEN {low} IS NULL AND {high} IS NULL THEN {null[0]} "
        f"ELSE {low} <= {high} AND {null[0]} IS NOT NULL END"
    )


def _proper_text_range(column: PublishedColumn) -> str:
    cell = sql.name(column.published[0])
    form = r"^(\[[^\[\],]+, [^\[\],]+\]( or NULL)?|[^\[\],]+)$"
    return f"{cell} IS NULL OR regexp_matches({cell}, {sql.text(form)})"


def _proper_set(column: PublishedColumn) -> str:
    values = set_values(column)
    known = f"list_filter({values}, lambda v: v IS NOT NULL)"
    return (
        f"len({values}) > 0 AND list_sort({values}, 'ASC', 'NULLS FIRST') = {values} "
        f"AND len(list_distinct({values})) = len({known}) AND len({values}) - len({known}) <= 1"
    )
