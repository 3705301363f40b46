"""The plan of a permutation from counts in the engine.

Up to :data:`MOST_VALUES` different values are planned here, by the very functions that plan a table
in memory. More of them are divided into ranges, which workers plan in the same way. No plan has
more entries than there are different values, twice at most, however many rows and groups there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.engines.spark.collected import collect
from papilio.methods.permute.dealt import Dealt, deal
from papilio.methods.permute.value_counts import ValueCounts, count_values
from papilio.privacy.ke_anonymity import KeAnonymity, check_spread
from papilio.randomness import Randomness

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Different values up to which this process plans by itself: 16 MB of counts.
MOST_VALUES = 1_000_000


@dataclass(frozen=True, eq=False)
class PermutedPlan:
    """What each group gets, in the engine.

    Attributes
    ----------
    shares
        ``like`` (the value), ``grp`` (from 1), ``first`` and ``copies``; see
        :mod:`papilio.workflow.spark.shares`.
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


@dataclass(frozen=True)
class Demanded:
    """What groups must satisfy, and what is to be small."""

    requirement: KeAnonymity
    minimise: str


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
        from papilio.workflow.spark.make.permuted_ranges import plan_ranges

        return plan_ranges(counts, demanded, scratch, randomness)
    known, nulls = counted(found)
    check_spread(demanded.requirement, known.values)
    dealt = deal(known, nulls, demanded.requirement, demanded.minimise, randomness)
    return PermutedPlan(
        counts.sparkSession.createDataFrame(shares_of(dealt, known, first_group=1)),
        dealt.count,
        dealt.largest,
        farthest(known.values),
        nulls,
    )


def counted(found: pa.Table) -> tuple[ValueCounts, int]:
    """Counts of values, and the number of NULLs."""
    frame = pl.DataFrame(found)
    known = frame.filter(pl.col("value").is_not_null())
    copies = known.get_column("copies").to_numpy()
    nulls = int(frame.get_column("copies").sum()) - int(copies.sum())
    return count_values(known.get_column("value").to_numpy(), copies), nulls


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


def farthest(values: NDArray[np.int64] | NDArray[np.float64] | list[Any]) -> int:
    """Largest absolute value of ascending ones, cut to a whole number."""
    return max(abs(int(values[0])), abs(int(values[-1])))
