"""Exact quasi-identifiers, the sensitive column permuted inside groups.

Groups are planned from how often each value occurs. Rows of equal value are dealt out to groups by
random keys in the engine; values and help table follow from the plan.

Up to :data:`MOST_VALUES` different values are planned here, by the very functions that plan a table
in memory. More of them are divided into ranges, which workers plan in the same way. No plan has
more entries than there are different values, twice at most, however many rows and groups there are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from papilio.engines.spark.write import collect
from papilio.errors import DataError
from papilio.families.engines.report import group_keys
from papilio.families.engines.spark.cells import GroupCells, write_help, write_values
from papilio.families.engines.spark.counts import sum_source_rows
from papilio.families.engines.spark.made import SparkMade
from papilio.families.engines.spark.people import Travelling, keyed_rows, travelling, write_people
from papilio.families.engines.spark.seeds import LIKE, deal_evenly, deal_out, worker_seed
from papilio.families.engines.spark.source_rows import SourceRows, map_rows, open_rows
from papilio.families.engines.spark.verify import facts_of_rows
from papilio.families.family import Choice
from papilio.families.grouped.help_table import group_name, permuted_names, sums_fit
from papilio.families.permutation.make import permuted_manifest
from papilio.families.permutation.methods.value_counts import ValueCounts
from papilio.families.permutation.plan import Dealt, Demanded, counted, deal, demanded_by, farthest
from papilio.families.permutation.truth import PermutedCheck, PermutedTruth
from papilio.policy.policy import Policy
from papilio.privacy.ke_anonymity import KeAnonymity, check_spread
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.manifest import Manifest
from papilio.release.scratch import scratch_folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


#: Different values up to which this process plans by itself: 16 MB of counts.
MOST_VALUES = 1_000_000


@dataclass(frozen=True, eq=False)
class PermutedPlan:
    """What each group gets, in the engine.

    Attributes
    ----------
    shares
        ``like`` (the value), ``grp`` (from 1), ``first`` and ``copies``; see
        :mod:`papilio.families.engines.spark.seeds`.
    groups
        Number of groups.
    largest_group
        Number of rows of the largest.
    largest_value
        Largest absolute value, cut to a whole number.
    nulls
        Number of rows that are NULL.
    """

    shares: DataFrame
    groups: int
    largest_group: int
    largest_value: int
    nulls: int


def make_with_spark(
    session: SparkSession,
    policy: Policy,
    choice: Choice,
    draft: Path,
    randomness: Randomness,
    tell: Progress,
) -> SparkMade:
    """Plan groups, deal rows out to them, and write the three tables of a permuted release.

    Collected: the different values with their counts, up to a limit; beyond it a sample of them,
    and the sizes of ranges that workers plan. See :mod:`.spark_ranges`.
    """
    demanded = demanded_by(policy, choice)
    tell("reading", 0.05)
    rows = open_rows(session, policy)
    tell("counting", 0.2)
    counts = _count(rows, demanded.requirement.column)
    requirement = _settled(demanded.requirement, counts)
    demanded = replace(demanded, requirement=requirement)
    tell("dividing", 0.3)
    manifest = permuted_manifest(
        rows.name, rows.columns, requirement, rows.rows, seeded=randomness.seeded
    )
    # A plan of very many values is no part of the release; it has to last until that is written.
    with scratch_folder() as scratch:
        plan = plan_permutation(counts, demanded, scratch.path, randomness)
        tell("permuting", 0.4)
        truth = _write(rows, plan, manifest, requirement.column, draft, randomness, tell)
    return SparkMade(manifest, {}, rows.left_out, facts_of_rows(rows), truth)


def _count(rows: SourceRows, column: str) -> DataFrame:
    """``value`` and ``copies`` of the sensitive column, NULL included."""
    dtypes = {"value": rows.dtypes[column], "copies": pl.Int64()}
    typing = rows.typing

    def work(frame: pl.DataFrame) -> pl.DataFrame:
        values = typing.give(frame, [column]).to_series().alias("value")
        return values.value_counts(name="copies").with_columns(pl.col("copies").cast(pl.Int64))

    counted = map_rows(rows, work, dtypes, [column])
    return counted.groupBy("value").sum("copies").toDF("value", "copies")


def _settled(requirement: KeAnonymity, counts: DataFrame) -> KeAnonymity:
    """The requirement with shares of the range as numbers; the range is only asked for then."""
    if not requirement.of_range:
        return requirement
    found = counts.selectExpr("min(value) as low", "max(value) as high")
    ((low, high),) = (line.values() for line in collect(found, "ends of the values").to_pylist())
    return requirement.settle(low or 0, high or 0)


def _write(
    rows: SourceRows,
    plan: PermutedPlan,
    manifest: Manifest,
    sensitive: str,
    draft: Path,
    randomness: Randomness,
    tell: Progress,
) -> PermutedTruth:
    group = group_name([column.name for column in rows.columns])
    _, values, helping = permuted_names(rows.name)
    columns = travelling(rows, sensitive, LIKE)
    check = PermutedCheck(manifest, sensitive, group_keys(len(columns.originals)))
    dealt = _dealt(rows, plan, columns, sensitive, worker_seed(randomness))
    people = write_people(dealt, rows, columns, group, draft, randomness, check.people)
    tell("permuting", 0.6)
    cells = GroupCells(
        plan.shares.selectExpr("like as cell", "grp", "copies"),
        rows.dtypes[sensitive],
        plan.groups,
        rows.rows,
    )

    def shown(cell: pl.Series) -> tuple[pl.Series]:
        return (cell.alias(sensitive),)

    hidden = write_values(cells, shown, group, draft, values, randomness, check.values)
    tell("permuting", 0.7)
    sizes = cells.frame.groupBy("grp").sum("copies").toDF("grp", "people")
    whole = rows.dtypes[sensitive] == pl.Int64 and sums_fit(plan.largest_value, plan.largest_group)
    write_help(cells, sizes, rows.rows, _exact, whole, group, draft, helping, randomness)
    source = sum_source_rows(rows, columns.originals, sensitive, check.keys)
    return PermutedTruth(source, people, hidden)


def _exact(_: pl.Series, cells: pl.Series) -> tuple[pl.Series, ...]:
    """Ends, mean and variance of cells that are values."""
    return cells, cells, cells, pl.zeros(len(cells), eager=True)


def _dealt(
    rows: SourceRows,
    plan: PermutedPlan,
    columns: Travelling,
    sensitive: str,
    seed: int | None,
) -> DataFrame:
    names, typing = columns.names, rows.typing

    def known(frame: pl.DataFrame) -> pl.DataFrame:
        values = typing.give(frame, [sensitive]).to_series().alias(LIKE)
        return values.to_frame().with_row_index("row").drop_nulls()

    def unknown(frame: pl.DataFrame) -> pl.DataFrame:
        values = typing.give(frame, [sensitive]).to_series().alias(LIKE)
        return values.to_frame().with_row_index("row").filter(pl.col(LIKE).is_null())

    own = {LIKE: rows.dtypes[sensitive]}
    dealt = deal_out(
        keyed_rows(rows, columns, known, own, seed),
        plan.shares.where("like is not null"),
        names,
    )
    if plan.nulls == 0:
        return dealt
    missing = keyed_rows(rows, columns, unknown, own, seed)
    return dealt.unionByName(deal_evenly(missing, plan.shares.where("like is null"), names))


def plan_permutation(
    counts: DataFrame, demanded: Demanded, scratch: Path, randomness: Randomness
) -> PermutedPlan:
    """Divide values into (k,e)-anonymous groups.

    Parameters
    ----------
    counts
        ``value`` and ``copies``.
    demanded
        What for.
    scratch
        A private folder that workers see.
    randomness
        For the numbers of groups.

    Raises
    ------
    InfeasibleError
        If not even all rows as one group satisfy the requirement.
    """
    # One more, and NULL.
    found = collect(counts.limit(MOST_VALUES + 2), "values and their counts")
    if found.num_rows == MOST_VALUES + 2:
        from papilio.families.permutation.spark_ranges import plan_ranges

        if demanded.requirement.struck:
            raise DataError(
                f"column '{demanded.requirement.column}': known and near can be planned for up to "
                f"{MOST_VALUES:,} different values; rounded numbers are accepted, or k and e alone",
                reason="too-many-values",
            )

        return plan_ranges(counts, demanded, scratch, randomness)
    known, nulls = counted_here(found)
    check_spread(demanded.requirement, known.values)
    dealt = deal(known, nulls, demanded.requirement, demanded.minimise, randomness)
    return PermutedPlan(
        counts.sparkSession.createDataFrame(shares_of(dealt, known, first_group=1)),
        dealt.count,
        dealt.largest,
        farthest(known.values),
        nulls,
    )


def counted_here(found: pa.Table) -> tuple[ValueCounts, int]:
    """Counts of values that were collected, and the number of NULLs."""
    frame = pl.DataFrame(found)
    return counted(frame.get_column("value"), frame.get_column("copies").to_numpy())


def shares_of(dealt: Dealt, known: ValueCounts, first_group: int) -> pa.Table:
    """Shares of a plan, as the engine gets them."""
    # The number -1, which stands for NULL, takes any value.
    values = pa.array(known.values[dealt.value], mask=dealt.value < 0)
    return pa.table(
        {
            "like": values,
            "grp": dealt.group + first_group,
            "first": dealt.first,
            "copies": dealt.copies,
        }
    )
