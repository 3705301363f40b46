"""Truthfulness of one table, line by line."""

from __future__ import annotations

import numpy as np
import polars as pl

from papilio.release.manifest import PublishedTable
from papilio.verify.opened import Opened
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.lines import untrue_lines
from papilio.verify.witness.rows import Rows, row_faults

DEMANDED = "every line is true of a row of the original of its own, and no row is lost"


def check_table(
    opened: Opened,
    table: PublishedTable,
    original: pl.DataFrame,
    rows: Rows | None,
    claim: str = "truthfulness",
    *,
    height: int | None = None,
) -> Finding:
    """Check a table against the original, with the source row of each line at hand.

    Parameters
    ----------
    opened, table
        The release, and the table in question.
    original
        Exactly the columns that the table should have, all rows; texts may be ``Enum``.
    rows
        Source row of each line in the order in which they were written, from 0, as the method says
        it; ``None`` if it says nothing.
    claim
        What the finding is called.
    height
        Number of rows of the original, where it may have no column left to tell.

    Notes
    -----
    Guarantees that the lines are made of different source rows, that no more are missing than may
    be left out, and that every cell is true of the row it is made of. Cost: linear; see
    :func:`papilio.verify.witness.lines.untrue_lines`.
    """
    count = original.height if height is None else height
    faults = column_faults(table, original) or row_faults(opened, table, rows, count)
    if faults or rows is None:
        return finding(claim, DEMANDED, "; ".join(faults), holds=False)
    untrue, blamed = np.zeros(len(rows), bool), []
    for column in table.columns:
        found = untrue_lines(opened, table, column, original.get_column(column.name), rows)
        if found is None:
            measured = f"cells of an unknown kind in '{column.name}'"
            return Finding(claim, DEMANDED, measured, Status.NOT_CHECKED)
        untrue |= found
        blamed += [f"'{column.name}'"] if found.any() else []
    wrong = int(untrue.sum())
    if wrong:
        measured = f"{wrong} of {len(rows)} lines are not, for {', '.join(blamed)}"
        return finding(claim, DEMANDED, measured, holds=False)
    measured = f"all {len(rows)} lines are"
    if table.left_out_at_most:
        measured += f"; {count - len(rows)} of {count} rows left out"
    return finding(claim, DEMANDED, measured, holds=True)


def column_faults(table: PublishedTable, original: pl.DataFrame) -> list[str]:
    """Columns of one side that the other does not have, or has as something else."""
    kinds = {name: family_of(kind) for name, kind in original.schema.items()}
    published = {column.name: column.type for column in table.columns}
    faults = [f"'{name}' is not in the original" for name in published if name not in kinds]
    faults += [f"'{name}' is not published" for name in kinds if name not in published]
    return faults + [
        f"'{name}' is not {published[name]} in the original"
        for name, kind in kinds.items()
        if name in published and kind != published[name]
    ]


def family_of(kind: pl.DataType) -> str:
    """What a column of a type holds: ``numeric``, ``date``, ``boolean`` or ``category``."""
    if kind.is_integer() or kind.is_float():
        return "numeric"
    families = {pl.Date: "date", pl.Datetime: "date", pl.Boolean: "boolean"}
    texts = {pl.Enum: "category", pl.String: "category"}
    return (families | texts).get(kind.base_type(), str(kind))
