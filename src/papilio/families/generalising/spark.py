"""One table, for one recipient or for several.

The top of the tree is cut from counts of all workers, one pass per level. Then every row goes to
its piece in one shuffle, and each piece is finished, by the kernels that finish whole tables on one
machine, and written by the worker that holds it. Where whole columns are generalised, levels are
chosen from counts of combinations instead, and rows go to files by chance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.data.encode import stack_codes
from papilio.data.people import PERSON
from papilio.engines.spark.read import FrameWork, map_frames, schema_of, to_engine
from papilio.engines.spark.write import Inspected, collect, write_pieces
from papilio.errors import DataError
from papilio.families import choose
from papilio.families.engines.meanings import Meanings
from papilio.families.engines.piece import PiecePeople
from papilio.families.engines.report import Report, reports_of
from papilio.families.engines.spark.coded import Slots, codes_as_read, slots_of
from papilio.families.engines.spark.counts import SparkCounter
from papilio.families.engines.spark.made import SparkMade, sum_source
from papilio.families.engines.spark.persons import Persons, bound, flagged
from papilio.families.engines.spark.seeds import worker_randomness, worker_seed
from papilio.families.engines.spark.table import SparkTable, open_table
from papilio.families.engines.spark.transport import (
    PIECE,
    checked,
    packed_rows,
    travelling_types,
    unpacked_piece,
    unpacked_rows,
)
from papilio.families.facts import types_of
from papilio.families.family import Choice
from papilio.families.generalising.finish import (
    Finished,
    finish,
    finish_one_class,
    manifest_of,
    rows_of_piece,
    top_demand,
    top_weights,
)
from papilio.families.generalising.plan import (
    ROWS,
    SEVERAL,
    LevelPlan,
    check_combinations,
    check_lines,
    count_combinations,
    described_levels,
    files_by_class,
    finish_at_levels,
    has_levels,
    is_published,
    lines_of_people,
    plan_levels,
)
from papilio.families.generalising.safe_cells import check_can_vary, safe_box
from papilio.families.generalising.top_tree import TopTree, cut_top
from papilio.families.generalising.truth import (
    GeneralisedTable,
    GeneralisedTruth,
    PieceCheck,
    TableTruth,
    totals_of,
)
from papilio.kernels.codes import Codes
from papilio.policy.policy import Policy
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.manifest import Manifest
from papilio.verify.promise.promise import TableFacts
from papilio.verify.witness.pieces import zero_is_zero
from papilio.verify.witness.values import keys_needed, sum_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


#: Different combinations of values from which this process chooses levels: some hundred bytes each.
MOST_COMBINATIONS = 3_000_000


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
    if policy.safe_cells:
        check_can_vary(table.meanings.quasi)
    choice = choose(policy, table.meanings.rows)
    tell("dividing", 0.2)
    if levels:
        division = divide_anyhow(table, policy, choice, randomness)
    else:
        division = divide(table, policy, choice)
    if policy.safe_cells:
        division = _with_safe_boxes(division, randomness)
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

    Pieces without levels meet the demand by themselves. ``files`` tells the file of each row where
    all rows of a class must be in one.
    """

    tree: TopTree
    slots: Slots
    plan: LevelPlan | None = None
    files: ClassFiles | None = None


@dataclass(frozen=True, eq=False)
class ClassFiles:
    """Files that whole classes go to, by chance; see :func:`.plan.files_by_class`.

    Attributes
    ----------
    plan, meanings
        The levels that make the classes.
    key
        By which classes are dealt out.
    file_of
        Every file has rows that are published: which one it is that stands for each of so many.
    """

    plan: LevelPlan
    meanings: Meanings
    key: int
    file_of: NDArray[np.int32]

    def __call__(self, codes: Codes) -> NDArray[np.int32]:
        """File of each row."""
        many = len(self.file_of)
        return self.file_of[files_by_class(self.plan, self.meanings, codes, many, self.key)]


def divide(table: SparkTable, policy: Policy, choice: Choice) -> Division:
    """Cut a table into pieces that meet the demand by the engine's own counts."""
    meanings = table.meanings
    demand, counter = top_demand(policy, meanings), SparkCounter(table)
    most = rows_of_piece(policy, choice)
    weights = top_weights(policy, choice, meanings)
    tree = cut_top(counter, meanings.attributes, demand, piece_rows=most, weights=weights)
    tree, counts = checked(tree, counter, demand)
    return Division(tree, slots_of(tree, counts, meanings, most))


def _with_safe_boxes(division: Division, randomness: Randomness) -> Division:
    """Classes in several files with cells of which no complete row follows, alike in all files."""
    boxes = dict(division.slots.boxes)
    once = {id(box): box for box in boxes.values()}
    made = {number: safe_box(box, randomness) for number, box in once.items()}
    boxes = {slot: made[id(box)] for slot, box in boxes.items()}
    return replace(division, slots=replace(division.slots, boxes=boxes))


