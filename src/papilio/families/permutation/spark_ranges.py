"""The plan of a permutation of very many different values: ranges of them, planned by workers.

Ranges are cut between values of a random sample of the different ones, so that each has about as
many. Ranges that are no (k,e)-anonymous group join the next. What is lost against a plan of
everything is what could be gained by groups across the cuts: less than one group for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.engines.spark.read import schema_of, to_engine
from papilio.engines.spark.worker import guarded
from papilio.engines.spark.write import collect, write_pieces
from papilio.errors import EngineError
from papilio.families.engines.spark.seeds import worker_randomness, worker_seed
from papilio.families.permutation.plan import Demanded, deal, farthest
from papilio.families.permutation.spark import PermutedPlan, counted_here, shares_of
from papilio.privacy.ke_anonymity import KeAnonymity, check_ends
from papilio.randomness import Randomness
from papilio.release.draft import part_file
from papilio.release.scratch import VARIABLE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Different values of a range, about.
RANGE_VALUES = 500_000
#: Values of the sample for each range.
_SAMPLE = 64
#: Name of the files of a plan.
_SHARES = "shares"


@dataclass(frozen=True, eq=False)
class Ranges:
    """Ranges of values, ascending.

    Attributes
    ----------
    cuts
        Least value of each but the first.
    before
        Rows with a smaller value than those of the range, for each; then the number of all rows
        that are not NULL.
    """

    cuts: NDArray[Any]
    before: NDArray[np.int64]

    @property
    def count(self) -> int:
        """Number of ranges."""
        return len(self.before) - 1

    def shares(self, total: int) -> NDArray[np.int64]:
        """Divide a number in proportion to the rows of each range; begins, then the number."""
        return np.array([total * int(rows) // int(self.before[-1]) for rows in self.before])


def plan_ranges(
    counts: DataFrame, demanded: Demanded, scratch: Path, randomness: Randomness
) -> PermutedPlan:
    """Plan every range by itself; see :func:`.spark.plan_permutation`.

    Notes
    -----
    Collected: a sample of the values, and a few numbers for each range.
    """
    known = counts.where("value is not null")
    total = collect(
        counts.selectExpr(
            "count(value) as different",
            "min(value) as low",
            "max(value) as high",
            "sum(case when value is null then copies else 0 end) as nulls",
        ),
        "ends of the values",
    ).to_pylist()[0]
    check_ends(demanded.requirement, total["different"], total["low"], total["high"])
    ranges = _cut(known, total["different"], demanded.requirement, randomness)
    nulls = ranges.shares(int(total["nulls"]))
    folder = scratch / "plan"
    folder.mkdir()
    seed = worker_seed(randomness)

    def plan(number: int, part: pa.Table) -> pl.DataFrame:
        values, _ = counted_here(part)
        mine = int(nulls[number + 1] - nulls[number])
        dealt = deal(
            values, mine, demanded.requirement, demanded.minimise, worker_randomness(seed, number)
        )
        shares = pl.DataFrame(shares_of(dealt, values, first_group=0))
        return shares.with_columns(pl.lit(number, pl.Int32).alias("piece"))

    placed = _placed(known, ranges.cuts)
    with _shared(scratch):
        write_pieces(placed, "piece", ranges.count, plan, folder, _SHARES, randomness)
    files = [folder / part_file(_SHARES, number + 1) for number in range(ranges.count)]
    return _assembled(_read(known, files), ranges, nulls, total, randomness)


@contextmanager
def _shared(scratch: Path) -> Iterator[None]:
    """Say how workers get a folder that they share, if they do not share this one."""
    try:
        yield
    except EngineError as error:
        if error.reason not in ("folder-not-shared", "worker-cannot-write"):
            raise
        raise EngineError(
            f"workers cannot write to {scratch.parent}, where the plan of so many values has to "
            f"go; name a folder that all of them share, and can write to, in {VARIABLE}",
            reason=error.reason,
        ) from None


def _cut(
    known: DataFrame, different: int, requirement: KeAnonymity, randomness: Randomness
) -> Ranges:
    from pyspark.sql import functions as f

    wanted = -(-different // RANGE_VALUES)
    cuts = np.unique(
        _sample(known, min(1.0, wanted * _SAMPLE / different), worker_seed(randomness))
    )
    cuts = cuts[_SAMPLE::_SAMPLE]
    found = (
        _placed(known, cuts)
        .groupBy("piece")
        .agg(
            f.sum("copies").alias("copies"),
            f.count("value").alias("different"),
            f.min("value").alias("low"),
            f.max("value").alias("high"),
        )
    )
    lines = pl.DataFrame(collect(found, "sizes of ranges")).sort("piece")
    return _enough(lines, cuts, requirement)


def _enough(lines: pl.DataFrame, cuts: NDArray[Any], requirement: KeAnonymity) -> Ranges:
    """Join ranges until each is a group; one that is left at the end joins the last."""
    kept: list[Any] = []
    before = [0]
    rows, different, low = 0, 0, None
    for line in lines.iter_rows(named=True):
        if low is None:
            low = line["low"]
            start = int(line["piece"])
        rows += line["copies"]
        different += line["different"]
        if requirement.holds(different, low, line["high"]):
            kept += [] if len(before) == 1 else [cuts[start - 1]]
            before.append(before[-1] + rows)
            rows, different, low = 0, 0, None
    before[-1] += rows
    return Ranges(np.array(kept, cuts.dtype), np.array(before))


def _sample(known: DataFrame, share: float, seed: int | None) -> NDArray[Any]:
    """Take each value with the same chance."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            randomness = worker_randomness(seed, batch.num_rows)
            taken = randomness.keys(batch.num_rows) / 2.0**64 < share
            yield batch.filter(pa.array(taken))

    values = known.select("value")
    kind = values.schema[0].dataType.simpleString()
    taken = values.mapInArrow(guarded(run), f"value {kind}")
    return np.asarray(collect(taken, "a sample of the values").column("value").to_numpy())


