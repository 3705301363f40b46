"""One table, for one recipient or for several, of more rows than memory holds.

1. A pass over the source counts what occurs in each column; from that follow all meanings.
2. A second pass encodes the rows into records on disk, in files without names.
3. The top of the Mondrian tree is cut from counts over these records.
4. The records are dealt out to pieces. Where whole columns are generalised, levels are chosen
   from counts of combinations instead, and rows are dealt out by chance.
5. Piece after piece, in random order, is divided into classes by the method and written as a file
   of the release, which is compared with the rows of the piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.io.stream import Stream
from papilio.data.people import PERSON
from papilio.errors import DataError
from papilio.families import choose
from papilio.families.engines.disk.count_pass import Counted
from papilio.families.engines.disk.people import decoded
from papilio.families.engines.disk.records import (
    Layout,
    Records,
    layout_of,
    pack,
    people_in,
)
from papilio.families.engines.disk.rows_on_disk import (
    DiskCounter,
    RowFile,
    RowStore,
    box_of,
    codes_in,
    deal,
    load_piece,
)
from papilio.families.engines.disk.run import Run
from papilio.families.engines.made import MadeInPieces
from papilio.families.engines.meanings import Meanings, meanings_of, needed_columns, typed_frame
from papilio.families.engines.report import Report
from papilio.families.facts import types_of
from papilio.families.family import Choice
from papilio.families.generalising.finish import (
    finish,
    finish_one_class,
    manifest_of,
    rows_of_piece,
    top_demand,
    top_weights,
)
from papilio.families.generalising.plan import (
    LevelPlan,
    add_combinations,
    check_combinations,
    check_lines,
    count_combinations,
    described_levels,
    files_by_class,
    finish_at_levels,
    has_levels,
    lines_of_people,
    plan_levels,
)
from papilio.families.generalising.safe_cells import check_can_vary, safe_box
from papilio.families.generalising.top_tree import TopTree, cut_top, piece_numbers
from papilio.families.generalising.truth import (
    GeneralisedTable,
    GeneralisedTruth,
    PieceCheck,
    TableTruth,
    totals_of,
)
from papilio.policy.apply import columns_to_read
from papilio.policy.policy import Policy
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.verify.promise.promise import TableFacts
from papilio.verify.witness.values import RowSum, keys_needed, sum_rows

#: Share of the memory that combinations of codes may fill, and what each takes while levels are
#: chosen: in itself, and for each of its codes. A row takes less where all are looked at.
_PLAN_SHARE, _LINE_BYTES, _CODE_BYTES, _ROW_BYTES = 0.25, 80, 16, 40
#: How many times as many rows as another piece one may have that is divided, or is one class.
_ONCE_MORE, _LARGER = 2, 4


def make_in_pieces(run: Run, choice: Choice) -> MadeInPieces:
    """Publish one table; see :func:`generalise`."""
    with run.reading() as stream:
        encoded = encode_rows(run, choice, stream)
    made = generalise(run, choice, encoded)
    meanings, files = made.meanings, made.hierarchies
    facts = TableFacts(meanings.name, types_of(meanings.columns), meanings.rows)
    truth = GeneralisedTruth(files, (made.truth,), tuple(facts.types))
    told = (meanings.left_out, facts, truth, meanings.notes, made.choice)
    return MadeInPieces(made.manifest, files, *told)


@dataclass(frozen=True, eq=False)
class Encoded:
    """Rows of a table as records on disk, and the sum of them as they were read, under keys."""

    rows: RowFile
    keys: NDArray[np.uint64]
    source: RowSum

    @property
    def meanings(self) -> Meanings:
        """What the columns of the table mean."""
        return self.rows.layout.meanings


def encode_rows(
    run: Run, choice: Choice, stream: Stream, counted: Counted | None = None
) -> Encoded:
    """Both passes over the source: what its columns mean, its rows as records, and their sum.

    ``counted`` is what the first pass finds, if it was made before; further columns do no harm.
    """
    # Never those of a seed: who can repeat the run must not know them.
    keys = Randomness(None).keys(keys_needed(len(run.policy.published)))
    found = counted or run.count(stream, needed_columns(run.policy))
    meanings = meanings_of(
        run.policy, run.name(stream), stream.names, found.rows, found.values,
        dtypes=found.dtypes, typed=stream.typed, exact=has_levels(run.policy, choice),
        people=None if found.people is None else found.people.counted,
    )  # fmt: skip
    layout = layout_of(meanings, found.values, () if found.people is None else (PERSON,))
    file = run.store(layout).rows()
    skipped, read = 0, RowSum()
    loose = [meaning.column.name for meaning in meanings.quasi]
    whose = (run.policy.person_column or "",)
    for batch in stream.batches(columns_to_read(run.policy), different=whose):
        run.tell("encoding", 0.15 + 0.15 * skipped / found.rows)
        typed = typed_frame(batch, meanings, skipped=skipped, labels=True)
        read += sum_rows(typed, keys, loose)
        records, texts = pack(typed, layout, _numbers(run.policy, batch, found))
        file.append(records, [texts[name] for name in layout.texts])
        skipped += batch.height
    return Encoded(file, keys, read)


def _numbers(policy: Policy, batch: pl.DataFrame, found: Counted) -> dict[str, NDArray[np.int64]]:
    """Whose each of some rows is, if the policy says so."""
    if policy.person_column is None or found.people is None:
        return {}
    return {PERSON: found.people.numbers(batch.get_column(policy.person_column))}


def generalise(run: Run, choice: Choice, encoded: Encoded) -> GeneralisedTable:
    """Divide the rows into classes, generalise each, and write one file per piece.

    Notes
    -----
    Cost: two passes over the source, about log2(rows / ``piece_rows``) over the codes, one to deal
    out the rows; then that of the method. Disk: twice the records, some 20 to 100 bytes a row, and
    the release.
    """
    policy, randomness, rows = run.policy, run.randomness, encoded.rows
    meanings, levels = encoded.meanings, has_levels(policy, choice)
    if policy.safe_cells:
        check_can_vary(meanings.quasi)
    choice = choose(policy, meanings.rows)
    piece_rows = min(run.limits.piece_rows, rows_of_piece(policy, choice))
    seeded, plan = randomness.seeded, None
    boxes: dict[int, EncodedTable] = {}
    if levels:
        counted = _combinations(run, rows) if meanings.people is None else _lines(run, rows)
        plan = plan_levels(counted, meanings, policy)
        del counted
        parts = _deal_anyhow(rows, run.store, piece_rows, randomness, plan)
        cells, left_out = described_levels(plan, meanings), plan.suppressed
        described = manifest_of(
            meanings, policy, choice, seeded=seeded, cells=cells, left_out=left_out
        )
    else:
        parts, boxes = _divide(rows, run.store, policy, piece_rows, randomness, run.tell)
        described = manifest_of(meanings, policy, choice, seeded=seeded)
    totals = totals_of(meanings)
    check = PieceCheck(*described, encoded.keys, run.limits.verify_memory, totals)
    reports = tuple(_finish(run, parts, boxes, meanings, choice, plan, check))
    for part in parts:
        part.file.store.close()
    return GeneralisedTable(
        *described, meanings, choice, TableTruth(encoded.source, reports, totals)
    )


@dataclass(frozen=True)
class _Part:
    """Some rows, and the class that all of them are in if that is in several parts."""

    file: RowFile
    class_: int | None = None


def _divide(
    rows: RowFile,
    store: Callable[[Layout], RowStore],
    policy: Policy,
    piece_rows: int,
    randomness: Randomness,
    tell: Progress,
) -> tuple[list[_Part], dict[int, EncodedTable]]:
    """Cut the top of the tree and deal the rows out to its pieces."""
    meanings = rows.layout.meanings
    counter, demand = DiskCounter(rows), top_demand(policy, meanings)
    tell("cutting", 0.3)
    weights = top_weights(policy, choose(policy, meanings.rows), meanings)
    tree = cut_top(counter, meanings.attributes, demand, piece_rows=piece_rows, weights=weights)
    tell("dealing", 0.38)
    slots = _slots(tree, piece_rows)
    if meanings.people is not None:
        slots = _whole(slots)
    first = np.concatenate([[0], np.cumsum(slots)]).astype(np.int64)
    pieces = store(rows.layout)
    files = [pieces.rows() for _ in range(first[-1])]
    deal(rows, _targets(rows, tree, slots, first, randomness), files)
    rows.store.close()
    parts, boxes = [], {}
    for piece in range(len(slots)):
        own = [file for file in files[first[piece] : first[piece + 1]] if file.height]
        # Over people a cut may have been refused that the method can make with all rows at hand.
        once_more = meanings.people is not None and tree.rows[piece] <= _ONCE_MORE * piece_rows
        one = tree.one_class[piece] and not once_more
        if one:
            box = box_of(own, meanings)
            boxes[piece] = safe_box(box, randomness) if policy.safe_cells else box
        parts += [_Part(file, piece if one else None) for file in own]
    return parts, boxes


def _most_lines(run: Run, rows: RowFile, line_bytes: int) -> tuple[int, int]:
    """Quasi-identifiers, and lines of codes that the memory holds while levels are chosen."""
    meanings = rows.layout.meanings
    codes = len(meanings.quasi) + len(meanings.sensitive)
    most = int(run.limits.memory * _PLAN_SHARE) // (line_bytes + _CODE_BYTES * codes)
    return len(meanings.quasi), most


def _combinations(run: Run, rows: RowFile) -> pl.DataFrame:
    """Count combinations of codes in a pass over the records.

    Raises
    ------
    DataError
        If there are too many for the memory.
    """
    run.tell("dividing", 0.3)
    quasi, most = _most_lines(run, rows, _LINE_BYTES)
    waiting: list[pl.DataFrame] = []
    for records, _ in rows.windows():
        waiting.append(count_combinations(*codes_in(records), quasi))
        if sum(each.height for each in waiting) > 2 * waiting[0].height:
            waiting = [add_combinations(waiting)]
            check_combinations(waiting[0].height, most)
    found = add_combinations(waiting)
    check_combinations(found.height, most)
    return found


def _lines(run: Run, rows: RowFile) -> pl.DataFrame:
    """Codes of all rows, and whose they are.

    Raises
    ------
    DataError
        If there are too many for the memory.
    """
    run.tell("dividing", 0.3)
    quasi, most = _most_lines(run, rows, _ROW_BYTES)
    check_lines(rows.height, most)
    found = []
    for records, _ in rows.windows():
        people = people_in(records)
        if people is not None:
            found.append(lines_of_people(*codes_in(records), quasi, people))
    return pl.concat(found)


def _deal_anyhow(
    rows: RowFile,
    store: Callable[[Layout], RowStore],
    piece_rows: int,
    randomness: Randomness,
    plan: LevelPlan,
) -> list[_Part]:
    """Deal the rows out to files by chance alone; class by class where people are counted."""
    pieces = store(rows.layout)
    meanings, count = rows.layout.meanings, -(-rows.height // piece_rows)
    files = [pieces.rows() for _ in range(count)]
    key = int(randomness.keys(1)[0])

    def chosen(records: Records) -> NDArray[np.int64]:
        if meanings.people is not None:
            return files_by_class(plan, meanings, codes_in(records)[0], count, key)
        return (randomness.keys(len(records)) % np.uint64(count)).astype(np.int64)

    deal(rows, (chosen(records) for records, _ in rows.windows()), files)
    rows.store.close()
    return [_Part(file) for file in files if file.height]


def _slots(tree: TopTree, piece_rows: int) -> list[int]:
    """Files that each piece gets; more than one only for a class that is too large."""
    return [
        -(-rows // piece_rows) if one else 1
        for rows, one in zip(tree.rows, tree.one_class, strict=True)
    ]


def _whole(slots: list[int]) -> list[int]:
    """One file for each class, because its people are counted there.

    Raises
    ------
    DataError
        If a class is too large for that.
    """
    if max(slots) > _LARGER:
        raise DataError(
            f"{sum(many > _LARGER for many in slots)} of {len(slots)} pieces of the table cannot "
            "be cut further, and have too many rows to count their people within this memory; more "
            "memory is accepted",
            reason="class-too-large",
        )
    return [1] * len(slots)


def _targets(
    rows: RowFile,
    tree: TopTree,
    slots: list[int],
    first: NDArray[np.int64],
    randomness: Randomness,
) -> Iterator[NDArray[np.int64]]:
    """File of each row, window by window; among several of one class it is drawn at random."""
    many = np.array(slots, np.uint64)
    for records, _ in rows.windows():
        pieces = piece_numbers(tree, codes_in(records)[0])
        target = first[pieces]
        if many.max() > 1:
            target = target + (randomness.keys(len(pieces)) % many[pieces]).astype(np.int64)
        yield target


def _finish(
    run: Run,
    parts: list[_Part],
    boxes: dict[int, EncodedTable],
    meanings: Meanings,
    choice: Choice,
    plan: LevelPlan | None,
    check: PieceCheck,
) -> Iterator[Report]:
    """Publish the parts in random order, so that files are numbered by chance; check each."""
    policy, randomness = run.policy, run.randomness
    for number, place in enumerate(randomness.permutation(len(parts)), start=1):
        run.tell("generalising", 0.4 + 0.35 * (number - 1) / len(parts))
        part = parts[place]
        piece = load_piece(part.file)
        if plan is not None:
            made = finish_at_levels(piece, plan, meanings, randomness)
        elif part.class_ is None:
            made = finish(piece, meanings, policy, choice, randomness)
        else:
            box = boxes[part.class_]
            made = finish_one_class(piece, box, meanings, policy, randomness)
        file = run.write(made.frame, meanings.name, number)
        yield check.report(file, decoded(part.file), made, piece.people)
