"""Whether the lines of a table are made of different source rows, and enough of them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import PublishedTable
from papilio.verify import sql
from papilio.verify.opened import Opened

Rows = NDArray[np.integer[Any]]


def row_faults(opened: Opened, table: PublishedTable, rows: Rows | None, count: int) -> list[str]:
    """Say what is wrong with the source rows that the lines of a table are said to be made of.

    Parameters
    ----------
    opened, table
        The release, and the table in question.
    rows
        Source row of each line, in the order in which the lines were written.
    count
        Number of source rows.
    """
    if rows is None:
        return [f"nobody says what the lines of '{table.name}' are made of"]
    (lines,) = opened.row(f"SELECT count(*) FROM {sql.name(table.name)}")
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or len(rows) != lines:
        return [f"{lines} lines are published, and {len(rows)} are said to be"]
    if lines and not (int(rows.min()) >= 0 and int(rows.max()) < count):
        return ["lines are made of rows that the original does not have"]
    faults = []
    different = named(rows, count).sum()
    if different < lines:
        faults.append(f"{lines - different} lines repeat a row of the original")
    missing = count - different
    if missing > spare_rows(table, count):
        faults.append(f"{missing} of {count} rows of the original are missing")
    return faults


def named(rows: Rows, count: int) -> NDArray[np.bool_]:
    """Which of the source rows are named."""
    seen = np.zeros(count, bool)
    seen[rows] = True
    return seen


def spare_rows(table: PublishedTable, count: int) -> int:
    """Rows that may be left out: floor(share n) of n; all if nothing is said about it."""
    share = table.left_out_at_most
    if share == 1:
        return count
    return math.floor(Fraction(str(share)) * count) if 0 <= share < 1 else 0