def _placed(known: DataFrame, cuts: NDArray[Any]) -> DataFrame:
    """Values and their counts, with the number of their range."""
    whole = cuts.dtype == np.int64

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            frame = pl.DataFrame(batch)
            number = np.searchsorted(cuts, frame.get_column("value").to_numpy(), side="right")
            placed = frame.with_columns(pl.Series("piece", number, dtype=pl.Int32))
            yield from to_engine(placed).to_batches()

    kind = pl.Int64() if whole else pl.Float64()
    dtypes = {"value": kind, "copies": pl.Int64(), "piece": pl.Int32()}
    return known.select("value", "copies").mapInArrow(guarded(run), schema_of(dtypes))


def _read(known: DataFrame, files: list[Path]) -> DataFrame:
    """Read the plans that workers wrote."""
    session = known.sparkSession
    kind = known.schema["value"].dataType.simpleString()

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from to_engine(pl.read_parquet(files[number], glob=False)).to_batches()

    numbers = session.range(0, len(files), 1, len(files))
    schema = f"like {kind}, grp bigint, first bigint, copies bigint, piece int"
    return numbers.mapInArrow(guarded(run), schema)


def _assembled(
    plans: DataFrame,
    ranges: Ranges,
    nulls: NDArray[np.int64],
    total: dict[str, Any],
    randomness: Randomness,
) -> PermutedPlan:
    """Number the groups of all ranges; the order of ranges is left to chance."""
    from pyspark.sql import functions as f

    sizes = plans.groupBy("piece", "grp").agg(f.sum("copies").alias("people"))
    summed = sizes.groupBy("piece").agg(
        f.count("grp").alias("groups"), f.max("people").alias("largest")
    )
    found = pl.DataFrame(collect(summed, "groups of ranges")).sort("piece")
    groups = found.get_column("groups").to_numpy()
    order = randomness.permutation(ranges.count)
    offset = np.empty(ranges.count, np.int64)
    offset[order] = np.cumsum(groups[order]) - groups[order]
    shifts = pa.table(
        {
            "number": pa.array(np.arange(ranges.count), pa.int32()),
            "shift": offset + 1,
            "missing": nulls[:-1],
        }
    )
    listed = plans.sparkSession.createDataFrame(shifts)
    joined = plans.join(listed, f.col("piece") == f.col("number"))
    shares = joined.selectExpr(
        "like",
        "grp + shift as grp",
        "case when like is null then first + missing else first end as first",
        "copies",
    )
    return PermutedPlan(
        shares,
        int(groups.sum()),
        int(found.get_column("largest").to_numpy().max()),
        farthest([total["low"], total["high"]]),
        int(total["nulls"]),
    )