def divide_anyhow(
    table: SparkTable, policy: Policy, choice: Choice, randomness: Randomness
) -> Division:
    """Choose levels from the engine's counts, and files by nothing but chance.

    Where people may have several rows, levels follow from all rows, and it is left to chance in
    which file a class is.
    """
    meanings, persons = table.meanings, table.persons
    counted = _combinations(table) if persons is None else _lines(table, persons)
    plan = plan_levels(counted, meanings, policy)
    none, rows = np.full(1, -1, np.int32), meanings.rows
    many, files = -(-rows // rows_of_piece(policy, choice)), None
    if persons is not None:
        files = _class_files(plan, meanings, counted, many, randomness)
        many = int(files.file_of.max()) + 1
    tree = TopTree(none, none, none, none, np.zeros(1, np.int32), (rows,), (True,))
    return Division(tree, Slots(np.array([0, many]), {}), plan, files)


def _class_files(
    plan: LevelPlan, meanings: Meanings, lines: pl.DataFrame, many: int, randomness: Randomness
) -> ClassFiles:
    """Deal classes out to at most ``many`` files, none of which is empty."""
    quasi = [lines.get_column(f"q{place}").to_numpy() for place in range(len(meanings.quasi))]
    codes = stack_codes(quasi, lines.height)
    key = int(randomness.keys(1)[0])
    found = files_by_class(plan, meanings, codes, many, key)
    used = np.unique(found[is_published(plan, meanings, codes)])
    # Rows that are left out go anywhere.
    file_of = np.arange(many) % len(used)
    file_of[used] = np.arange(len(used))
    return ClassFiles(plan, meanings, key, file_of.astype(np.int32))


def _lines(table: SparkTable, persons: Persons) -> pl.DataFrame:
    """Codes of all rows, one line each, and whose they are.

    Collected: all of it, up to :data:`MOST_COMBINATIONS` rows.
    """
    meanings = table.meanings
    check_lines(meanings.rows, MOST_COMBINATIONS)
    quasi, about = len(meanings.quasi), len(meanings.sensitive)
    names = [*(f"q{place}" for place in range(quasi)), *(f"s{place}" for place in range(about))]
    schema = ", ".join([*(f"{name} int" for name in names), f"{PERSON} bigint"])

    def work(frame: pl.DataFrame) -> pa.Table:
        people = PiecePeople(persons.numbers(frame).to_numpy(), np.zeros(frame.height, np.bool_))
        lines = lines_of_people(*codes_as_read(frame, meanings), quasi, people)
        return to_engine(lines.drop(SEVERAL))

    lines = collect(map_frames(table.session, table.whole, work, schema), "codes of rows")
    return pl.DataFrame(lines).with_columns((pl.len().over(PERSON) > 1).alias(SEVERAL))


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
    keys = Randomness(None).keys(keys_needed(len(meanings.columns) + 1))
    tree, slots, plan, persons = division.tree, division.slots, division.plan, table.persons
    totals, files = totals_of(meanings), division.files
    check = PieceCheck(*described, keys, totals=totals)

    def pack(frame: pl.DataFrame) -> pa.Table:
        random = worker_randomness(dealing, frame.height)
        return packed_rows(frame, meanings, tree, slots, random, persons, files)

    def finished(file: int, part: pa.Table) -> Inspected:
        piece, random = unpacked_piece(part, meanings), worker_randomness(ordering, file)
        if plan is not None:
            made = finish_at_levels(piece, plan, meanings, random)
        elif file in slots.boxes:
            box = slots.boxes[file]
            made = finish_one_class(piece, box, meanings, policy, random)
        else:
            made = finish(piece, meanings, policy, choice, random)
        came = unpacked_rows(part, meanings)
        told = (check, came, made, piece.people)
        return Inspected(made.frame, lambda file: _report(file, *told).text())

    rows = _travelling(table, pack)
    written = write_pieces(rows, PIECE, slots.count, finished, draft, meanings.name, randomness)
    left_out = 0 if plan is None else plan.suppressed
    if written.get_column("rows").sum() != meanings.rows - left_out:
        raise DataError(
            "the source changed while it was read; read it again when nothing writes to it",
            reason="changed-while-reading",
        )
    reports = reports_of(written)
    if persons is not None and _are_flagged(table):
        persons.check_flags(meanings.rows, sum(each.totals[1] for each in reports))
    return TableTruth(sum_source(table, keys), reports, totals)


def _report(
    file: Path, check: PieceCheck, came: pl.DataFrame, made: Finished, people: PiecePeople | None
) -> Report:
    """Look at a file; the sum of its rows is then one of rows and their people.

    Beside it stands how many rows are said to be of people who have several.
    """
    found = check.report(file, came, made, people)
    if people is None:
        return found
    summed = sum_rows(bound(came, people.numbers), check.keys, zero_is_zero(check.manifest))
    return replace(found, totals=(summed.total, int(people.several.sum())))


def _travelling(table: SparkTable, pack: FrameWork) -> DataFrame:
    """Rows on their way to their pieces, with their people if these may have several."""
    types, persons = {PIECE: pl.Int32(), **travelling_types(table.meanings)}, table.persons
    if persons is None:
        return map_frames(table.session, table.scan, pack, schema_of(types))
    schema = schema_of({**types, PERSON: pl.Int64()})
    rows = map_frames(table.session, table.whole, pack, schema)
    return flagged(rows, table.session, persons) if _are_flagged(table) else rows


def _are_flagged(table: SparkTable) -> bool:
    """Whether rows are to say if their person has several.

    Where nothing but k is demanded it is not needed, see
    :func:`papilio.families.engines.spark.persons.people_in`.
    """
    persons = table.persons
    return bool(persons is not None and persons.counted.several and table.meanings.sensitive)
