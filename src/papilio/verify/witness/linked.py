"""Truthfulness of linked tables: every row true of its own, under the row it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import polars as pl

from papilio.release.made import Witness
from papilio.release.manifest import PublishedTable
from papilio.verify import sql
from papilio.verify.linked_links import ordered
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.table import check_table
from papilio.verify.witness.values import Rows

#: Columns of the original's tables with the number of a row and of the row above it.
ROW, UP = "papilio_row", "papilio_up"


def check_linked(
    opened: Opened, originals: Mapping[str, pl.DataFrame], witness: Witness
) -> Iterator[Finding]:
    """Check every table, and that each row hangs off the row it hangs off in the original.

    With both, every published person's tree is part of the tree of that person.
    """
    for table in ordered(opened):
        original = originals.get(table.name, pl.DataFrame())
        rows = witness.get(table.name)
        own = [c for c in table.columns if c.role not in ("key", "parent")]
        content = original.drop(ROW, UP, strict=False)
        claim = f"truthfulness of {table.name}"
        described = replace(table, columns=tuple(own))
        found = check_table(opened, described, content, rows, claim, height=original.height)
        yield found
        if table.parent is not None and rows is not None and found.status is Status.HOLDS:
            yield _parents(opened, table, original.get_column(UP).to_numpy(), rows, witness)


def _parents(
    opened: Opened, table: PublishedTable, up: Rows, rows: Rows, witness: Witness
) -> Finding:
    assert table.parent is not None  # noqa: S101 - asked for tables that hang off another
    ((above, column),) = table.parent.items()
    key = str(opened.manifest.table(above).key)
    source_of_key = _by_key(opened, above, key, witness[above])
    (references,) = opened.arrays(
        f"SELECT coalesce(CAST({sql.name(column)} AS BIGINT), 0) AS up FROM {sql.name(table.name)}"
    )
    astray = int((source_of_key[np.asarray(references, np.int64)] != up[rows]).sum())
    measured = f"{astray} rows hang off another" if astray else "all rows do"
    demanded = f"every row belongs to the row of '{above}' that it belongs to in the original"
    return finding(f"parents of {table.name}", demanded, measured, not astray)


def _by_key(opened: Opened, table: str, key: str, rows: Rows) -> Rows:
    """Source row of the row with each key; keys run from 1 to the number of rows."""
    (keys,) = opened.arrays(f"SELECT CAST({sql.name(key)} AS BIGINT) AS k FROM {sql.name(table)}")
    source = np.full(len(rows) + 1, -1, np.int64)
    source[np.asarray(keys, np.int64)] = rows
    return source
