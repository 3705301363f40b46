"""One table, for one recipient or for several.

The top of the tree is cut from counts of all workers, one pass per level. Then every row goes to
its piece in one shuffle, and each piece is finished, by the kernels that finish whole tables on one
machine, and written by the worker that holds it. Where whole columns are generalised, levels are
chosen from counts of combinations instead, and rows go to files by chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa

from papilio.engines.spark.collected import collect
from papilio.engines.spark.read import map_frames
from papilio.engines.spark.types import schema_of, to_engine
from papilio.engines.spark.write import Inspected, write_pieces
from papilio.errors import DataError
from papilio.families import choose
from papilio.families.facts import types_of
from papilio.families.family import Choice
from papilio.families.one_table.methods.top_tree import TopTree, cut_top
from papilio.families.one_table.plan import (
    ROWS,
    LevelPlan,
    check_combinations,
    count_combinations,
    described_levels,
    finish_at_levels,
    has_levels,
    plan_levels,
)
from papilio.policy.policy import Policy
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.manifest import Manifest
from papilio.verify.promise.promise import TableFacts
from papilio.verify.witness.row_sums import keys_needed
from papilio.workflow.pieces.finish import (
    finish,
    finish_one_class,
    manifest_of,
    rows_of_piece,
    top_demand,
    top_weights,
)
from papilio.workflow.pieces.meanings import Meanings
from papilio.workflow.pieces.report import reports_of
from papilio.workflow.spark.coded import codes_as_read
from papilio.workflow.spark.counter import SparkCounter
from papilio.workflow.spark.made import SparkMade
from papilio.workflow.spark.merge import checked
from papilio.workflow.spark.seeds import worker_randomness, worker_seed
from papilio.workflow.spark.slots import Slots, slots_of
from papilio.workflow.spark.table import SparkTable, open_table
from papilio.workflow.spark.transport import (
    PIECE,
    packed_rows,
    travelling_types,
    unpacked_piece,
    unpacked_rows,
)
from papilio.workflow.spark.truth import (
    GeneralisedTruth,
    TableTruth,
    WorkerCheck,
    sum_source,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


#: Different combinations of values from which this process chooses levels: some hundred bytes each.
MOST_COMBINATIONS = 3_000_000


@dataclass(frozen=True, eq=False)
class GeneralisedTable:
    """One table whose files are written.

    Attributes
    ----------
    manifest, hierarchies
        What a release of this table alone says, and the files that go with it.
    meanings
        What its columns mean.
    choice
        The method, which may depend on the number of rows.
    truth
        What workers found out about its truth.
    """

    manifest: Manifest
    hierarchies: dict[str, str]
    meanings: Meanings
    choice: Choice
    truth: TableTruth


def make_with_spark(
    session: SparkSession,
    policy: Policy,
    choice: Choice,
    draft: Path,
    randomness: Randomness,
    tell: Progress,
) -> SparkMade:
    """Publish one table; see :func:`generalise`."""
    made = generalise(session, policy, choice, draft, randomness, tell)
    meanings = made.meanings
    facts = TableFacts(meanings.name, types_of(meanings.columns), meanings.rows)
    return SparkMade(
        made.manifest,
        made.hierarchies,
        meanings.left_out,
        facts,
        GeneralisedTruth(made.hierarchies, (made.truth,), tuple(facts.types)),
        meanings.notes,
        choice=made.choice,
    )


def generalise(
    session: SparkSession,
    policy: Policy,
    choice: Choice,
    draft: Path,
    randomness: Randomness,
    tell: Progress,
) -> GeneralisedTable:
    """Divide the rows of a source into classes, generalise each, and write part files.

    Parameters
    ----------
    session
        The engine.
    policy, choice
        What is demanded, and the method as far as it is known without the number of rows.
    draft
        Folder for the files.
    randomness
        For the numbers of the files; workers draw their own.
    tell
        Told of each stage.

    Notes
    -----
    Cost: one pass to count values, one for each level of the top tree, one to check the pieces, one
    to send rows to their pieces, one to add up the source; one shuffle of all rows. Collected:
    values and counts, counts per region, the number of rows of each piece and their sum.
    """
    tell("counting", 0.05)
    levels = has_levels(policy, choice)
    table = open_table(session, policy, exact=levels)
    choice = choose(policy, table.meanings.rows)
    tell("dividing", 0.2)
    division = divide_anyhow(table, policy, choice) if levels else divide(table, policy, choice)
    tell("generalising", 0.35)
    meanings, plan = table.meanings, division.plan
    described = manifest_of(
        meanings,
        policy,
        choice,
        seeded=randomness.seeded,
        cells=None if plan is None else described_levels(plan, meanings),
        left_out=0 if plan is None else plan.suppressed,
    )
    truth = _write(table, policy, choice, division, described, draft, randomness)
    return GeneralisedTable(*described, meanings, choice, truth)


@dataclass(frozen=True, eq=False)
class Division:
    """Pieces of a table, the files they go to, and the levels of whole columns if there are any.

    Pieces without levels meet the demand by themselves.
    """

    tree: TopTree
    slots: Slots
    plan: LevelPlan | None = None


def divide(table: SparkTable, policy: Policy, choice: Choice) -> Division:
    """Cut a table into pieces that meet the demand by the engine's own counts."""
    meanings = table.meanings
    demand, counter = top_demand(policy, meanings), SparkCounter(table)
    most = rows_of_piece(policy, choice)
    weights = top_weights(policy, choice, meanings)
    tree = cut_top(counter, meanings.attributes, demand, piece_rows=most, weights=weights)
    tree, counts = checked(tree, counter, demand)
    return Division(tree, slots_of(tree, counts, meanings, most))


