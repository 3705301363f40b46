"""The table of people of permuted and disguised releases: exact columns and a group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.engines.spark.read import from_engine
from papilio.engines.spark.write import Inspected, write_pieces
from papilio.errors import EngineError
from papilio.families.engines.report import Report, reports_of
from papilio.families.engines.spark.seeds import KEY, worker_randomness, worker_seed
from papilio.families.engines.spark.source_rows import SourceRows, map_rows
from papilio.randomness import Randomness
from papilio.verify.witness.group_pieces import Came

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


#: Reports on a file, given the rows it is made of and which of them each line is.
Inspect: TypeAlias = Callable[[Came, NDArray[np.int64], Path], Report]


#: Column with the place of a row in the source, which no column of a source is called.
PLACE = "papilio_place"


#: Rows of a file, about.
PIECE_ROWS = 500_000


@dataclass(frozen=True, eq=False)
class Travelling:
    """Columns of people on their way to their files.

    The engine does not tell ``a`` from ``A``, so they have other names there.

    Attributes
    ----------
    shown
        Columns that are published, by their names in the engine.
    hidden
        Columns that only the verifier sees, likewise.
    dtypes
        Type of each, by its name in the engine.
    """

    shown: dict[str, str]
    hidden: dict[str, str]
    dtypes: dict[str, pl.DataType]

    @property
    def names(self) -> list[str]:
        """Names in the engine of all of them, and of the place in the source."""
        return [*self.shown, *self.hidden, PLACE]

    @property
    def originals(self) -> list[str]:
        """Their own names, in the same order, without the place."""
        return [*self.shown.values(), *self.hidden.values()]


def travelling(
    rows: SourceRows, sensitive: str, hidden: str, more: Mapping[str, str] | None = None
) -> Travelling:
    """Name the columns of people.

    Parameters
    ----------
    rows
        The source.
    sensitive, hidden
        The column that is published apart, and its name in the engine.
    more
        Other columns of text that only the verifier sees, by their names in the engine.
    """
    kept = [column.name for column in rows.columns if column.name != sensitive]
    shown = {f"c{place}": name for place, name in enumerate(kept)}
    dtypes = {own: rows.dtypes[name] for own, name in {**shown, hidden: sensitive}.items()}
    texts = dict.fromkeys(more or {}, pl.String())
    types = {**dtypes, **texts, PLACE: pl.Int64()}
    return Travelling(shown, {hidden: sensitive, **(more or {})}, types)


def keyed_rows(
    rows: SourceRows,
    columns: Travelling,
    more: Callable[[pl.DataFrame], pl.DataFrame],
    dtypes: Mapping[str, pl.DataType],
    seed: int | None,
) -> DataFrame:
    """Rows with their published columns, further ones, and a random key each.

    Parameters
    ----------
    rows
        The source.
    columns
        The columns.
    more
        Called in workers with rows as read; returns the further columns, hidden ones among them,
        and may leave out rows, whose numbers it then gives as ``row``.
    dtypes
        Types of the further columns.
    seed
        For tests.
    """
    names, typing = columns.shown, rows.typing
    every = {own: columns.dtypes[own] for own in names}

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        typed = typing.give(frame, list(names.values()))
        typed.columns = list(names)
        typed = typed.with_columns(frame.get_column(PLACE))
        found = more(frame)
        if "row" in found.columns:
            typed = typed[found.get_column("row")]
        randomness = worker_randomness(seed, *_marks(typed, seed))
        keys = pl.Series(KEY, randomness.keys(typed.height).view(np.int64))
        return pl.concat([typed, found.select(list(dtypes)), keys.to_frame()], how="horizontal")

    kinds = {**every, **dtypes, PLACE: pl.Int64(), KEY: pl.Int64()}
    return map_rows(rows, work, kinds, places=PLACE)


def _marks(frame: pl.DataFrame, seed: int | None) -> tuple[int, ...]:
    """What tells the rows of one part from those of others, so that seeded keys differ."""
    return () if seed is None else (int(frame.hash_rows().sum()), frame.height)


def write_people(
    people: DataFrame,
    rows: SourceRows,
    columns: Travelling,
    group: str,
    draft: Path,
    randomness: Randomness,
    inspect: Inspect,
) -> tuple[Report, ...]:
    """Write rows and their groups, in an order that is left to chance alone.

    Parameters
    ----------
    people
        The columns, ``grp`` and the key of each row.
    rows, columns
        The source, and its columns in the engine.
    group
        Name of the published column with the group.
    draft, randomness
        Where to, and chance.
    inspect
        Called in workers with the rows of a piece as they came, with the hidden columns, the row of
        each line, and the file; reports on it.

    Raises
    ------
    EngineError
        If there are more or fewer rows than in the source. Keys are drawn when rows are read; an
        engine that reads some rows again, because it lost a worker, may send them elsewhere.
    """
    dtypes = {own: columns.dtypes[own] for own in columns.names} | {"grp": pl.Int64()}
    originals, shown = columns.originals, [*columns.shown.values(), group]
    seed = worker_seed(randomness)
    pieces = max(1, -(-rows.rows // PIECE_ROWS))

    def finish(piece: int, part: pa.Table) -> Inspected:
        frame = from_engine(part, dtypes)
        frame.columns = [*originals, PLACE, group]
        order = worker_randomness(seed, piece).permutation(frame.height)
        came = Came(frame.select(originals), frame.get_column(PLACE).to_numpy())
        return Inspected(frame.select(shown)[order], lambda file: inspect(came, order, file).text())

    chosen = people.selectExpr(*dtypes, f"cast(pmod({KEY}, {pieces}) as int) as piece")
    written = write_pieces(chosen, "piece", pieces, finish, draft, rows.name, randomness)
    if written.get_column("rows").sum() != rows.rows:
        raise EngineError(
            "rows are missing or there twice, because the engine lost a worker on the way or the "
            "source changed, so nothing was published; run the command again",
            reason="rows-lost",
        )
    return reports_of(written)
