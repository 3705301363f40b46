"""Values of quasi-identifiers back from their codes, for the verifier.

That they are the values that were read is not taken for granted: sums over all rows must agree.
"""

from __future__ import annotations

import polars as pl

from papilio.data.column import ColumnType
from papilio.data.encode import EncodedColumn
from papilio.kernels.codes import Codes


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
