"""Several tables of one recipient, each with some of the sensitive columns.

The plan follows from contingency tables in the engine. Each table of the plan is then published as
a table of its own, by itself, so that nothing but quasi-identifiers links two of them.

A pair of columns may have as many pairs of values as there are rows, so the tables stay in the
engine; what comes back are sums over them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa

from papilio.data.table import Role
from papilio.engines.spark.read import to_engine
from papilio.engines.spark.worker import guarded
from papilio.engines.spark.write import collect
from papilio.families.engines.spark.made import SparkMade
from papilio.families.engines.spark.source_rows import SourceRows, map_rows, open_rows
from papilio.families.engines.spark.verify import check_countable, facts_of_rows
from papilio.families.family import Choice
from papilio.families.generalising.names import HYBRID
from papilio.families.generalising.spark import generalise
from papilio.families.generalising.truth import GeneralisedTruth, TableTruth
from papilio.families.projections.make import plan_notes, projected_manifest
from papilio.families.projections.plan import Sums, as_texts, plan_tables
from papilio.measure.dependencies import Bins, Harmless, binned, harmless_rows
from papilio.measure.mutual_information import Contingency, PairSums, Sizes, added, pair_sums
from papilio.policy.policy import Policy
from papilio.progress import Progress, silent
from papilio.randomness import Randomness
from papilio.release.manifest import Manifest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


_VALUES = {
    "place": pl.Int32(),
    "whole": pl.Int64(),
    "broken": pl.Float64(),
    "n": pl.Int64(),
}
_COUNTS = {"pair": pl.Int32(), "a": pl.String(), "b": pl.String(), "n": pl.Int64()}
_SUMS = (
    "pair int, excess double, expected string, left_first double, left_second double, "
    "alone double, pairs bigint, sizes string"
)


@dataclass(frozen=True, eq=False)
class SparkPairs:
    """Lets the engine count pairs; see :class:`papilio.families.projections.plan.PairCounter`.

    Attributes
    ----------
    source
        The source.
    sensitive
        The sensitive columns, pairs of which will be verified.
    """

    source: SourceRows
    sensitive: Sequence[str]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.source.rows

    @property
    def dtypes(self) -> Mapping[str, pl.DataType]:
        """Types of the columns."""
        return self.source.dtypes

    def sums(self, names: Sequence[str], pairs: Sequence[tuple[int, int]], bins: Bins) -> Sums:
        """Sum up the contingency tables of pairs of columns, if they can be verified."""
        cuts = find_cuts(self.source, {name: bins[name] for name in names if name in bins})
        found = sum_pairs(self.source, names, pairs, cuts)
        counts = {(names[i], names[j]): each.pairs for (i, j), each in found.items()}
        if any(i != j for i, j in pairs):
            check_countable(self.sensitive, counts)
        return found

    def harmless(self, said: Harmless) -> Mapping[str, int]:
        """Rows of some columns whose value is among the harmless ones."""
        return count_where(
            self.source, said, lambda name, values: harmless_rows(values, said[name])
        )

    def same_values(self, one: str, other: str) -> bool:
        """Whether two columns hold the same values, each of them once and none NULL."""
        return same_values(self.source, one, other)


def find_cuts(rows: SourceRows, bins: Bins) -> dict[str, pl.Series]:
    """Find the least values of the bins of columns; see ``cuts_of`` in ``dependencies``.

    Notes
    -----
    One pass over the source; the engine counts values. Collected: a line per bin.
    """
    if not bins:
        return {}
    typing, listed = rows.typing, list(bins)

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        typed = typing.give(frame, listed)
        return pl.concat(
            _physical(typed.get_column(name)).select(
                pl.lit(place, pl.Int32).alias("place"), "whole", "broken", "n"
            )
            for place, name in enumerate(listed)
        )

    counted = map_rows(rows, work, dict(_VALUES), listed)
    lines = _bins_of(counted, list(bins.values()))
    found = pl.DataFrame(collect(lines, "bins of values")).sort("place", "bin")
    return {
        name: found.filter(pl.col("place") == place).get_column(
            "broken" if rows.dtypes[name].is_float() else "whole"
        )
        for place, name in enumerate(listed)
    }


def _physical(values: pl.Series) -> pl.DataFrame:
    """Values as numbers, whole or broken, and how often they occur; without NULL."""
    numbers = values.drop_nulls().to_physical().alias("value")
    broken = numbers.dtype.is_float()
    zero = pl.lit(0)
    return (
        numbers.to_frame()
        .group_by("value")
        .len("n")
        .select(
            (zero if broken else pl.col("value")).cast(pl.Int64).alias("whole"),
            (pl.col("value") if broken else zero).cast(pl.Float64).alias("broken"),
            pl.col("n").cast(pl.Int64),
        )
    )


def _bins_of(counted: DataFrame, bins: Sequence[int]) -> DataFrame:
    """``place``, ``bin`` and the least value of each, ``whole`` or ``broken``."""
    added = counted.groupBy("place", "whole", "broken").sum("n")
    asked = " ".join(f"when {place} then {number}" for place, number in enumerate(bins))
    numbered = (
        added.toDF("place", "whole", "broken", "n")
        .selectExpr(
            "place",
            "whole",
            "broken",
            f"(sum(n) over (partition by place order by whole, broken) - n) "
            f"* (case place {asked} end) as below",
            "sum(n) over (partition by place) as total",
        )
        .selectExpr("place", "whole", "broken", "cast(floor(below / total) as bigint) as bin")
    )
    return (
        numbered.groupBy("place", "bin")
        .min("whole", "broken")
        .toDF("place", "bin", "whole", "broken")
    )


def sum_pairs(
    rows: SourceRows,
    names: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    cuts: Mapping[str, pl.Series] | None = None,
) -> Sums:
    """Sum up the contingency tables of pairs of columns.

    Parameters
    ----------
    rows
        The source.
    names
        The columns.
    pairs
        Numbers of the columns of each pair; of a column with itself, its frequencies.
    cuts
        Least values of the bins of columns that are counted by bins.

    Notes
    -----
    One pass over the source; workers count the pairs of values in their part, the engine adds
    them up, and workers sum up formulas. Collected: a line of sums per pair and batch.
    """
    counted = _marginals(_counted(rows, names, pairs, cuts or {}))
    itself = frozenset(number for number, (i, j) in enumerate(pairs) if i == j)
    summed = counted.mapInArrow(guarded(_summing(rows.rows, itself)), _SUMS)
    lines = collect(summed, "sums over pairs of values").to_pylist()
    found: dict[tuple[int, int], list[PairSums]] = {pair: [] for pair in pairs}
    for line in lines:
        pair = pairs[line.pop("pair")]
        expected, sizes = int(line.pop("expected")), _read_sizes(line.pop("sizes"))
        found[pair].append(PairSums(rows=rows.rows, expected=expected, sizes=sizes, **line))
    return {pair: added(parts) for pair, parts in found.items()}


def _counted(
    rows: SourceRows,
    names: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    cuts: Mapping[str, pl.Series],
) -> DataFrame:
    """``pair``, values of both columns as text, and how often they occur together."""
    typing = rows.typing

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        typed = (
            binned(each, cuts[each.name]) if each.name in cuts else each
            for each in typing.give(frame, names)
        )
        texts = pl.DataFrame([as_texts(each) for each in typed])
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


def _marginals(counted: DataFrame) -> DataFrame:
    return counted.selectExpr(
        "pair",
        "n",
        "sum(n) over (partition by pair, a) as first",
        "sum(n) over (partition by pair, b) as second",
    )


def _summing(
    rows: int, itself: frozenset[int]
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            frame = pl.DataFrame(batch)
            for (pair,), part in frame.group_by("pair"):
                columns = (part.get_column(name).to_numpy() for name in ("n", "first", "second"))
                together, first, second = (each.astype(np.int64) for each in columns)
                counts = Contingency(rows, together, first, second)
                sums = pair_sums(counts, itself=int(pair) in itself)
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
            "sizes": [_write_sizes(sums.sizes)],
        }
    )
    return to_engine(line)


def _write_sizes(sizes: Sizes) -> str:
    """As text, because there may be any number of them: ``3*5 4*1`` for five values of 3 rows."""
    pairs = zip(sizes.counts, sizes.times, strict=True)
    return " ".join(f"{count}*{times}" for count, times in pairs)


def _read_sizes(text: str) -> Sizes:
    pairs = [each.split("*") for each in text.split()]
    return Sizes(tuple(int(count) for count, _ in pairs), tuple(int(times) for _, times in pairs))


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


def make_with_spark(
    session: SparkSession,
    policy: Policy,
    choice: Choice,
    draft: Path,
    randomness: Randomness,
    tell: Progress,
) -> SparkMade:
    """Choose which sensitive columns go together, and generalise a table for each.

    As :func:`papilio.families.projections.make.make_projected`. Collected besides what generalising
    needs: sums over contingency tables.
    """
    tell("planning", 0.05)
    rows = open_rows(session, policy)
    plan = plan_tables(policy, SparkPairs(rows, policy.with_role(Role.SENSITIVE)))
    method, tables = policy.generalise or HYBRID, plan.planned.tables
    parts: list[tuple[Manifest, Mapping[str, str]]] = []
    truth: list[TableTruth] = []
    for done, part in enumerate(plan.orders(rows.name, method)):
        tell("generalising", 0.2 + 0.5 * done / len(tables))
        own = Choice(method, "the policy names it")
        # Stages of single tables are none of the whole.
        made = generalise(session, part, own, draft, randomness, silent)
        parts.append((made.manifest, made.hierarchies))
        truth.append(made.truth)
    how = f"{choice.method} ({plan.planned.how} plan, {method})"
    manifest, files = projected_manifest(parts, how)
    notes, facts = plan_notes(manifest, plan.known), facts_of_rows(rows)
    found = GeneralisedTruth(files, tuple(truth), tuple(facts.types))
    return SparkMade(manifest, files, rows.left_out, facts, found, notes, rows=rows)
