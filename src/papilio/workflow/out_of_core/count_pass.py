"""The first pass over a source: how many rows, and what occurs in their columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import polars as pl

from papilio.data.io.stream import Stream
from papilio.policy.policy import Policy
from papilio.workflow.out_of_core.count_column import ColumnCount, without_values
from papilio.workflow.pieces.column_values import ColumnValues


@dataclass(frozen=True, eq=False)
class Counted:
    """What the first pass found.

    Attributes
    ----------
    rows
        Number of rows.
    values
        What occurs, per column that was counted.
    dtypes
        Polars type, as read, of each column.
    """

    rows: int
    values: Mapping[str, ColumnValues]
    dtypes: Mapping[str, pl.DataType]


def count_pass(
    stream: Stream,
    policy: Policy,
    needed: Collection[str],
    *,
    most: int,
    tell: Callable[[int], None],
) -> Counted:
    """Count what occurs.

    Parameters
    ----------
    stream
        The source.
    policy
        What it is needed for.
    needed
        Columns whose values are to be counted; of texts, all are.
    most
        Most distinct values of a column that are kept.
    tell
        Told the number of rows after each batch.

    Notes
    -----
    Reads the source once; once more, for these columns only, if it has no types and a needed column
    of numbers or dates has more than ``most`` values.
    """
    counts: dict[str, ColumnCount] = {}
    dtypes: dict[str, pl.DataType] = {}
    rows = 0
    for batch in stream.batches():
        for series in batch.iter_columns():
            name, text = series.name, isinstance(series.dtype, pl.Enum)
            dtypes[name] = pl.String() if text else series.dtype
            if name not in policy.published or not (text or name in needed):
                continue
            if name not in counts:
                wanted = policy.columns[name].type
                counts[name] = ColumnCount(name, wanted, typed=stream.typed, most=most)
            counts[name].add(series, rows)
        rows += batch.height
        tell(rows)
    values, types = _found(counts)
    values |= {name: without_values(name, types[name]) for name in types if name not in needed}
    again = {name: types[name] for name in types if name in needed}
    return Counted(rows, values | _summaries(stream, policy, again, most), dtypes)


def _found(
    counts: Mapping[str, ColumnCount],
) -> tuple[dict[str, ColumnValues], dict[str, pl.DataType]]:
    """Values of the columns, and the type of those whose values need another pass."""
    values: dict[str, ColumnValues] = {}
    types: dict[str, pl.DataType] = {}
    for name, each in counts.items():
        known = each.values()
        if known is not None:
            values[name] = known
        elif each.text_type is not None:
            types[name] = each.text_type
    return values, types


def _summaries(
    stream: Stream, policy: Policy, types: Mapping[str, pl.DataType], most: int
) -> dict[str, ColumnValues]:
    """Count columns of text again whose type, numbers or dates, is known only now."""
    if not types:
        return {}
    counts = {
        name: ColumnCount(
            name, policy.columns[name].type, typed=stream.typed, most=most, dtype=dtype
        )
        for name, dtype in types.items()
    }
    for batch in stream.batches(counts):
        for series in batch.iter_columns():
            counts[series.name].add(series, 0)
    return _found(counts)[0]
