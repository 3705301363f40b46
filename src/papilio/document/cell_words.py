"""Values and published cells as words for people."""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import Any

import polars as pl

from papilio.data.column import ColumnType
from papilio.data.hierarchy.tree import ROOT
from papilio.document.text import LONGEST, plain_number, shown
from papilio.measure.read_cells import read_ranges, read_sets
from papilio.release.manifest import PublishedColumn

MISSING = "missing"
ANY = "any value"


def value_text(value: Any) -> str:
    """Write one value: numbers in full, moments without a time of day they do not have."""
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return plain_number(value)
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat(" ").removesuffix(" 00:00:00")
    if isinstance(value, date):
        return value.isoformat()
    return shown(str(value))


def cell_text(column: PublishedColumn, row: pl.DataFrame, dtype: pl.DataType) -> str:
    """Write a cell of a published row.

    Parameters
    ----------
    column
        How the cell is read.
    row
        A frame of one row.
    dtype
        Type of the column in the original.
    """
    if column.cells == "range":
        ranges = read_ranges(column, row, dtype)
        return range_text(ranges.low[0], ranges.high[0], null=bool(ranges.null[0]))
    cell = row.get_column(column.published[0])
    if column.cells == "set":
        return set_text(read_sets(column, cell)[0])
    if column.cells == "node":
        return _node_text(column, cell[0])
    return value_text(cell.cast(dtype)[0])


def range_text(low: Any, high: Any, *, null: bool) -> str:
    """Write a range: ``30–40``, ``30``, ``-5 to 3``, ``30–40 or missing``."""
    if low is None:
        return MISSING
    first, last = value_text(low), value_text(high)
    # An en dash beside a minus or a date's hyphens would be hard to read.
    dash = " to " if "-" in first + last else "–"
    text = first if first == last else f"{first}{dash}{last}"
    return f"{text} or {MISSING}" if null else text


def set_text(members: list[str | None]) -> str:
    """Write a set: ``a, b``; long ones as ``a, b and 7 more``."""
    texts = [MISSING if member is None else shown(member) for member in members]
    kept = 1
    while kept < len(texts) and len(", ".join(texts[: kept + 1])) <= LONGEST:
        kept += 1
    rest = len(texts) - kept
    return ", ".join(texts[:kept]) + (f" and {rest} more" if rest else "")


def _node_text(column: PublishedColumn, label: str | None) -> str:
    if label is None:
        return MISSING
    if label == ROOT:
        return ANY
    if (column.hierarchy or {}).get("automatic") and label.startswith("["):
        return _automatic_text(label, ordered=ColumnType(column.type).ordered)
    return shown(label)


def _automatic_text(label: str, *, ordered: bool) -> str:
    """Write a label such as ``[17, 25]`` like a range, and ``["a","b"]`` like a set."""
    if ordered:
        low, _, high = label.strip("[]").partition(", ")
        return range_text(low, high, null=False)
    try:
        return set_text(json.loads(label))
    except ValueError:
        # A value of its own that happens to begin with a bracket.
        return shown(label)
