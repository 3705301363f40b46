"""Distinct values of columns and how often they occur, counted by the engine in one pass.

What kinds of value texts can be read as, so that types follow from counts alone.

Two texts of one form are alike to :func:`papilio.data.text_values.parse_text`, whatever is asked
of it. So one text of each form, with the number of its rows, decides the type of a column, and
which faults it has, just as all texts would.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.table import ColumnType
from papilio.data.text_values import parse_text
from papilio.engines.spark.read import Scan, map_frames
from papilio.engines.spark.write import collect

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession


_WHOLE = r"^[+-]?[0-9]+$"
_TIMED = r"[T ][0-9]{2}:"
_ZONED = r"(?:Z|[+-][0-9]{2}:?[0-9]{2})$"


def forms(texts: pl.Series) -> pl.Series:
    """Number of the form of each text, 0 to 1023.

    Parameters
    ----------
    texts
        Distinct texts without NULL.
    """
    numbers = ~parse_text(texts, ColumnType.NUMERIC, declared=True).unreadable
    moments = ~parse_text(texts, ColumnType.DATE, declared=True).unreadable
    timed = moments & texts.str.contains(_TIMED)
    facts = (
        ~parse_text(texts, ColumnType.BOOLEAN, declared=False).unreadable,
        ~parse_text(texts, ColumnType.BOOLEAN, declared=True).unreadable,
        ~parse_text(texts, ColumnType.NUMERIC, declared=False).unreadable,
        numbers,
        numbers & texts.str.contains(_WHOLE),
        numbers & texts.cast(pl.Int64, strict=False).is_not_null(),
        numbers & texts.cast(pl.Float64, strict=False).is_finite().fill_null(False),
        moments,
        timed,
        timed & texts.str.contains(_ZONED),
    )
    bits = (fact.cast(pl.Int32) * (1 << place) for place, fact in enumerate(facts))
    return reduce(pl.Series.__add__, bits)


def sizes(texts: pl.Series, *, declared: bool) -> pl.Series:
    """Each text as a number or as a moment; NULL where it is neither.

    Parameters
    ----------
    texts
        Distinct texts without NULL.
    declared
        Whether the policy declares the type, which allows more ways of writing numbers.
    """
    readable = ~parse_text(texts, ColumnType.NUMERIC, declared=declared).unreadable
    numbers = texts.cast(pl.Float64, strict=False)
    if readable.all():
        return numbers
    moments = parse_text(texts, ColumnType.DATE, declared=declared).values
    moments = moments.cast(pl.Datetime("us")) if moments.dtype == pl.Date else moments
    return numbers.zip_with(readable, moments.to_physical().cast(pl.Float64))


#: Numbers and dates with more distinct values than this are represented by a sample of them.
MOST_NUMBERS = 100_000
#: About so many values are in such a sample.
_SAMPLE = 20_000
#: Of text with more distinct values than this only a text of each form is taken.
MOST_TEXTS = 1_000_000
_SCHEMA = "part int, form int, words string, whole bigint, size double, example string, rows bigint"
_KEYS = ("part", "form", "words", "whole", "size")
_TOTAL = -1


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """Values of one column and how often they occur.

    Attributes
    ----------
    values
        Distinct values as read; NULL is one of them if it occurs.
    counts
        Rows of each; of a sample scaled, so that they are all rows together.
    complete
        Whether these are all values. If not, they are a sample of numbers or dates that has the
        smallest, the largest, and a text of every form; or of other text only the latter.
    """

    values: pl.Series
    counts: NDArray[np.int64]
    complete: bool = True


def count_values(
    session: SparkSession, scan: Scan, needed: Collection[str]
) -> tuple[int, dict[str, ValueCounts]]:
    """Count rows, and the values of columns.

    Parameters
    ----------
    session, scan
        The engine and the source.
    needed
        Columns of which all values are wanted. Of other columns that hold text, and whose type
        is not known because of that, one text of each form is taken; see
        :mod:`papilio.engines.spark.value_counts`. Nothing is taken of the others.

    Returns
    -------
    tuple
        Number of rows, and what was counted by column.

    Notes
    -----
    One pass and one small shuffle: workers count the values of their part. What is collected is
    as large as the domains of the needed columns.
    """
    names = tuple(name for name in scan.splits.columns if name in needed or _is_open(scan, name))

    def work(frame: pl.DataFrame) -> pa.Table:
        parts = [
            (_values if name in needed else _examples)(place, frame.get_column(name), scan)
            for place, name in enumerate(names)
        ]
        total = _rows(_TOTAL, pl.DataFrame({"rows": [frame.height]}))
        return pl.concat([total, *parts]).to_arrow(compat_level=pl.CompatLevel.oldest())

    counted = map_frames(session, scan, work, _SCHEMA)
    table = pl.DataFrame(collect(_summed(counted), "values and their counts"))
    rows = table.filter(pl.col("part") == _TOTAL).get_column("rows").sum()
    found = {
        name: _counts(table.filter(pl.col("part") == place), name, scan.dtypes[name], int(rows))
        for place, name in enumerate(names)
    }
    return int(rows), found


def _is_open(scan: Scan, name: str) -> bool:
    """Whether the type of a column depends on its texts."""
    said = scan.declared.get(name)
    unsaid = said is None and not scan.splits.typed
    return scan.dtypes[name] == pl.String and (unsaid or said not in (None, ColumnType.CATEGORY))


def _values(place: int, series: pl.Series, scan: Scan) -> pl.DataFrame:
    counted = series.alias("value").value_counts(name="rows")
    values = counted.get_column("value")
    known: dict[str, pl.Series] = {"rows": counted.get_column("rows")}
    if isinstance(values.dtype, pl.String | pl.Enum):
        known["words"] = known["example"] = values.cast(pl.String)
        if _is_open(scan, series.name):
            known |= _read_texts(known["words"], declared=series.name in scan.declared)
    elif values.dtype.is_float():
        known["size"] = values
    else:
        known["whole"] = values.to_physical().cast(pl.Int64)
        known["size"] = known["whole"].cast(pl.Float64)
    return _rows(place, pl.DataFrame(known))


def _read_texts(words: pl.Series, *, declared: bool) -> dict[str, pl.Series]:
    given = words.is_not_null()
    texts = words.drop_nulls()
    places = (given.cast(pl.Int64).cum_sum() - 1).set(~given, None)
    return {
        "form": forms(texts).gather(places),
        "size": sizes(texts, declared=declared).gather(places),
    }


def _examples(place: int, series: pl.Series, scan: Scan) -> pl.DataFrame:
    every = _values(place, series, scan)
    alike = every.group_by("form").agg(pl.col("example").min(), pl.col("rows").sum())
    return _rows(place, alike)


def _rows(place: int, known: pl.DataFrame) -> pl.DataFrame:
    kinds = {
        "part": pl.Int32,
        "form": pl.Int32,
        "words": pl.String,
        "whole": pl.Int64,
        "size": pl.Float64,
        "example": pl.String,
        "rows": pl.Int64,
    }
    full = known.with_columns(pl.lit(place).alias("part"))
    missing = [pl.lit(None).alias(name) for name in kinds if name not in full.columns]
    return full.with_columns(missing).select(pl.col(n).cast(kind) for n, kind in kinds.items())


def _summed(counted: DataFrame) -> DataFrame:
    """Add up the counts of all parts; of numbers and dates with too many values keep a sample."""
    from pyspark.sql import functions as f

    summed = counted.groupBy(*_KEYS).agg(
        f.min("example").alias("example"), f.sum("rows").alias("rows")
    )
    within = "over (partition by part)"
    judged = summed.selectExpr(
        "*",
        f"count(*) {within} as many",
        f"sum(case when size is null and words is not null then 1 else 0 end) {within} as unsized",
        f"min(size) {within} as low",
        f"max(size) {within} as high",
        "row_number() over (partition by part, form order by size) as place",
    )
    sampled = f"(size = low or size = high or pmod(hash(size), many) < {_SAMPLE})"
    kept = judged.where(
        f"case when unsized = 0 then many <= {MOST_NUMBERS} or {sampled} "
        f"else many <= {MOST_TEXTS} end or place = 1"
    )
    return kept.select(*_KEYS, "example", "rows", "many")


def _counts(found: pl.DataFrame, name: str, dtype: pl.DataType, rows: int) -> ValueCounts:
    if dtype == pl.String:
        values = found.get_column("example")
    elif dtype.is_float():
        values = found.get_column("size")
    else:
        whole = found.get_column("whole")
        values = whole.cast(pl.Boolean) if dtype == pl.Boolean else _from_physical(whole, dtype)
    counts = found.get_column("rows").to_numpy().astype(np.int64)
    complete = found.height == int(found.get_column("many").max() or 0)  # type: ignore[arg-type]
    if not complete:
        counts = np.maximum(1, np.round(counts * (rows / counts.sum()))).astype(np.int64)
    return ValueCounts(values.alias(name), counts, complete)


def _from_physical(whole: pl.Series, dtype: pl.DataType) -> pl.Series:
    return whole.cast(pl.Int32).cast(dtype) if dtype == pl.Date else whole.cast(dtype)
