"""Truthfulness of projections: each table by itself, all columns in one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from papilio.release.made import Witness
from papilio.release.manifest import Manifest
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, finding
from papilio.verify.witness.table import check_table


def check_projected(opened: Opened, original: pl.DataFrame, witness: Witness) -> Iterator[Finding]:
    """Check that every column of the original is in a table, and the truth of every table."""
    yield check_plan(opened.manifest, original.columns)
    for table in opened.manifest.tables:
        own = original.select(c.name for c in table.columns if c.name in original.columns)
        claim = f"truthfulness of {table.name}"
        yield check_table(opened, table, own, witness.get(table.name), claim)


def check_plan(manifest: Manifest, names: Sequence[str]) -> Finding:
    """Check that every column of the original, given by their names, is in a table."""
    published = {column.name for table in manifest.tables for column in table.columns}
    missing = [name for name in names if name not in published]
    measured = "; ".join(f"'{name}' is in no table" for name in missing) or "all of them"
    demanded = "every column of the original in a table"
    return finding("completeness of the plan", demanded, measured, not missing)
