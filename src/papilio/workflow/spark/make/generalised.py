"""One table, for one recipient or for several.

The top of the tree is cut from counts of all workers, one pass per level. Then every row goes to
its piece in one shuffle, and each piece is finished, by the kernels that finish whole tables on one
machine, and written by the worker that holds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from papilio.engines.spark.read import map_frames
from papilio.engines.spark.types import schema_of
from papilio.engines.spark.write import Inspected, write_pieces
from papilio.errors import DataError
from papilio.families import choose
from papilio.families.facts import types_of
from papilio.families.family import Choice
from papilio.methods.generalize.top_tree import TopTree, cut_top
from papilio.policy.policy import Policy
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.manifest import Manifest
from papilio.verify.promise.promise import TableFacts
from papilio.verify.witness.row_sums import keys_needed
from papilio.workflow.pieces.finish import (
    check_method,
    finish,
    finish_one_class,
    manifest_of,
    rows_of_piece,
    top_demand,
    top_weights,
)
from papilio.workflow.pieces.meanings import Meanings
from papilio.workflow.spark.counter import SparkCounter
from papilio.workflow.spark.made import SparkMade
from papilio.workflow.spark.merge import checked
from papilio.workflow.spark.report import reports_of
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


def make_generalised(
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
    check_method(policy, choice)
    tell("counting", 0.05)
    table = open_table(session, policy)
    choice = choose(policy, table.meanings.rows)
    tell("dividing", 0.2)
    division = divide(table, policy, choice)
    tell("generalising", 0.35)
    meanings = table.meanings
    described = manifest_of(meanings, policy, choice, seeded=randomness.seeded)
    truth = _write(table, policy, choice, division, described, draft, randomness)
    return GeneralisedTable(*described, meanings, choice, truth)


@dataclass(frozen=True, eq=False)
class Division:
    """Pieces of a table, each of which meets the demand, and the files they go to."""

    tree: TopTree
    slots: Slots


def divide(table: SparkTable, policy: Policy, choice: Choice) -> Division:
    """Cut a table into pieces that meet the demand by the engine's own counts."""
    meanings = table.meanings
    demand, counter = top_demand(policy, meanings), SparkCounter(table)
    most = rows_of_piece(policy, choice)
    weights = top_weights(policy, choice, meanings)
    tree = cut_top(counter, meanings.attributes, demand, piece_rows=most, weights=weights)
    tree, counts = checked(tree, counter, demand)
    return Division(tree, slots_of(tree, counts, meanings, most))


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
    tree, slots = division.tree, division.slots
    types = {PIECE: pl.Int32(), **travelling_types(meanings)}

    def pack(frame: pl.DataFrame) -> pa.Table:
        return packed_rows(frame, meanings, tree, slots, worker_randomness(dealing, frame.height))

    def finished(file: int, part: pa.Table) -> Inspected:
        piece, random = unpacked_piece(part, meanings), worker_randomness(ordering, file)
        if file in slots.boxes:
            box = slots.boxes[file]
            made = finish_one_class(piece, box, meanings, policy, random)
        else:
            made = finish(piece, meanings, policy, choice, random)
        check = WorkerCheck(unpacked_rows(part, meanings), made, *described, keys)
        return Inspected(made.frame, check)

    rows = map_frames(table.session, table.scan, pack, schema_of(types))
    written = write_pieces(rows, PIECE, slots.count, finished, draft, meanings.name, randomness)
    if written.get_column("rows").sum() != meanings.rows:
        raise DataError(
            "the source changed while it was read; read it again when nothing writes to it",
            reason="changed-while-reading",
        )
    return TableTruth(sum_source(table, keys), reports_of(written))
