"""What the tables of permuted and of disguised releases have in common."""

from __future__ import annotations

from collections.abc import Sequence

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened


def wrong_columns(opened: Opened, tests: Sequence[tuple[str, str]], source: str) -> list[str]:
    """Say of each column in how many rows it is wrong; nothing of those that are right.

    A number that is NULL, infinite or NaN is wrong whatever its test says.

    Parameters
    ----------
    opened
        The release.
    tests
        For each column, SQL that tells whether it is right.
    source
        What the tests are asked of: the help table joined with what it should say, as SQL.
    """
    counts = ", ".join(
        sql.count_where(f"NOT coalesce({sql.is_finite(sql.name(name))} AND {test}, false)")
        for name, test in tests
    )
    found = zip(tests, opened.row(f"SELECT {counts} FROM {source}"), strict=True)
    return [f"{int(count)} rows are wrong in {name}" for (name, _), count in found if count]


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
