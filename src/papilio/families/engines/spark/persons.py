"""Whose row each row is: people counted by the engine, and known to no one but the workers.

Names of people never leave the worker that reads them. It numbers them by a hash under a secret
key of the run (:func:`papilio.data.people.person_numbers`), and only numbers travel: the engine
counts them, and they go with the rows to their pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.data.people import (
    HEAVY,
    PERSON,
    PeopleCounted,
    check_named,
    person_names,
    person_numbers,
    person_texts,
)
from papilio.engines.spark.read import Scan, map_frames, schema_of, to_engine
from papilio.engines.spark.write import collect
from papilio.errors import EngineError
from papilio.families.engines.piece import PiecePeople
from papilio.families.generalising.plan import SEVERAL
from papilio.randomness import Randomness

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_COUNTED: dict[str, pl.DataType] = {PERSON: pl.Int64(), "rows": pl.Int64()}
#: A value of an identifier is two numbers: among billions of them one would be equal by chance.
_VALUES: dict[str, pl.DataType] = {
    "place": pl.Int32(),
    "one": pl.Int64(),
    "other": pl.Int64(),
    "rows": pl.Int64(),
}


@dataclass(frozen=True, eq=False)
class Persons:
    """A source whose rows belong to people who may have several.

    Attributes
    ----------
    scan
        The source with the column that says whose row it is.
    column
        This column.
    key
        Of the hash that numbers people. Never that of a seed: who can repeat the run must not be
        able to number the people they know.
    counted
        How many people there are, and how many rows they have.
    """

    scan: Scan
    column: str
    key: int
    counted: PeopleCounted

    def numbers(self, frame: pl.DataFrame) -> pl.Series:
        """Number of the person of each row as read. Called by workers."""
        names = person_names(frame.get_column(self.column))
        return pl.Series(PERSON, person_numbers(names, self.key), dtype=pl.Int64)

    def check_flags(self, rows: int, flagged: int) -> None:
        """Compare the rows that are said to be of people with several with how many there are.

        Everybody else has one row, so that these are all rows but so many.

        Raises
        ------
        EngineError
            If they are more or fewer.
        """
        if flagged != rows - (self.counted.count - self.counted.several):
            raise EngineError(
                "the engine has lost who has several rows on the way, or the source changed, so "
                "nothing was published; run the command again",
                reason="people-lost",
            )


def count_people(session: SparkSession, scan: Scan, column: str) -> Persons:
    """Count the people of a source.

    Parameters
    ----------
    session
        The engine.
    scan
        The source; the column is one of those that are read as they are.
    column
        The column that says whose row it is.

    Raises
    ------
    DataError
        If somebody is not named: rows of unknown people may all be one person's.

    Notes
    -----
    Cost: two passes that read the column alone, each with a shuffle of 16 bytes for each person of
    each part. Collected: five numbers, and those of up to :data:`papilio.data.people.HEAVY` people.
    """
    key = secret_key()
    alone = scan.without(*(name for name in scan.splits.columns if name != column))
    summed = _rows_of_people(session, alone, column, key)
    found = collect(
        summed.selectExpr(
            "sum(rows) as every",
            f"sum(case when {PERSON} is null then rows else 0 end) as unknown",
            f"count({PERSON}) as people",
            f"sum(case when {PERSON} is not null and rows > 1 then 1 else 0 end) as several",
            f"max(case when {PERSON} is not null then rows else 0 end) as most",
        ),
        "counts of people",
    )
    every, unknown, people, several, most = (int(each[0].as_py() or 0) for each in found.columns)
    check_named(column, unknown, every)
    heavy, rest = _heavy(summed) if several else (np.empty(0, np.int64), most)
    return Persons(scan, column, key, PeopleCounted(people, several, most, heavy, rest))


def _heavy(summed: DataFrame) -> tuple[NDArray[np.int64], int]:
    """Numbers of those who have most rows, ascending, and most rows that one of the others has."""
    from pyspark.sql import functions as f

    first = summed.where("rows > 1").orderBy(f.col("rows").desc(), f.col(PERSON)).limit(HEAVY + 1)
    found = pl.DataFrame(collect(first, "people with most rows")).sort("rows", descending=True)
    rest = int(found.get_column("rows")[HEAVY]) if found.height > HEAVY else 1
    return np.sort(found.get_column(PERSON).to_numpy()[:HEAVY]), rest


def secret_key() -> int:
    """Draw a key of 63 bits that no seed tells."""
    return int(Randomness(None).keys(1)[0] >> np.uint64(1))


def _rows_of_people(session: SparkSession, scan: Scan, column: str, key: int) -> DataFrame:
    """``number`` and ``rows`` of each person; NULL is the number of all who are not named."""

    def work(frame: pl.DataFrame) -> pa.Table:
        texts = person_texts(frame.get_column(column))
        known = texts.drop_nulls()
        numbers = pl.Series(PERSON, person_numbers(known, key), dtype=pl.Int64)
        counted = numbers.value_counts(name="rows").cast(_COUNTED)  # type: ignore[arg-type]
        none = pl.DataFrame([[None], [len(texts) - len(known)]], _COUNTED)
        return to_engine(pl.concat([counted, none.filter(pl.col("rows") > 0)]))

    counted = map_frames(session, scan, work, schema_of(_COUNTED))
    return counted.groupBy(PERSON).sum("rows").toDF(PERSON, "rows")


def bound(rows: pl.DataFrame, numbers: NDArray[np.int64]) -> pl.DataFrame:
    """Rows with their people, to be added up: so it is seen if somebody's row became another's."""
    # No column of a source has a blank name.
    return rows.hstack([pl.Series(" ", numbers, dtype=pl.Int64)])


def flagged(rows: DataFrame, session: SparkSession, persons: Persons) -> DataFrame:
    """Say of each row that travels whether its person has several in the whole table.

    Parameters
    ----------
    rows
        Rows with :data:`PERSON`.
    session, persons
        The engine, and the people.

    Returns
    -------
    DataFrame
        The rows with :data:`SEVERAL`.

    Notes
    -----
    Cost: one more pass over the column, and a join with the people who have several rows, whom the
    engine sends to all workers if they are few. Exact but for people whose hashes are equal, who
    count as one; among n people there are two such by chance in n * n / 2**64 of all runs.
    """
    from pyspark.sql import functions as f

    alone = persons.scan.without(*(n for n in persons.scan.splits.columns if n != persons.column))
    summed = _rows_of_people(session, alone, persons.column, persons.key)
    repeated = summed.where("rows > 1").select(f.col(PERSON).alias("repeated"))
    joined = rows.join(repeated, f.col(PERSON) == f.col("repeated"), "left")
    return joined.withColumn(SEVERAL, f.col("repeated").isNotNull()).drop("repeated")


def people_in(part: pa.Table) -> PiecePeople | None:
    """Whose the rows of a piece are that arrived; ``None`` if each is another person's.

    Where nothing but k is demanded nobody needs to know who has rows elsewhere, and rows come
    without :data:`SEVERAL`: who has one row in a piece has at most one in each of its classes.
    """
    if PERSON not in part.column_names:
        return None
    numbers: NDArray[np.int64] = part.column(PERSON).to_numpy()
    if SEVERAL in part.column_names:
        return PiecePeople(numbers, part.column(SEVERAL).to_numpy())
    _, place, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    return PiecePeople(numbers, counts[place] > 1)


def count_identifiers(session: SparkSession, scan: Scan) -> Mapping[str, tuple[int, int]]:
    """Rows that are not NULL, and different values, of every column of a source.

    Parameters
    ----------
    session
        The engine.
    scan
        The source with nothing but these columns, read as they are.

    Notes
    -----
    Cost: one pass, and a shuffle of 28 bytes for each value of each part. Collected: three numbers
    for each column. Exact but for hashes of 126 bits that are equal by chance.
    """
    names, keys = scan.splits.columns, (secret_key(), secret_key())

    def work(frame: pl.DataFrame) -> pa.Table:
        counted = (_values(frame.get_column(n), place, keys) for place, n in enumerate(names))
        return to_engine(pl.concat(counted))

    counted = map_frames(session, scan, work, schema_of(_VALUES))
    values = counted.groupBy("place", "one", "other").sum("rows")
    values = values.toDF(*_VALUES)
    summed = values.groupBy("place").agg({"rows": "sum", "one": "count"})
    found = collect(summed.select("place", "sum(rows)", "count(one)"), "counts of identifiers")
    lines = zip(*(column.to_pylist() for column in found.columns), strict=True)
    return {names[place]: (int(rows), int(different)) for place, rows, different in lines}


def _values(column: pl.Series, place: int, keys: tuple[int, int]) -> pl.DataFrame:
    texts = column.drop_nulls().cast(pl.String)
    one, other = (pl.Series(person_numbers(texts, key), dtype=pl.Int64) for key in keys)
    pairs = pl.DataFrame([one.alias("one"), other.alias("other")])
    counted = pairs.group_by("one", "other").len("rows")
    return counted.select(pl.lit(place).alias("place"), "one", "other", "rows").cast(_VALUES)  # type: ignore[arg-type]
