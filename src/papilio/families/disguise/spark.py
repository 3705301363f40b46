"""Exact quasi-identifiers, the sensitive column generalised until it follows a target.

Targets and subdomains are planned from how often each leaf of the domain occurs in each part. The
engine gives people their groups and writes the subdomains. With one group per class, every worker
plans the classes that it gets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa

from papilio.data.table import ColumnType
from papilio.families.disguise.make import disguise_notes, floor_of, requirement_of
from papilio.families.disguise.methods.publish import disguised_manifest
from papilio.families.disguise.methods.target_of import read_weights
from papilio.families.disguise.plan import (
    CountedPart,
    DisguisePlan,
    Measure,
    check_counted,
    ends_of,
    farthest,
    kinds_of,
    number_kinds,
    plan_disguise,
)
from papilio.families.disguise.spark_plan import (
    WorkerReading,
    count_parts,
    tree_in_engine,
    write_classes,
)
from papilio.families.disguise.truth import DisguisedTruth, add_kinds, disguised_check, no_kinds
from papilio.families.engines.made import Truth
from papilio.families.engines.report import group_keys
from papilio.families.engines.spark.cells import GroupCells, write_help, write_values
from papilio.families.engines.spark.counts import sum_source_rows
from papilio.families.engines.spark.made import SparkMade
from papilio.families.engines.spark.people import Travelling, keyed_rows, travelling, write_people
from papilio.families.engines.spark.seeds import KEY, LIKE, SHARES, deal_out, worker_seed
from papilio.families.engines.spark.source_rows import SourceRows, open_rows
from papilio.families.engines.spark.verify import facts_of_rows
from papilio.families.family import Choice
from papilio.families.grouped.help_table import group_name, permuted_names, sums_fit
from papilio.policy.policy import Policy
from papilio.privacy.target_distribution import TargetDistribution
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.manifest import Manifest
from papilio.verify.disguised_truth import PERSONAL

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
    file = read_weights(said, column, policy.base, policy.allowed)
    tell("weighing", 0.15)
    tree = tree_in_engine(rows, column, said, file)
    reading = WorkerReading(name, said.by, policy.privacy.personal, tree, rows.typing)
    parts = count_parts(rows, reading, said, file)
    tell("generalising", 0.3)
    requirement, floor = requirement_of(policy, name, said), floor_of(policy)
    check_counted(floor, said, parts)
    whole = sums_fit(farthest(tree), rows.rows) and tree.lows.dtype == pl.Int64
    gap, searched = None, None

    def described(groups: Sequence[int], cells: int) -> tuple[Manifest, dict[str, str]]:
        targets = [(part.target, many) for part, many in zip(parts, groups, strict=True)]
        heights, seeded = (rows.rows, cells), randomness.seeded
        return disguised_manifest(
            rows.name, rows.columns, requirement, targets, heights, floor, seeded=seeded
        )

    truth: Truth
    if isinstance(requirement, TargetDistribution) and said.mode == "per-class":
        groups, cells, truth = write_classes(
            rows,
            reading,
            parts,
            (requirement, floor),
            draft,
            randomness,
            described,
            whole_sums=whole,
        )
    else:
        plan = plan_disguise(parts, requirement, randomness, floor=floor)
        groups, cells, searched, gap = plan.groups, plan.cells, plan.searched, plan.gap(tree)
        tell("permuting", 0.4)
        told = described(groups, cells)
        truth = _write(rows, reading, parts, plan, told, draft, randomness, whole_sums=whole)
    manifest, files = described(groups, cells)
    hidden = sum(part.hidden for part in parts)
    changes = [part.change for part in parts]
    notes = disguise_notes(changes, hidden, cells - rows.rows, searched, gap)
    facts = facts_of_rows(rows)
    return SparkMade(manifest, files, rows.left_out, facts, truth, tuple(notes), rows=rows)


def _write(
    rows: SourceRows,
    reading: WorkerReading,
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
        low, high = ends_of(tree, nodes.to_numpy())
        return low.alias(ends[0]), high.alias(ends[1])

    write_values(cells, shown, group, draft, values, randomness)
    if _is_numeric(rows, reading.column):
        sizes = pa.table({"grp": np.arange(len(plan.people)) + 1, "people": plan.people})
        write_help(
            cells,
            rows.session.createDataFrame(sizes),
            rows.rows,
            Measure(tree, parts, plan.groups),
            whole_sums,
            group,
            draft,
            helping,
            randomness,
        )
    # What people demand comes last, as it does in workers.
    names = [name for name in columns.originals if name != PERSONAL]
    source = sum_source_rows(rows, names, reading.column, keys, reading.personal)
    kinds = reduce(add_kinds, reports, no_kinds())
    return DisguisedTruth(source.rows, reports, kinds, check, personal)


def _is_numeric(rows: SourceRows, name: str) -> bool:
    return rows.typing.kinds[name] is ColumnType.NUMERIC


def _cells(rows: SourceRows, plan: DisguisePlan) -> GroupCells:
    found = plan.subdomains
    group = np.repeat(np.arange(found.groups), np.diff(found.offsets)) + 1
    table = pa.table({"grp": group, "cell": found.nodes, "copies": found.counts})
    frame = rows.session.createDataFrame(table)
    return GroupCells(frame, pl.Int32(), found.groups, int(found.counts.sum()))


def _people(
    rows: SourceRows,
    reading: WorkerReading,
    parts: Sequence[CountedPart],
    plan: DisguisePlan,
    travel: Travelling,
    seed: int | None,
) -> DataFrame:
    """Published columns of people, and the group of each."""
    known = kinds_of(parts, reading, plan)
    hidden = {own: travel.dtypes[own] for own in travel.hidden}
    wanted = "grp" if plan.shares is None else LIKE

    def more(frame: pl.DataFrame) -> pl.DataFrame:
        found = reading.seen(frame)
        beside = found.with_columns(reading.value(frame).alias("hidden")).select(list(hidden))
        kinds = number_kinds(found, known)
        # A part is a group, and those are counted from 1.
        return beside.with_columns((kinds + 1 if wanted == "grp" else kinds).alias(wanted))

    keyed = keyed_rows(rows, travel, more, {wanted: pl.Int64(), **hidden}, seed)
    if plan.shares is None:
        return keyed.select(*travel.names, "grp", KEY)
    shares = plan.shares
    listed = (shares.like, shares.group, shares.first, shares.copies)
    dealt = rows.session.createDataFrame(pa.table(list(listed), names=list(SHARES)))
    return deal_out(keyed, dealt, travel.names)
