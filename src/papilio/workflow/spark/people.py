"""The table of people of permuted and disguised releases: exact columns and a group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa

from papilio.engines.spark.types import from_engine
from papilio.engines.spark.write import write_pieces
from papilio.errors import EngineError
from papilio.randomness import Randomness
from papilio.workflow.spark.seeds import worker_randomness
from papilio.workflow.spark.shares import KEY
from papilio.workflow.spark.source_rows import SourceRows, map_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Rows of a file, about.
PIECE_ROWS = 500_000


def engine_names(rows: SourceRows, without: str) -> dict[str, str]:
    """Names that published columns have in the engine, which does not tell ``a`` from ``A``."""
    kept = [column.name for column in rows.columns if column.name != without]
    return {f"c{place}": name for place, name in enumerate(kept)}


def keyed_rows(
    rows: SourceRows,
    names: Mapping[str, str],
    more: Callable[[pl.DataFrame], pl.DataFrame],
    dtypes: Mapping[str, pl.DataType],
    seed: int | None,
) -> DataFrame:
    """Rows with their published columns, further ones, and a random key each.

    Parameters
    ----------
    rows
        The source.
    names
        Names in the engine and in the source of the published columns.
    more
        Called in workers with rows as read; returns the further columns, and may leave out rows,
        whose numbers it then gives as ``row``.
    dtypes
        Types of the further columns.
    seed
        For tests.
    """
    every = {own: rows.dtypes[name] for own, name in names.items()}
    typing = rows.typing

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        typed = typing.give(frame, list(names.values()))
        typed.columns = list(names)
        found = more(frame)
        if "row" in found.columns:
            typed = typed[found.get_column("row")]
        randomness = worker_randomness(seed, *_marks(typed, seed))
        keys = pl.Series(KEY, randomness.keys(typed.height).view(np.int64))
        return pl.concat([typed, found.select(list(dtypes)), keys.to_frame()], how="horizontal")

    return map_rows(rows, work, {**every, **dtypes, KEY: pl.Int64()})


def _marks(frame: pl.DataFrame, seed: int | None) -> tuple[int, ...]:
    """What tells the rows of one part from those of others, so that seeded keys differ."""
    return () if seed is None else (int(frame.hash_rows().sum()), frame.height)


def write_people(
    people: DataFrame,
    rows: SourceRows,
    names: Mapping[str, str],
    group: str,
    draft: Path,
    randomness: Randomness,
) -> None:
    """Write rows and their groups, in an order that is left to chance alone.

    Parameters
    ----------
    people
        The published columns, ``grp`` and the key of each row.
    rows, names
        The source, and names of columns in the engine.
    group
        Name of the published column with the group.
    draft, randomness
        Where to, and chance.

    Raises
    ------
    EngineError
        If there are more or fewer rows than in the source. Keys are drawn when rows are read; an
        engine that reads some rows again, because it lost a worker, may send them elsewhere.
    """
    dtypes = {own: rows.dtypes[name] for own, name in names.items()} | {"grp": pl.Int64()}
    published = [*names.values(), group]
    seed = randomness.seed
    pieces = max(1, -(-rows.rows // PIECE_ROWS))

    def finish(piece: int, part: pa.Table) -> pl.DataFrame:
        frame = from_engine(part, dtypes)
        frame.columns = published
        return frame[worker_randomness(seed, piece).permutation(frame.height)]

    chosen = people.selectExpr(*dtypes, f"cast(pmod({KEY}, {pieces}) as int) as piece")
    written = write_pieces(chosen, "piece", pieces, finish, draft, rows.name, randomness)
    if written.get_column("rows").sum() != rows.rows:
        raise EngineError(
            "rows are missing or there twice, because the engine lost a worker on the way or the "
            "source changed, so nothing was published; run the command again",
            reason="rows-lost",
        )
