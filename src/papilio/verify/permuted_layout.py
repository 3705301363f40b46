"""Whether a permuted release has the tables and columns that make it one."""

from __future__ import annotations

from dataclasses import dataclass

from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable
from papilio.verify.group_tables import (
    columns_with,
    group_names,
    has_only,
    holds_people,
    is_help_table,
)


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
    if len({group_names(table) for table in manifest.tables}) != 1 or len(group_names(people)) != 1:
        faults.append("the tables do not have one group column each, of the same name")
    if not holds_people(people):
        faults.append(f"'{people.name}' does not hold quasi-identifiers, plain columns and group")
    if not _holds_values(values):
        faults.append(f"'{values.name}' does not hold group and one numeric sensitive column")
    if not is_help_table(helping):
        faults.append(f"'{helping.name}' does not hold group, hits and bounds")
    if any(table.left_out_at_most for table in manifest.tables):
        faults.append("rows are left out")
    return faults


def layout_of(manifest: Manifest) -> Layout:
    """Names in a manifest without :func:`layout_faults`."""
    people, values, helping = manifest.tables
    (group,) = group_names(people)
    (sensitive,) = columns_with(values, "value")
    shown = tuple(columns_with(people, "value"))
    return Layout(people.name, values.name, helping.name, group, sensitive.name, shown)


def _holds_values(table: PublishedTable) -> bool:
    found = [(c.role, c.type, c.published == (c.name,)) for c in columns_with(table, "value")]
    return found == [("sensitive", "numeric", True)] and has_only(table, "value", "group")
