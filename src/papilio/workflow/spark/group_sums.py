"""Sums of the rows of a source whose sensitive column is published apart from them."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from papilio.engines.spark.collected import collect
from papilio.verify.disguised_truth import PERSONAL
from papilio.verify.witness.row_sums import RowSum, sum_rows
from papilio.workflow.pieces.report import GroupKeys, SourceSums
from papilio.workflow.spark.signed import signed, unsigned
from papilio.workflow.spark.source_rows import SourceRows, map_rows


def sum_source_rows(
    rows: SourceRows,
    names: Sequence[str],
    sensitive: str,
    keys: GroupKeys,
    personal: str | None = None,
) -> SourceSums:
    """Add up the rows of the source in a pass that does nothing else with them.

    Parameters
    ----------
    rows
        The source.
    names
        Its published columns, in the order in which workers add them up.
    sensitive
        The one that is published apart.
    keys
        The keys of the workers.
    personal
        Column in which people demand something for themselves; it comes last.

    Notes
    -----
    Collected: three numbers for each part of the source.
    """
    typing = rows.typing

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        typed = typing.give(frame, names)
        values = sum_rows(typed.select(sensitive), keys.values).total
        if personal is not None:
            typed = typed.with_columns(demanded_texts(frame, personal).alias(PERSONAL))
        found = sum_rows(typed, keys.rows)
        return pl.DataFrame([[found.rows], [signed(found.total)], [signed(values)]], list(_SUMS))

    sums = collect(map_rows(rows, work, _SUMS), "sums of rows")
    read, total, values = (sums.column(name).to_pylist() for name in _SUMS)
    return SourceSums(
        RowSum(sum(read), unsigned(sum(total))), RowSum(sum(read), unsigned(sum(values)))
    )


_SUMS: dict[str, pl.DataType] = dict.fromkeys(("rows", "total", "values"), pl.Int64())


def demanded_texts(frame: pl.DataFrame, personal: str) -> pl.Series:
    """What people demand for themselves, as text, of rows as read."""
    return frame.get_column(personal).cast(pl.String).str.strip_chars()
