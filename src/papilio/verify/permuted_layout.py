"""Whether a permuted release has the tables and columns that make it one."""

from __future__ import annotations

from dataclasses import dataclass

from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable

#: Aggregates of the help table and the columns that carry their bounds.
AGGREGATES = {
    "count": ("count_lo", "count_hi"),
    "sum": ("sum_lo", "sum_hi", "sum_mean", "sum_var"),
    "min": ("min_lo", "min_hi"),
    "max": ("max_lo", "max_hi"),
    "avg": ("avg_lo", "avg_hi"),
}


@dataclass(frozen=True)
class Layout:
    """Names in a permuted release.

    Attributes
    ----------
    people, values, help
        The three tables.
    group
        The column with the number of the group, in all of them.
    sensitive
        The sensitive column, in ``values`` only.
    shown
        Columns of ``people`` that are published as they were.
    """

    people: str
    values: str
    help: str
    group: str
    sensitive: str
    shown: tuple[PublishedColumn, ...]


def layout_faults(manifest: Manifest) -> list[str]:
    """Say in what a manifest differs from that of a permuted release."""
    names = [table.name for table in manifest.tables]
    if len(names) != 3 or names[1:] != [f"{names[0]}_values", f"{names[0]}_help"]:
        return ["the tables are not people, values and help table"]
    people, values, helping = manifest.tables
    faults = []
    if len({_numbers(table) for table in manifest.tables}) != 1 or len(_numbers(people)) != 1:
        faults.append("the tables do not have one group column each, of the same name")
    if not _holds_people(people):
        faults.append(f"'{people.name}' does not hold quasi-identifiers, plain columns and group")
    if not _holds_values(values):
        faults.append(f"'{values.name}' does not hold group and one numeric sensitive column")
    if not _is_help(helping):
        faults.append(f"'{helping.name}' does not hold group, hits and bounds")
    if any(table.left_out_at_most for table in manifest.tables):
        faults.append("rows are left out")
    return faults


def layout_of(manifest: Manifest) -> Layout:
    """Names in a manifest without :func:`layout_faults`."""
    people, values, helping = manifest.tables
    (group,) = _numbers(people)
    (sensitive,) = _of(values, "value")
    shown = tuple(_of(people, "value"))
    return Layout(people.name, values.name, helping.name, group, sensitive.name, shown)


def _of(table: PublishedTable, cells: str) -> list[PublishedColumn]:
    return [column for column in table.columns if column.cells == cells]


def _numbers(table: PublishedTable) -> tuple[str, ...]:
    return tuple(name for column in _of(table, "group") for name in column.published)


def _holds_people(table: PublishedTable) -> bool:
    shown = _of(table, "value")
    as_it_was = all(column.published == (column.name,) for column in shown)
    roles = {column.role for column in shown}
    return as_it_was and "quasi" in roles <= {"quasi", "plain"} and _only(table, "value", "group")


def _holds_values(table: PublishedTable) -> bool:
    found = [(c.role, c.type, c.published == (c.name,)) for c in _of(table, "value")]
    return found == [("sensitive", "numeric", True)] and _only(table, "value", "group")


def _is_help(table: PublishedTable) -> bool:
    hits = [column.published for column in _of(table, "hits")]
    bounds = {column.name: column.published for column in _of(table, "bounds")}
    complete = hits == [("hits",)] and bounds == AGGREGATES
    return complete and _only(table, "group", "hits", "bounds")


def _only(table: PublishedTable, *cells: str) -> bool:
    return all(column.cells in cells for column in table.columns)
