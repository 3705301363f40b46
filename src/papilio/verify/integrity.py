"""Whether the release is what its manifest says: these files, tables, columns and rows, no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from papilio.release.draft import MANIFEST
from papilio.release.files import changed_since
from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, finding

#: SQL types by what they hold; any other type is none of these.
_FAMILIES = {
    "numeric": ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE"),
    "date": ("DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE"),
    "boolean": ("BOOLEAN",),
    "category": ("VARCHAR",),
}

#: Kinds of cells that are numbers of the release's own.
_NUMBERS = ("group", "hits", "bounds")
#: Roles whose columns may leave.
_ROLES = ("quasi", "sensitive", "plain")
#: Roles of the columns that link tables to each other.
_LINKING = ("key", "parent")


def check_files(opened: Opened) -> list[Finding]:
    """Check that the files are those listed, unchanged; a release in memory has none."""
    if opened.directory is None:
        return []
    present = {path.name for path in opened.directory.iterdir() if path.name != MANIFEST}
    faults = [f"{name} {seen.fault}" for name, seen in opened.files.items() if seen.fault]
    faults += [f"{name} is not listed" for name in sorted(present - set(opened.files))]
    faults += [
        f"{name} is listed twice" for name in _repeated(f.name for f in opened.manifest.files)
    ]
    needed = _referred(opened)
    faults += [
        f"{file.name} is of no use to a reader"
        for file in opened.manifest.files
        if file.table is None and file.name not in needed
    ]
    measured = "; ".join(faults) or f"{len(opened.files)} files as listed"
    return [finding("files", "as listed, with their SHA-256", measured, not faults)]


def _referred(opened: Opened) -> set[object]:
    """Files that a column's hierarchy or a claim's tree is read from."""
    trees = [
        column.hierarchy.get("paths")
        for table in opened.manifest.tables
        for column in table.columns
        if column.hierarchy is not None
    ]
    claimed = [claim.parameters.get("tree") for claim in opened.manifest.claims]
    return {name for name in [*trees, *claimed] if isinstance(name, str)}


def check_unchanged(opened: Opened) -> list[Finding]:
    """Check that the files are still those that were looked at; nothing is said if they are."""
    if opened.directory is None:
        return []
    stamps = {name: seen.stamp for name, seen in opened.files.items() if seen.stamp is not None}
    faults = [f"{name} changed meanwhile" for name in changed_since(opened.directory, stamps)]
    demanded = "the same until all was checked"
    return [finding("files", demanded, "; ".join(faults), holds=False)] if faults else []


def check_tables(opened: Opened) -> Finding:
    """Check that there are readable files of every described table, and no other table.

    A table may have several files; then they have the same columns.
    """
    described = [table.name for table in opened.manifest.tables]
    faults = [f"'{name}' is described twice" for name in _repeated(described)]
    faults += [f"'{name}' is not described" for name in sorted(opened.tables - {*described})]
    faults += [f"'{name}' has no file" for name in sorted({*described} - opened.tables)]
    faults += [f"'{name}' {fault}" for name, fault in sorted(opened.faults.items())]
    measured = "; ".join(faults) or f"{len(described)} as described"
    return finding("tables", "as the manifest says", measured, not faults)


def check_columns(opened: Opened, table: PublishedTable) -> Finding:
    """Check that a table has the columns the manifest describes, of such types, and no other."""
    described = [name for column in table.columns for name in column.published]
    present = opened.types(table.name)
    faults = [f"'{name}' is not described" for name in present if name not in described]
    faults += [f"'{name}' is missing" for name in described if name not in present]
    faults += [f"'{name}' is described twice" for name in _repeated(described)]
    faults += [f"'{name}' is described twice" for name in _repeated(c.name for c in table.columns)]
    roles = (*_ROLES, *_LINKING) if opened.manifest.kind == "linked" else _ROLES
    faults += [f"'{c.name}' has the role '{c.role}'" for c in table.columns if c.role not in roles]
    if not faults:
        faults = [f for column in table.columns for f in _type_faults(opened, table, column)]
    measured = "; ".join(faults) or f"{len(present)} columns as described"
    return finding(f"columns of {table.name}", "as the manifest says", measured, not faults)


def family(kind: str) -> str:
    """What a column of an SQL type holds: ``numeric``, ``date``, ``boolean`` or ``category``."""
    return next((name for name, kinds in _FAMILIES.items() if kind in kinds), kind)


def _type_faults(opened: Opened, table: PublishedTable, column: PublishedColumn) -> list[str]:
    wanted = _wanted(column)
    if column.cells in _NUMBERS and column.type != "numeric":
        return [f"'{column.name}' holds numbers, whatever the manifest says"]
    if len(wanted) != len(column.published):
        return [f"'{column.name}' cannot be in {len(column.published)} columns"]
    types = opened.types(table.name)
    return [
        f"'{name}' does not hold what the manifest says"
        for name, kind in zip(column.published, wanted, strict=True)
        if family(types[name]) != kind
        and (column.cells in _NUMBERS or not _is_empty(opened, table, name))
    ]


def _wanted(column: PublishedColumn) -> list[str]:
    """What each published column of a column must hold."""
    if column.cells == "value":
        return [column.type]
    if column.cells in _NUMBERS:
        return ["numeric"] * len(column.published)
    if column.cells == "range" and not column.text:
        return [column.type, column.type, "boolean"][: max(2, len(column.published))]
    return ["category"]


def _is_empty(opened: Opened, table: PublishedTable, name: str) -> bool:
    """Whether a column holds NULL only; in a CSV file its type is then not to be seen."""
    (count,) = opened.row(f"SELECT count({sql.name(name)}) FROM {sql.name(table.name)}")
    return bool(count == 0)


def check_rows(opened: Opened, table: PublishedTable) -> Finding:
    """Check the number of rows, and that the share that may be left out is one."""
    (count,) = opened.row(f"SELECT count(*) FROM {sql.name(table.name)}")
    claim, demanded = f"rows of {table.name}", str(table.rows)
    if not 0 <= table.left_out_at_most < 1:
        return finding(claim, demanded, "the share left out is not from 0 to 1", holds=False)
    return finding(claim, demanded, str(count), count == table.rows)


def check_claimed(opened: Opened, table: PublishedTable) -> Finding:
    """Check that every quasi-identifier is part of a claim; else nothing is promised about it.

    A generalised column that is called plain would be one nobody promises anything about.
    """
    claimed = {
        name
        for claim in opened.manifest.claims
        if claim.table == table.name
        for name in claim.columns
    }
    quasi = [column.name for column in table.columns if column.role == "quasi"]
    hidden = [c.name for c in table.columns if c.role == "plain" and c.cells != "value"]
    faults = [f"no claim about '{name}'" for name in quasi if name not in claimed]
    faults += [f"'{name}' is generalised but not a quasi-identifier" for name in hidden]
    if not quasi:
        faults.append("no quasi-identifier")
    demanded = "every quasi-identifier is part of a claim"
    measured = "; ".join(faults) or "all claimed for"
    return finding(f"claims about {table.name}", demanded, measured, not faults)


def _repeated(names: Iterable[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1)
