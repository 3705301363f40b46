"""Whether the release is what its manifest says: these files, columns and rows, no more."""

from __future__ import annotations

import hashlib
from pathlib import Path

from papilio.release.manifest import PublishedTable
from papilio.release.store import MANIFEST
from papilio.verify import sql
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, finding


def check_files(opened: Opened) -> list[Finding]:
    """Check that the files are those listed, unchanged; a release in memory has none."""
    if opened.directory is None:
        return []
    expected = {file.name: file.sha256 for file in opened.manifest.files}
    present = {path.name: path for path in opened.directory.iterdir() if path.name != MANIFEST}
    changed = [n for n in expected if n in present and _sha256(present[n]) != expected[n]]
    faults = [f"{name} changed" for name in changed]
    faults += [f"{name} is missing" for name in sorted(set(expected) - set(present))]
    faults += [f"{name} is not listed" for name in sorted(set(present) - set(expected))]
    measured = "; ".join(faults) or f"{len(expected)} files as listed"
    return [finding("files", "as listed, with their SHA-256", measured, not faults)]


def _sha256(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_columns(opened: Opened, table: PublishedTable) -> Finding:
    """Check that a table has the columns the manifest describes and no other."""
    described = [name for column in table.columns for name in column.published]
    present = [row[0] for row in opened.rows(f"DESCRIBE SELECT * FROM {sql.name(table.name)}")]
    surplus = [name for name in present if name not in described]
    absent = [name for name in described if name not in present]
    faults = [f"'{name}' is not described" for name in surplus]
    faults += [f"'{name}' is missing" for name in absent]
    measured = "; ".join(faults) or f"{len(present)} columns as described"
    return finding(f"columns of {table.name}", "as the manifest says", measured, not faults)


def check_rows(opened: Opened, table: PublishedTable) -> Finding:
    """Check the number of rows."""
    (count,) = opened.row(f"SELECT count(*) FROM {sql.name(table.name)}")
    return finding(f"rows of {table.name}", str(table.rows), str(count), count == table.rows)


def check_claimed(opened: Opened, table: PublishedTable) -> Finding:
    """Check that every quasi-identifier is part of a claim; else nothing is promised about it."""
    quasi = [column.name for column in table.columns if column.role == "quasi"]
    claimed = {
        name
        for claim in opened.manifest.claims
        if claim.table == table.name
        for name in claim.columns
    }
    forgotten = [name for name in quasi if name not in claimed]
    measured = "no claim about " + ", ".join(forgotten) if forgotten else "all claimed for"
    demanded = "every quasi-identifier is part of a claim"
    return finding(f"claims about {table.name}", demanded, measured, bool(quasi) and not forgotten)
