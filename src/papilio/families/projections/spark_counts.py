"""Contingency tables of pairs of columns, counted and summed up by the engine.

A pair of columns may have as many pairs of values as there are rows, so the tables stay in the
engine; what comes back are sums over them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa

from papilio.engines.spark.collected import collect
from papilio.engines.spark.types import to_engine
from papilio.engines.spark.worker import guarded
from papilio.measure.contingency import Contingency
from papilio.measure.pair_sums import PairSums, added, pair_sums
from papilio.workflow.spark.source_rows import SourceRows, map_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_COUNTS = {"pair": pl.Int32(), "a": pl.String(), "b": pl.String(), "n": pl.Int64()}
_SUMS = (
    "pair int, excess double, expected string, left_first double, left_second double, "
    "alone double, pairs bigint"
)


def sum_pairs(
    rows: SourceRows, names: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], PairSums]:
    """Sum up the contingency tables of pairs of columns.

    Parameters
    ----------
    rows
        The source.
    names
        The columns.
    pairs
        Numbers of the columns of each pair; of a column with itself, its frequencies.

    Notes
    -----
    One pass over the source; workers count the pairs of values in their part, the engine adds
    them up, and workers sum up formulas. Collected: a line of sums per pair and batch.
    """
    counted = _marginals(_counted(rows, names, pairs))
    summed = counted.mapInArrow(guarded(_summing(rows.rows)), _SUMS)
    lines = collect(summed, "sums over pairs of values").to_pylist()
    found: dict[tuple[int, int], list[PairSums]] = {pair: [] for pair in pairs}
    for line in lines:
        pair = pairs[line.pop("pair")]
        expected = int(line.pop("expected"))
        found[pair].append(PairSums(rows=rows.rows, expected=expected, **line))
    return {pair: added(parts) for pair, parts in found.items()}


def _counted(rows: SourceRows, names: Sequence[str], pairs: Sequence[tuple[int, int]]) -> DataFrame:
    """``pair``, values of both columns as text, and how often they occur together."""
    typing = rows.typing

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        texts = pl.DataFrame([as_texts(each) for each in typing.give(frame, names)])
        return pl.concat(
            texts.select(pl.col(names[i]).alias("a"), pl.col(names[j]).alias("b"))
            .group_by("a", "b")
            .len("n")
            .select(pl.lit(number).alias("pair"), "a", "b", "n")
            .cast(_COUNTS)  # type: ignore[arg-type]
            for number, (i, j) in enumerate(pairs)
        )

    counted = map_rows(rows, work, dict(_COUNTS), names)
    return counted.groupBy("pair", "a", "b").sum("n").toDF("pair", "a", "b", "n")


def as_texts(series: pl.Series) -> pl.Series:
    """Text that tells equal values from different ones; NULL is one more value."""
    return ("=" + series.cast(pl.String)).fill_null("").alias(series.name)


def _marginals(counted: DataFrame) -> DataFrame:
    return counted.selectExpr(
        "pair",
        "n",
        "sum(n) over (partition by pair, a) as first",
        "sum(n) over (partition by pair, b) as second",
    )


def _summing(rows: int) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            frame = pl.DataFrame(batch)
            for (pair,), part in frame.group_by("pair"):
                columns = (part.get_column(name).to_numpy() for name in ("n", "first", "second"))
                together, first, second = (each.astype(np.int64) for each in columns)
                sums = pair_sums(Contingency(rows, together, first, second))
                yield from _line(int(pair), sums).to_batches()

    return run


def _line(pair: int, sums: PairSums) -> pa.Table:
    line = pl.DataFrame(
        {
            "pair": pl.Series([pair], dtype=pl.Int32),
            "excess": [sums.excess],
            # It may need more than 64 bits.
            "expected": [str(sums.expected)],
            "left_first": [sums.left_first],
            "left_second": [sums.left_second],
            "alone": [sums.alone],
            "pairs": [sums.pairs],
        }
    )
    return to_engine(line)


def same_values(rows: SourceRows, one: str, other: str) -> bool:
    """Whether two columns hold the same values, each of them once and none NULL."""
    typing = rows.typing

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        both = [as_texts(each).alias("text") for each in typing.give(frame, [one, other])]
        return pl.concat(both).to_frame()

    texts = map_rows(rows, work, {"text": pl.String()}, [one, other])
    found = collect(texts.selectExpr("count(distinct text) as n"), "values of two columns")
    return bool(found.column("n")[0].as_py() == rows.rows)


def count_where(
    rows: SourceRows, names: Collection[str], counting: Callable[[str, pl.Series], int]
) -> dict[str, int]:
    """Add up a number that workers find in each column of their part.

    Parameters
    ----------
    rows
        The source.
    names
        The columns.
    counting
        Called in workers with a column's name and values.
    """
    typing, listed = rows.typing, list(names)

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        typed = typing.give(frame, listed)
        found = [counting(name, typed.get_column(name)) for name in listed]
        places = pl.Series("place", range(len(listed)), dtype=pl.Int32)
        return pl.DataFrame([places, pl.Series("n", found, dtype=pl.Int64)])

    counted = map_rows(rows, work, {"place": pl.Int32(), "n": pl.Int64()}, listed)
    summed = collect(counted.groupBy("place").sum("n").toDF("place", "n"), "rows of columns")
    return {listed[line["place"]]: int(line["n"]) for line in summed.to_pylist()}
