"""Randomness and shares that each partition of Spark can draw by itself.

Rows dealt out to groups in the engine, as a plan says.

A plan says how many of the rows that are alike go to each group. Which ones is left to chance: the
engine puts rows that are alike into the order of random keys, and each group takes its stretch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from papilio.randomness import Randomness

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def worker_seed(randomness: Randomness) -> int | None:
    """Draw the seed of the workers of one job, so that no two jobs of a run draw alike.

    ``None`` unless the run is seeded, which is for tests only.
    """
    return int(randomness.keys(1)[0]) if randomness.seeded else None


def worker_randomness(seed: int | None, *numbers: int) -> Randomness:
    """Make the source of random numbers for one piece of work.

    Parameters
    ----------
    seed
        ``None`` draws from the operating system of the worker. A number, for tests only, gives
        each piece of work its own stream, whichever worker does it.
    numbers
        What tells this piece of work from others.
    """
    if seed is None:
        return Randomness()
    state = np.random.SeedSequence([seed, *numbers]).generate_state(1, np.uint64)
    return Randomness(int(state[0]))


#: Columns of a plan: what rows have in common, the group, and its stretch.
SHARES = ("like", "grp", "first", "copies")


#: Columns that rows to be dealt out have besides their own: what they have in common, and a key.
LIKE, KEY = "own", "key"


def deal_out(rows: DataFrame, shares: DataFrame, names: Sequence[str]) -> DataFrame:
    """Give each row its group.

    Parameters
    ----------
    rows
        Rows with :data:`LIKE` and the random :data:`KEY`.
    shares
        The plan, :data:`SHARES`: stretches that together are all rows of each kind, from 0 on.
    names
        Columns of the rows to keep.

    Returns
    -------
    DataFrame
        The kept columns, ``grp`` and the key.

    Notes
    -----
    Rows whose kind goes to one group are joined with the plan and stay where they are. The others
    are brought together, kind by kind, and sorted by their keys. The rows are read twice.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    kept = [*names, "grp", KEY]
    groups = shares.groupBy("like").agg(f.count("*").alias("groups"), f.min("grp").alias("grp"))
    single = groups.where("groups = 1").select("like", "grp")
    several = groups.where("groups > 1").select("like")
    sure = rows.join(single, f.col(LIKE) == f.col("like")).select(*kept)
    within = Window.partitionBy(LIKE).orderBy(KEY)
    left = rows.join(several, f.col(LIKE) == f.col("like")).drop("like")
    placed = left.withColumn("place", f.row_number().over(within) - 1)
    stretch = (f.col("place") >= f.col("first")) & (
        f.col("place") < f.col("first") + f.col("copies")
    )
    dealt = placed.join(shares, (f.col(LIKE) == f.col("like")) & stretch).select(*kept)
    return sure.unionByName(dealt)


def deal_evenly(rows: DataFrame, shares: DataFrame, names: Sequence[str]) -> DataFrame:
    """Give each row its group, where all rows are alike and groups are many.

    Parameters
    ----------
    rows, names
        As for :func:`deal_out`; what the rows have in common does not matter.
    shares
        The plan; what it says of kinds does not matter either.

    Notes
    -----
    The rows are sorted in one place. There is one line per row of the plan's stretches, so that
    places are compared for equality only.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    every = Window.partitionBy(f.lit(0)).orderBy(KEY)
    placed = rows.withColumn("place", f.row_number().over(every) - 1)
    last = f.col("first") + f.col("copies") - 1
    slots = shares.select("grp", f.explode(f.sequence(f.col("first"), last)).alias("slot"))
    return placed.join(slots, f.col("place") == f.col("slot")).select(*names, "grp", KEY)
