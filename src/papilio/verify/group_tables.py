"""What the tables of permuted and of disguised releases have in common."""

from __future__ import annotations

from papilio.release.manifest import PublishedColumn, PublishedTable

#: Aggregates of the help table and the columns that carry their bounds.
AGGREGATES = {
    "count": ("count_lo", "count_hi"),
    "sum": ("sum_lo", "sum_hi", "sum_mean", "sum_var"),
    "min": ("min_lo", "min_hi"),
    "max": ("max_lo", "max_hi"),
    "avg": ("avg_lo", "avg_hi"),
}


def columns_with(table: PublishedTable, cells: str) -> list[PublishedColumn]:
    """Columns of a table that have one kind of cells."""
    return [column for column in table.columns if column.cells == cells]


def has_only(table: PublishedTable, *cells: str) -> bool:
    """Whether a table has no other kinds of cells."""
    return all(column.cells in cells for column in table.columns)


def group_names(table: PublishedTable) -> tuple[str, ...]:
    """Published columns with the number of a group; a table has one."""
    return tuple(name for column in columns_with(table, "group") for name in column.published)


def holds_people(table: PublishedTable) -> bool:
    """Whether a table holds quasi-identifiers and plain columns as they were, and the group."""
    shown = columns_with(table, "value")
    as_it_was = all(column.published == (column.name,) for column in shown)
    roles = {column.role for column in shown}
    known = "quasi" in roles <= {"quasi", "plain"}
    return as_it_was and known and has_only(table, "value", "group")


def is_help_table(table: PublishedTable) -> bool:
    """Whether a table holds group, hits, and bounds of every aggregate."""
    hits = [column.published for column in columns_with(table, "hits")]
    bounds = {column.name: column.published for column in columns_with(table, "bounds")}
    complete = hits == [("hits",)] and bounds == AGGREGATES
    return complete and has_only(table, "group", "hits", "bounds")
