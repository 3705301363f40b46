"""How often the values of columns occur, for a look at them before anything is published.

What comes out holds values of the data: it is for the owner's eyes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl

from papilio.data.io.read import read
from papilio.data.source import Source
from papilio.data.table import ColumnType
from papilio.data.types import column_type, convert
from papilio.document.bins import bins_over
from papilio.document.text import shown
from papilio.progress import Progress, silent

#: Labels that are counted on their own.
MOST_LABELS = 12


@dataclass(frozen=True)
class ValueCounts:
    """How often the values of one column occur.

    Attributes
    ----------
    column
        Its name.
    type
        How its values compare, found from the values.
    labels, rows
        Bins of numbers and dates in order, or the most frequent labels first; and the number of
        rows of each.
    others
        Number of rows with further labels.
    missing
        Number of rows without a value.
    distinct
        Number of distinct values, NULL not counted.
    lowest, highest
        Ends of a numeric column.
    longest
        Most characters of a text.
    """

    column: str
    type: ColumnType
    labels: tuple[str, ...]
    rows: tuple[int, ...]
    others: int
    missing: int
    distinct: int
    lowest: float | None = None
    highest: float | None = None
    longest: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data."""
        return asdict(self) | {
            "type": str(self.type),
            "labels": list(self.labels),
            "rows": list(self.rows),
        }


def count_values(
    source: Source, columns: Collection[str] | None = None, *, progress: Progress | None = None
) -> tuple[ValueCounts, ...]:
    """Count the values of columns of a table.

    Parameters
    ----------
    source
        Where the table is.
    columns
        Columns to look at; left out, all of them.
    progress
        Told of each stage.

    Notes
    -----
    Cost: one hash per cell.
    """
    tell = progress or silent
    tell("reading", 0.0)
    raw = read(source, columns)
    found = []
    for number, series in enumerate(raw.frame.get_columns()):
        tell("counting", 0.2 + 0.8 * number / raw.frame.width)
        converted = convert(series, None, raw.typed)
        found.append(_count(converted, column_type(converted, typed=True)))
    return tuple(found)


def _count(values: pl.Series, kind: ColumnType) -> ValueCounts:
    present = values.drop_nulls()
    counted = present.value_counts(sort=True, name="papilio rows")
    missing = len(values) - len(present)
    if kind.ordered and len(counted):
        return _binned(values.name, kind, counted, missing)
    texts = counted.get_column(values.name).cast(pl.String)
    rows = counted.get_column("papilio rows").to_list()
    return ValueCounts(
        values.name,
        kind,
        tuple(shown(text) for text in texts[:MOST_LABELS]),
        tuple(rows[:MOST_LABELS]),
        others=sum(rows[MOST_LABELS:]),
        missing=missing,
        distinct=len(counted),
        longest=int(texts.str.len_chars().max() or 0),  # type: ignore[arg-type]
    )


def _binned(name: str, kind: ColumnType, counted: pl.DataFrame, missing: int) -> ValueCounts:
    distinct = counted.get_column(name)
    bins = bins_over(distinct)
    inside = np.searchsorted(bins.edges, bins.positions(distinct), side="right") - 1
    rows = np.bincount(
        inside.clip(0, len(bins.labels) - 1),
        counted.get_column("papilio rows").to_numpy(),
        len(bins.labels),
    )
    numeric = kind is ColumnType.NUMERIC
    ends = (distinct.min(), distinct.max()) if numeric else (None, None)
    return ValueCounts(
        name,
        kind,
        bins.labels,
        tuple(rows.astype(int).tolist()),
        others=0,
        missing=missing,
        distinct=len(counted),
        lowest=None if ends[0] is None else float(ends[0]),  # type: ignore[arg-type]
        highest=None if ends[1] is None else float(ends[1]),  # type: ignore[arg-type]
        longest=int(distinct.cast(pl.String).str.len_chars().max() or 0),  # type: ignore[arg-type]
    )
