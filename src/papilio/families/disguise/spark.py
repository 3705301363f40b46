"""Exact quasi-identifiers, the sensitive column generalised until it follows a target.

Targets and subdomains are planned from how often each leaf of the domain occurs in each part. The
engine gives people their groups and writes the subdomains. With one group per class, every worker
plans the classes that it gets.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.data.column import ColumnType
from papilio.data.domain_tree import DomainTree
from papilio.families.disguise.make import disguise_notes, manner_of, requirement_of
from papilio.families.disguise.methods.moments import subdomain_moments
from papilio.families.disguise.methods.publish import disguised_manifest
from papilio.families.disguise.methods.target_of import read_weights
from papilio.families.disguise.plan import DisguisePlan, plan_parts, plan_pools
from papilio.families.disguise.spark_classes import write_classes
from papilio.families.disguise.spark_counts import (
    CountedPart,
    Reading,
    count_parts,
    tree_in_engine,
)
from papilio.families.disguise.truth import DisguisedTruth, disguised_check
from papilio.families.family import Choice
from papilio.families.permutation.methods.help_table import sums_fit
from papilio.families.permutation.methods.publish import group_name, permuted_names
from papilio.policy.policy import Policy
from papilio.privacy.target_distribution import TargetDistribution
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.manifest import Manifest
from papilio.verify.disguised_truth import PERSONAL
from papilio.workflow.pieces.made import Truth
from papilio.workflow.pieces.report import group_keys
from papilio.workflow.spark.cells import GroupCells, write_help, write_values
from papilio.workflow.spark.group_sums import sum_source_rows
from papilio.workflow.spark.made import SparkMade
from papilio.workflow.spark.original_view import facts_of_rows
from papilio.workflow.spark.people import Travelling, keyed_rows, travelling, write_people
from papilio.workflow.spark.seeds import worker_seed
from papilio.workflow.spark.shares import KEY, LIKE, SHARES, deal_out
from papilio.workflow.spark.source_rows import SourceRows, open_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def make_with_spark(
    session: SparkSession,
    policy: Policy,
    choice: Choice,  # noqa: ARG001 - every maker is told
    draft: Path,
    randomness: Randomness,
    tell: Progress,
) -> SparkMade:
    """Disguise the column that has a target, and write the tables of the release.

    Collected: the values of the domain, if the policy does not give its range; counts of leaves by
    part, and with personal levels by what people say.
    """
    ((name, said),) = policy.privacy.target.items()
    tell("reading", 0.05)
    rows = open_rows(session, policy)
    (column,) = (each for each in rows.columns if each.name == name)
    file = read_weights(said, column.type, policy.base, policy.allowed)
    tell("weighing", 0.15)
    tree = tree_in_engine(rows, column, said, file)
    reading = Reading(rows.typing, name, said.by, policy.privacy.personal, tree)
    parts = count_parts(rows, reading, said, file)
    tell("generalising", 0.3)
    requirement = requirement_of(policy, name, said)
    whole = sums_fit(_farthest(tree), rows.rows) and tree.lows.dtype == pl.Int64
    gap, searched = None, None

    def described(groups: Sequence[int], cells: int) -> tuple[Manifest, dict[str, str]]:
        targets = [(part.target, many) for part, many in zip(parts, groups, strict=True)]
        heights, seeded = (rows.rows, cells), randomness.seeded
        return disguised_manifest(
            rows.name, rows.columns, requirement, targets, heights, seeded=seeded
        )

    truth: Truth
    if isinstance(requirement, TargetDistribution) and said.mode == "per-class":
        groups, cells, truth = write_classes(
            rows, reading, parts, requirement, draft, randomness, described, whole_sums=whole
        )
    else:
        plan = (
            plan_parts(parts, manner_of(requirement), randomness)
            if isinstance(requirement, TargetDistribution)
            else plan_pools(parts, randomness)
        )
        cells = int(plan.subdomains.counts.sum())
        groups, searched = plan.groups, plan.searched
        gap = None if plan.bound is None else (plan.subdomains.cost(tree), plan.bound)
        tell("permuting", 0.4)
        told = described(groups, cells)
        truth = _write(rows, reading, parts, plan, told, draft, randomness, whole_sums=whole)
    manifest, files = described(groups, cells)
    hidden = sum(_hidden(part) for part in parts)
    changes = [part.change for part in parts]
    notes = disguise_notes(changes, hidden, cells - rows.rows, searched, gap)
    facts = facts_of_rows(rows)
    return SparkMade(manifest, files, rows.left_out, facts, truth, tuple(notes), rows=rows)


def _farthest(tree: DomainTree) -> int:
    if tree.lows.dtype != pl.Int64:
        return 0
    return max(abs(int(tree.lows[0])), abs(int(tree.highs[-1])))


def _hidden(part: CountedPart) -> int:
    chance = part.target.chance[part.target.tree.leaf_node]
    return int(part.leaves[chance == 0].sum())


def _write(
    rows: SourceRows,
    reading: Reading,
    parts: Sequence[CountedPart],
    plan: DisguisePlan,
    told: tuple[Manifest, dict[str, str]],
    draft: Path,
    randomness: Randomness,
    *,
    whole_sums: bool,
) -> DisguisedTruth:
    tree, personal = reading.tree, reading.personal is not None
    columns = travelling(rows, reading.column, "hidden", {"said": PERSONAL} if personal else None)
    keys = group_keys(len(columns.originals))
    check = disguised_check(*told, tree, keys.rows)
    group = group_name([column.name for column in rows.columns])
    _, values, helping = permuted_names(rows.name)
    people = _people(rows, reading, parts, plan, columns, worker_seed(randomness))
    reports = write_people(people, rows, columns, group, draft, randomness, check.people)
    cells = _cells(rows, plan)
    ends = (f"{reading.column}_min", f"{reading.column}_max")

    def shown(nodes: pl.Series) -> Sequence[pl.Series]:
        places = nodes.to_numpy()
        low, high = tree.lows.gather(tree.first[places]), tree.highs.gather(tree.last[places])
        return low.alias(ends[0]), high.alias(ends[1])

    write_values(cells, shown, group, draft, values, randomness)
    if _is_numeric(rows, reading.column):
        sizes = pa.table({"grp": np.arange(len(plan.people)) + 1, "people": plan.people})
        write_help(
            cells,
            rows.session.createDataFrame(sizes),
            rows.rows,
            _Measure(tree, parts, plan.groups),
            whole_sums,
            group,
            draft,
            helping,
            randomness,
        )
    # What people demand comes last, as it does in workers.
    names = [name for name in columns.originals if name != PERSONAL]
    source = sum_source_rows(rows, names, reading.column, keys, reading.personal)
    return DisguisedTruth(source.rows, reports, check, personal)


def _is_numeric(rows: SourceRows, name: str) -> bool:
    return rows.typing.kinds[name] is ColumnType.NUMERIC


class _Measure:
    """Ends, mean and variance of the subdomains of groups; runs in workers."""

    def __init__(
        self, tree: DomainTree, parts: Sequence[CountedPart], groups: Sequence[int]
    ) -> None:
        self._tree = tree
        self._last: NDArray[np.int64] = np.cumsum(groups)
        moments = [subdomain_moments(part.target) for part in parts]
        self._mean, self._variance = (np.stack(each) for each in zip(*moments, strict=True))

    def __call__(self, groups: pl.Series, nodes: pl.Series) -> tuple[pl.Series, ...]:
        tree, places = self._tree, nodes.to_numpy()
        part = np.searchsorted(self._last, groups.to_numpy())
        return (
            tree.lows.gather(tree.first[places]),
            tree.highs.gather(tree.last[places]),
            pl.Series(self._mean[part, places]),
            pl.Series(self._variance[part, places]),
        )


def _cells(rows: SourceRows, plan: DisguisePlan) -> GroupCells:
    found = plan.subdomains
    group = np.repeat(np.arange(found.groups), np.diff(found.offsets)) + 1
    table = pa.table({"grp": group, "cell": found.nodes, "copies": found.counts})
    frame = rows.session.createDataFrame(table)
    return GroupCells(frame, pl.Int32(), found.groups, int(found.counts.sum()))


def _people(
    rows: SourceRows,
    reading: Reading,
    parts: Sequence[CountedPart],
    plan: DisguisePlan,
    travel: Travelling,
    seed: int | None,
) -> DataFrame:
    """Published columns of people, and the group of each."""
    if plan.shares is None:
        group = pl.Series("grp", np.arange(len(parts)) + 1)
        known = pl.DataFrame([*_told([part.key for part in parts], reading.keys), group])
        columns, wanted = reading.keys, "grp"
    else:
        known, columns, wanted = _kinds(parts, reading), [*reading.keys, "code", "said"], LIKE

    hidden = {own: travel.dtypes[own] for own in travel.hidden}

    def more(frame: pl.DataFrame) -> pl.DataFrame:
        found = reading.read(frame)
        beside = found.with_columns(reading.value(frame).alias("hidden")).select(list(hidden))
        if not columns:
            return beside.with_columns(pl.lit(1, pl.Int64).alias(wanted))
        joined = found.join(known, on=columns, how="left", nulls_equal=True, maintain_order="left")
        return beside.with_columns(joined.get_column(wanted))

    keyed = keyed_rows(rows, travel, more, {wanted: pl.Int64(), **hidden}, seed)
    if plan.shares is None:
        return keyed.select(*travel.names, "grp", KEY)
    shares = plan.shares
    listed = (shares.like, shares.group, shares.first, shares.copies)
    dealt = rows.session.createDataFrame(pa.table(list(listed), names=list(SHARES)))
    return deal_out(keyed, dealt, travel.names)


def _told(keys: Sequence[tuple[str | None, ...]], names: Sequence[str]) -> list[pl.Series]:
    return [
        pl.Series(name, [key[place] for key in keys], dtype=pl.String)
        for place, name in enumerate(names)
    ]


def _kinds(parts: Sequence[CountedPart], reading: Reading) -> pl.DataFrame:
    """Number of each kind of people, by key, leaf and what they say."""
    frames = [
        pl.DataFrame(
            [
                *_told([part.key] * len(part.codes), reading.keys),
                pl.Series("code", part.codes, dtype=pl.Int32),
                part.said.alias("said"),
            ]
        )
        for part in parts
    ]
    return pl.concat(frames).with_row_index(LIKE).cast({LIKE: pl.Int64})