def divide_anyhow(table: SparkTable, policy: Policy, choice: Choice) -> Division:
    """Choose levels from the engine's counts, and files by nothing but chance."""
    meanings = table.meanings
    plan = plan_levels(_combinations(table), meanings, policy)
    none, rows = np.full(1, -1, np.int32), meanings.rows
    files = -(-rows // rows_of_piece(policy, choice))
    tree = TopTree(none, none, none, none, np.zeros(1, np.int32), (rows,), (True,))
    return Division(tree, Slots(np.array([0, files]), {}), plan)


def _combinations(table: SparkTable) -> pl.DataFrame:
    """Count combinations of codes: each worker in its parts, the engine adds up.

    Collected: the combinations, up to :data:`MOST_COMBINATIONS`.
    """
    meanings = table.meanings
    quasi, about = len(meanings.quasi), len(meanings.sensitive)
    names = [*(f"q{place}" for place in range(quasi)), *(f"s{place}" for place in range(about))]
    schema = ", ".join([*(f"{name} int" for name in names), f"{ROWS} bigint"])

    def work(frame: pl.DataFrame) -> pa.Table:
        return to_engine(count_combinations(*codes_as_read(frame, meanings), quasi))

    counted = map_frames(table.session, table.scan, work, schema)
    summed = counted.groupBy(*names).sum(ROWS).toDF(*names, ROWS)
    found = collect(summed.limit(MOST_COMBINATIONS + 1), "combinations of values")
    check_combinations(found.num_rows, MOST_COMBINATIONS)
    return pl.DataFrame(found)


def _write(
    table: SparkTable,
    policy: Policy,
    choice: Choice,
    division: Division,
    described: tuple[Manifest, dict[str, str]],
    draft: Path,
    randomness: Randomness,
) -> TableTruth:
    meanings = table.meanings
    # Of two tables made of the same rows, neither order may tell the other.
    dealing, ordering = worker_seed(randomness), worker_seed(randomness)
    # Never those of a seed: who can repeat the run must not know them.
    keys = Randomness(None).keys(keys_needed(len(meanings.columns)))
    tree, slots, plan = division.tree, division.slots, division.plan
    types = {PIECE: pl.Int32(), **travelling_types(meanings)}

    def pack(frame: pl.DataFrame) -> pa.Table:
        return packed_rows(frame, meanings, tree, slots, worker_randomness(dealing, frame.height))

    def finished(file: int, part: pa.Table) -> Inspected:
        piece, random = unpacked_piece(part, meanings), worker_randomness(ordering, file)
        if plan is not None:
            made = finish_at_levels(piece, plan, meanings, random)
        elif file in slots.boxes:
            box = slots.boxes[file]
            made = finish_one_class(piece, box, meanings, policy, random)
        else:
            made = finish(piece, meanings, policy, choice, random)
        check = WorkerCheck(unpacked_rows(part, meanings), made, *described, keys)
        return Inspected(made.frame, check)

    rows = map_frames(table.session, table.scan, pack, schema_of(types))
    written = write_pieces(rows, PIECE, slots.count, finished, draft, meanings.name, randomness)
    left_out = 0 if plan is None else plan.suppressed
    if written.get_column("rows").sum() != meanings.rows - left_out:
        raise DataError(
            "the source changed while it was read; read it again when nothing writes to it",
            reason="changed-while-reading",
        )
    return TableTruth(sum_source(table, keys), reports_of(written))
