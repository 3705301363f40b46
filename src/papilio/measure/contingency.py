"""How often the values of two columns occur together.

NULL is one more value, equal to NULL only. Everything about the dependency of two columns is
computed from these whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

#: A table of all pairs of values is counted directly if it has at most so many cells per row.
_DENSE = 4


@dataclass(frozen=True, eq=False)
class CodedValues:
    """A column as numbers.

    Attributes
    ----------
    codes
        Number of the value of each row, from 0.
    counts
        How often each number occurs; at least once.
    """

    codes: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.codes)


@dataclass(frozen=True, eq=False)
class Contingency:
    """Pairs of values of two columns that occur together; one entry per pair.

    Attributes
    ----------
    rows
        Rows of the table.
    together
        How often the pair occurs.
    first, second
        How often the value of the first column, and that of the second, occurs at all.
    """

    rows: int
    together: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]


def code_values(values: pl.Series) -> CodedValues:
    """Number the values of a column, ascending, NULL first.

    Cost: a sort of the rows.
    """
    numbers = _numbers(values).cast(pl.Int64).fill_null(-1).to_numpy()
    _, codes = np.unique(numbers, return_inverse=True)
    return CodedValues(codes.astype(np.int64), np.bincount(codes).astype(np.int64))


def _numbers(values: pl.Series) -> pl.Series:
    """Equal whole numbers, at least 0, for equal values; NULL stays NULL."""
    if values.dtype in (pl.Categorical, pl.Enum):
        return values.to_physical()
    return values if values.dtype == pl.Boolean else values.rank("dense")


def contingency(first: CodedValues, second: CodedValues) -> Contingency:
    """Count how often values of two columns of a table occur together.

    Cost: one pass over the rows if the columns have few values, else a sort.
    """
    width = len(second.counts)
    pair = first.codes * width + second.codes
    if len(first.counts) * width <= _DENSE * max(first.rows, 1 << 16):
        counted = np.bincount(pair, minlength=len(first.counts) * width)
        cells = np.flatnonzero(counted)
        together = counted[cells]
    else:
        cells, together = np.unique(pair, return_counts=True)
    return Contingency(
        first.rows,
        together.astype(np.int64),
        first.counts[cells // width],
        second.counts[cells % width],
    )
