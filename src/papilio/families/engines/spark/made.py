"""What a family hands over when its part files are written by workers, and what they add up.

Sums of the rows of a source say whether what workers wrote is made of all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.engines.spark.read import map_frames
from papilio.engines.spark.write import collect
from papilio.families.engines.made import MadeInPieces
from papilio.families.engines.meanings import typed_frame
from papilio.families.engines.spark.coded import signed, unsigned
from papilio.families.engines.spark.persons import bound
from papilio.families.engines.spark.source_rows import SourceRows
from papilio.families.engines.spark.table import SparkTable
from papilio.verify.witness.values import RowSum, sum_rows


@dataclass(frozen=True, eq=False)
class SparkMade(MadeInPieces):
    """A release whose tables lie in the draft folder already.

    Attributes
    ----------
    rows
        The original in the engine, where the promise can only be checked beside it.
    """

    rows: SourceRows | None = None


_SUMS = "rows bigint, total bigint"


def sum_source(table: SparkTable, keys: NDArray[np.uint64]) -> RowSum:
    """Add up the rows of the source, with their people, in a pass that does nothing else with them.

    Collected: two numbers for each part of the source.
    """
    meanings, persons = table.meanings, table.persons
    loose = [meaning.column.name for meaning in meanings.quasi]

    def work(frame: pl.DataFrame) -> pa.Table:
        typed = typed_frame(frame, meanings, labels=True)
        if persons is not None:
            typed = bound(typed, persons.numbers(frame).to_numpy())
        found = sum_rows(typed, keys, loose)
        return pa.table({"rows": [found.rows], "total": [signed(found.total)]})

    sums = collect(map_frames(table.session, table.whole, work, _SUMS), "sums of rows")
    parts = zip(*(sums.column(name).to_pylist() for name in ("rows", "total")), strict=True)
    return sum((RowSum(rows, unsigned(total)) for rows, total in parts), RowSum())
