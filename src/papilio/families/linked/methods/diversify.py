"""Join clusters until every place of their trees has diverse sensitive values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.snowflake import Snowflake
from papilio.errors import InfeasibleError
from papilio.families.linked.methods.forest import Forest
from papilio.families.linked.methods.miracle import Clusters, Stamped, stamp_clusters
from papilio.privacy.entity_k import EntityDiversity


def diversify(
    forest: Forest,
    snowflake: Snowflake,
    clusters: Clusters,
    demands: Sequence[EntityDiversity],
    *,
    local: bool = False,
) -> Stamped:
    """Stamp clusters; those whose values are not diverse are joined with a neighbour, and again.

    Neighbouring clusters come from the same group of people, so they are alike. Joining helps
    because the requirement is monotone.

    Raises
    ------
    InfeasibleError
        If all people as one class do not meet a demand.

    Notes
    -----
    Cost: at each round at least half of the clusters at fault are gone; each round stamps anew.
    """
    while True:
        stamped = stamp_clusters(forest, clusters, local=local)
        short = _short(forest, snowflake, clusters, stamped, demands)
        if not short.any():
            return stamped
        if clusters.count == 1:
            raise _infeasible(forest, snowflake, stamped, demands)
        clusters = _joined(clusters, short)


def _joined(clusters: Clusters, short: NDArray[np.bool_]) -> Clusters:
    """Each cluster at fault joins the next; the last one, the one before."""
    joins = short.copy()
    joins[-1] = False
    if short[-1]:
        joins[-2] = True
    borders = np.concatenate([[True], ~joins])
    return Clusters(clusters.people, clusters.starts[borders])


def _short(
    forest: Forest,
    snowflake: Snowflake,
    clusters: Clusters,
    stamped: Stamped,
    demands: Sequence[EntityDiversity],
) -> NDArray[np.bool_]:
    short = np.zeros(clusters.count, bool)
    sizes = np.diff(clusters.starts)
    cluster_of = np.empty(forest.people, np.int64)
    cluster_of[clusters.people] = np.repeat(np.arange(clusters.count), sizes)
    for demand in demands:
        for group, counts in _counts(forest, snowflake, stamped, demand):
            if not demand.diversity.holds(counts):
                short[cluster_of[group]] = True
    return short


def _counts(
    forest: Forest, snowflake: Snowflake, stamped: Stamped, demand: EntityDiversity
) -> list[tuple[int, list[int]]]:
    """How often each value occurs in each group; a group is given by a person who has a row."""
    place = snowflake.place(demand.table)
    begin, end = forest.row_base[place], forest.row_base[place + 1]
    frame = pl.DataFrame(
        {
            "group": stamped.group[begin:end],
            "person": snowflake.person_of(place),
            "value": snowflake.tables[place].table.frame.get_column(demand.diversity.column),
        }
    ).filter(pl.col("group") >= 0)
    pairs = frame.group_by("group", "value").agg(pl.len().alias("n"), pl.first("person"))
    groups = pairs.group_by("group").agg(pl.col("n"), pl.first("person"))
    return list(zip(groups["person"].to_list(), groups["n"].to_list(), strict=True))


def _infeasible(
    forest: Forest, snowflake: Snowflake, stamped: Stamped, demands: Sequence[EntityDiversity]
) -> InfeasibleError:
    for demand in demands:
        for _, counts in _counts(forest, snowflake, stamped, demand):
            if not demand.diversity.holds(counts):
                column = f"{demand.table}.{demand.diversity.column}"
                return InfeasibleError(
                    f"column '{column}': {demand.diversity.name} cannot be met, not even by all "
                    "people as one class",
                    reason="not-diverse",
                    nearest=demand.diversity.nearest(counts),
                )
    raise AssertionError
