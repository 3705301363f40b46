"""The tables of values and of help of permuted and disguised releases.

Both follow from how often each cell occurs in each group, so no row of the source is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa

from papilio.engines.spark.read import from_engine
from papilio.engines.spark.write import Inspected, collect, write_pieces
from papilio.families.engines.report import Report, reports_of
from papilio.families.engines.spark.people import PIECE_ROWS
from papilio.families.engines.spark.seeds import worker_randomness, worker_seed
from papilio.families.grouped.help_table import CellRuns, help_lines
from papilio.randomness import Randomness

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class GroupCells:
    """Cells of all groups in the engine, equal ones once.

    Attributes
    ----------
    frame
        ``grp``, ``cell`` and ``copies``; a cell is NULL where the value is.
    dtype
        Type of ``cell``.
    groups
        Number of groups.
    rows
        Number of cells, that is the sum of ``copies``.
    """

    frame: DataFrame
    dtype: pl.DataType
    groups: int
    rows: int


def write_values(
    cells: GroupCells,
    shown: Callable[[pl.Series], Sequence[pl.Series]],
    group: str,
    draft: Path,
    table: str,
    randomness: Randomness,
    inspect: Callable[[Path], Report] | None = None,
) -> tuple[Report, ...]:
    """Write one row per cell, in an order that is left to chance.

    Parameters
    ----------
    cells
        The cells.
    shown
        A column of cells to the columns that are published of them.
    group
        Name of the column with the group.
    draft, table, randomness
        Where to, and chance.
    inspect
        Called in workers with each file; reports on it.

    Returns
    -------
    tuple
        The reports, if somebody inspects.
    """
    seed = worker_seed(randomness)
    dtypes = {"grp": pl.Int64(), "cell": cells.dtype, "copies": pl.Int64()}

    def finish(piece: int, part: pa.Table) -> pl.DataFrame | Inspected:
        frame = from_engine(part, dtypes)
        copies = frame.get_column("copies").to_numpy()
        places = np.repeat(np.arange(frame.height), copies)
        places = places[worker_randomness(seed, piece).permutation(len(places))]
        columns = (frame.get_column("grp").alias(group), *shown(frame.get_column("cell")))
        made = pl.DataFrame([each.gather(places) for each in columns])
        return made if inspect is None else Inspected(made, lambda file: inspect(file).text())

    some = f"least(copies - stretch * {PIECE_ROWS}, {PIECE_ROWS}) as copies"
    spread = _spread(cells.frame, "copies").selectExpr("grp", "cell", some, "stretch")
    placed, pieces = _in_pieces(spread, cells.groups, cells.rows, "grp + stretch + hash(cell)")
    chosen = placed.select("grp", "cell", "copies", "piece")
    written = write_pieces(chosen, "piece", pieces, finish, draft, table, randomness)
    return () if inspect is None else reports_of(written)


def _spread(frame: DataFrame, count: str) -> DataFrame:
    """Repeat rows whose count is too large for one piece, numbered by ``stretch``."""
    from pyspark.sql import functions as f

    last = f.floor((f.col(count) - 1) / PIECE_ROWS).cast("bigint")
    return frame.withColumn("stretch", f.explode(f.sequence(f.lit(0).cast("bigint"), last)))


def write_help(
    cells: GroupCells,
    sizes: DataFrame,
    lines: int,
    measured: Callable[[pl.Series, pl.Series], tuple[pl.Series, ...]],
    whole_sums: bool,
    group: str,
    draft: Path,
    table: str,
    randomness: Randomness,
) -> None:
    """Write the help table: for each group one line per number of its people.

    Parameters
    ----------
    cells
        The cells.
    sizes
        ``grp`` and ``people``, the number of people of each group.
    lines
        Number of all people.
    measured
        Groups and their cells to lower and upper ends, means and variances inside.
    whole_sums
        As for :func:`papilio.families.grouped.help_table.help_lines`.
    group, draft, table, randomness
        As for :func:`write_values`.

    Notes
    -----
    A group with more people than a piece has lines is computed in stretches, each from the cells
    of the group, which are as many as it has different ones.
    """
    stretches, pieces = _in_pieces(_stretches(sizes), cells.groups, lines, "grp + stretch")
    joined = cells.frame.join(stretches, "grp")
    wanted = joined.select("grp", "cell", "copies", "begin", "finish", "piece")
    numbers = dict.fromkeys(("grp", "copies", "begin", "finish"), pl.Int64())
    dtypes = {**numbers, "cell": cells.dtype}

    def finish(_: int, part: pa.Table) -> pl.DataFrame:
        frame = from_engine(part, dtypes).sort("grp", "begin")
        return _lines(frame, measured, group, whole_sums=whole_sums)

    write_pieces(wanted, "piece", pieces, finish, draft, table, randomness)


def _stretches(sizes: DataFrame) -> DataFrame:
    """``grp``, first and last number of hits, and the number of the stretch."""
    return _spread(sizes, "people").selectExpr(
        "grp",
        f"stretch * {PIECE_ROWS} + 1 as begin",
        f"least(people, (stretch + 1) * {PIECE_ROWS}) as finish",
        "stretch",
    )


def _in_pieces(frame: DataFrame, groups: int, rows: int, spreading: str) -> tuple[DataFrame, int]:
    """Give rows the number of a ``piece``, of which each has some; and how many there are.

    Parameters
    ----------
    frame
        Rows with ``grp`` and ``stretch``.
    groups
        Number of groups.
    rows
        Rows that will be written.
    spreading
        A number by which rows are spread over the pieces if there are fewer groups than pieces.
    """
    pieces = max(1, -(-rows // PIECE_ROWS))
    if groups >= pieces:
        # Groups are numbered without gaps, so that none is empty.
        return frame.selectExpr("*", f"cast(pmod(grp + stretch, {pieces}) as int) as piece"), pieces
    spread = frame.selectExpr("*", f"cast(pmod({spreading}, {pieces}) as int) as place")
    used = collect(spread.select("place").distinct(), "pieces in use").column("place")
    numbers = pa.table({"spot": used, "piece": pa.array(range(len(used)), pa.int32())})
    listed = frame.sparkSession.createDataFrame(numbers)
    return spread.join(listed, spread["place"] == listed["spot"]), len(used)


def _lines(
    frame: pl.DataFrame,
    measured: Callable[[pl.Series, pl.Series], tuple[pl.Series, ...]],
    group: str,
    *,
    whole_sums: bool,
) -> pl.DataFrame:
    """Lines of all stretches in a frame of cells, which is sorted by group and stretch."""
    heads = frame.group_by("grp", "begin", maintain_order=True).agg(
        pl.col("finish").first(),
        pl.col("copies").filter(pl.col("cell").is_null()).sum().alias("nulls"),
        pl.col("cell").count().alias("cells"),
    )
    known = frame.filter(pl.col("cell").is_not_null())
    ends = measured(known.get_column("grp"), known.get_column("cell"))
    low, high, middle, inside = (each.to_numpy() for each in ends)
    runs = CellRuns(
        heads.get_column("grp").to_numpy(),
        np.concatenate([[0], np.cumsum(heads.get_column("cells").to_numpy())]).astype(np.int64),
        low,
        high,
        middle.astype(np.float64),
        inside.astype(np.float64),
        known.get_column("copies").to_numpy(),
        heads.get_column("nulls").to_numpy().astype(np.int64),
    )
    first, last = (heads.get_column(name).to_numpy() for name in ("begin", "finish"))
    return help_lines(runs, first, last, group, whole_sums=whole_sums)
