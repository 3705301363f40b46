"""Whether a disguised release has the tables and columns that make it one."""

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
    """Names in a disguised release.

    Attributes
    ----------
    people, values
        The two tables every disguised release has.
    help
        The help table, which releases about numbers have.
    group
        The column with the number of the group, in all of them.
    sensitive
        How the disguised column is published, in ``values`` only.
    shown
        Columns of ``people`` that are published as they were.
    """

    people: str
    values: str
    help: str | None
    group: str
    sensitive: PublishedColumn
    shown: tuple[PublishedColumn, ...]


def layout_faults(manifest: Manifest) -> list[str]:
    """Say in what a manifest differs from that of a disguised release."""
    names = [table.name for table in manifest.tables]
    wanted = [names[0], f"{names[0]}_values", f"{names[0]}_help"] if names else []
    if len(names) < 2 or names != wanted[: len(names)]:
        return ["the tables are not people, values and help table"]
    people, values, *helping = manifest.tables
    faults = []
    if len({group_names(table) for table in manifest.tables}) != 1 or len(group_names(people)) != 1:
        faults.append("the tables do not have one group column each, of the same name")
    if not holds_people(people):
        faults.append(f"'{people.name}' does not hold quasi-identifiers, plain columns and group")
    if not _holds_ranges(values):
        faults.append(f"'{values.name}' does not hold group and one sensitive column in ranges")
    elif bool(helping) != (columns_with(values, "range")[0].type == "numeric"):
        faults.append("a help table goes with numbers, and with nothing else")
    if not all(is_help_table(table) for table in helping):
        faults.append("the help table does not hold group, hits and bounds")
    if any(table.left_out_at_most for table in manifest.tables):
        faults.append("rows are left out")
    return faults


def layout_of(manifest: Manifest) -> Layout:
    """Names in a manifest without :func:`layout_faults`."""
    people, values, *helping = manifest.tables
    (group,) = group_names(people)
    (sensitive,) = columns_with(values, "range")
    name = helping[0].name if helping else None
    return Layout(
        people.name, values.name, name, group, sensitive, tuple(columns_with(people, "value"))
    )


def _holds_ranges(table: PublishedTable) -> bool:
    found = [(c.role, len(c.published), c.text) for c in columns_with(table, "range")]
    return found == [("sensitive", 2, False)] and has_only(table, "range", "group")
