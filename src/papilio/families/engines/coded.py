"""What values of a column mean as codes, for engines that see one piece at a time.

Values of quasi-identifiers back from their codes, for the verifier.

That they are the values that were read is not taken for granted: sums over all rows must agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn
from papilio.data.table import ColumnType
from papilio.kernels.codes import Codes


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """The distinct values of a column, and how often each occurs.

    Attributes
    ----------
    values
        Distinct values as they were read; NULL may be one of them.
    counts
        Rows that have each value.
    first
        The first of these rows, from 0, for messages; ``None`` if nobody knows.
    complete
        Whether all values are here. If there were too many, ``values`` are numbers or dates of the
        column's final type that stand for all of them, with the smallest and the largest; or
        nothing at all, of a column of text.
    """

    values: pl.Series
    counts: NDArray[np.int64]
    first: NDArray[np.int64] | None = None
    complete: bool = True


def summed(values: pl.Series, counts: NDArray[np.int64]) -> tuple[pl.Series, NDArray[np.int64]]:
    """Distinct values and their counts, where some values may have become equal."""
    frame = pl.DataFrame({"value": values, "count": counts})
    found = frame.group_by("value").agg(pl.col("count").sum()).sort("value", nulls_last=False)
    return found.get_column("value").alias(values.name), found.get_column("count").to_numpy()


def travels_as_value(meaning: EncodedColumn) -> bool:
    """Whether a column cannot be told from its codes.

    The table has only bins of it, or its codes are leaves of a tree, and the leaf of a number or a
    moment is a text that does not say all of it.
    """
    rounded = meaning.hierarchy is not None and meaning.column.type is not ColumnType.CATEGORY
    return rounded or meaning.span is not None


def decoded_column(meaning: EncodedColumn, codes: Codes) -> pl.Series:
    """Values of a column that can be told from its codes; text as ``Enum``."""
    values = meaning.values
    if meaning.column.type is ColumnType.BOOLEAN:
        values = values == "true"
    elif values.dtype == pl.String:
        values = values.cast(pl.Enum(values.drop_nulls().unique(maintain_order=True)))
    return values.gather(codes).alias(meaning.column.name)
