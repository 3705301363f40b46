"""Numbers as people read them, and text of the data made safe to show."""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from typing import Any

import polars as pl

from papilio.data.hierarchy.tree import ROOT
from papilio.data.table import ColumnType
from papilio.measure.read_cells import read_ranges, read_sets
from papilio.release.manifest import PublishedColumn

#: Shares below this are not told from nothing, but not called nothing either.
_LEAST_SHARE = 0.000_01


def count(number: int) -> str:
    """Write a whole number with thousands separators: ``30,162``."""
    return f"{number:,}"


def significant(number: float) -> str:
    """Write a number with three significant digits, but never fewer than its whole part has.

    ``0.01234`` is ``0.0123``, ``12.34`` is ``12.3`` and ``30162.4`` is ``30,162``.
    """
    if number == 0:
        return "0"
    if abs(number) >= 100:
        return f"{number:,.0f}"
    if abs(number) < 1e-4:
        return f"{number:.2e}"
    text = f"{number:.3g}"
    return f"{float(text):,}".removesuffix(".0")


def percentage(share: float) -> str:
    """Write a share with three significant digits: ``12.3%``; tiny ones as ``<0.001%``."""
    if 0 < share < _LEAST_SHARE:
        return "<0.001%"
    if share < 1 and share * 100 >= 99.95:
        return ">99.9%"
    if share == 0:
        return "0%"
    return f"{f'{share * 100:#.3g}'.removesuffix('.')}%"


def prose(text: str) -> str:
    """Give the numbers in a sentence thousands separators, and comparisons their signs."""
    grouped = re.sub(r"(?<![\w.,])\d{4,}(?![\w.])", lambda number: count(int(number[0])), text)
    return grouped.replace(">=", "≥").replace("<=", "≤")


def plural(number: int, one: str, several: str) -> str:
    """Write a count with its noun: ``1 class``, ``1,200 classes``."""
    return f"{count(number)} {one if number == 1 else several}"


def listing(names: list[str]) -> str:
    """Join names as in a sentence: ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def plain_number(number: float) -> str:
    """Write a number in full, whole ones without a decimal point: ``2``, ``0.25``."""
    return repr(number).removesuffix(".0")


#: Longest text shown as a cell or a label.
LONGEST = 80
# Control characters drive terminals and are not allowed in SVG; the second row turns the direction
# of the text around it, the third is no text at all.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"
    "\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def legible(text: str) -> str:
    """Replace characters that cannot be seen but do something by ``�``."""
    return _UNSEEN.sub("\ufffd", text)


def shown(text: str, longest: int = LONGEST) -> str:
    """Make a value legible, short, and visible even if it is empty."""
    if not text.strip():
        return "(empty)" if not text else "(blank)"
    start = legible(text[: longest + 1])
    return start if len(start) <= longest else start[: longest - 1] + "…"


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
