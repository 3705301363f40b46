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
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.io.stream import Stream
from papilio.families import choose
from papilio.families.facts import types_of
from papilio.families.family import Choice
from papilio.families.one_table.methods.top_tree import TopTree, cut_top, piece_numbers
from papilio.families.one_table.plan import (
    LevelPlan,
    add_combinations,
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
from papilio.verify.opened import Opened
from papilio.verify.promise.promise import TableFacts
from papilio.verify.verdict import Finding, Status
from papilio.verify.witness.pieces import PieceTruth, check_orders, check_piece, check_pieces
from papilio.verify.witness.row_sums import RowSum, keys_needed, sum_rows
from papilio.workflow.out_of_core.box import box_of
from papilio.workflow.out_of_core.decoded import decoded
from papilio.workflow.out_of_core.records import Layout, layout_of, pack
from papilio.workflow.out_of_core.rows_on_disk import (
    DiskCounter,
    RowFile,
    RowStore,
    codes_in,
    deal,
    load_piece,
)
from papilio.workflow.out_of_core.run import Run
from papilio.workflow.pieces.finish import (
    Finished,
    finish,
    finish_one_class,
    manifest_of,
    rows_of_piece,
    top_demand,
    top_weights,
)
from papilio.workflow.pieces.made import MadeInPieces
from papilio.workflow.pieces.meanings import Meanings, meanings_of, needed_columns
from papilio.workflow.pieces.typed import typed_frame

#: Share of the memory that combinations of codes may fill, and what each takes while levels are
#: chosen: in itself, and for each of its codes.
_PLAN_SHARE, _LINE_BYTES, _CODE_BYTES = 0.25, 80, 16


def make_in_pieces(run: Run, choice: Choice) -> MadeInPieces:
    """Divide the rows into classes, generalise each, and write one file per piece.

    Notes
    -----
    Cost: two passes over the source, about log2(rows / ``piece_rows``) over the codes, one to deal
    out the rows; then that of the method. Disk: twice the records, some 20 to 100 bytes a row, and
    the release.
    """
    policy, randomness = run.policy, run.randomness
    # Never those of a seed: who can repeat the run must not know them.
    keys = Randomness(None).keys(keys_needed(len(policy.published)))
    levels = has_levels(policy, choice)
    with run.reading() as stream:
        meanings, rows, read = encode_rows(run, stream, keys, exact=levels)
    choice = choose(policy, meanings.rows)
    piece_rows = min(run.limits.piece_rows, rows_of_piece(policy, choice))
    seeded, plan = randomness.seeded, None
    boxes: dict[int, EncodedTable] = {}
    if levels:
        plan = plan_levels(_combinations(run, rows), meanings, policy)
        parts = _deal_anyhow(rows, run.store, piece_rows, randomness)
        cells, left_out = described_levels(plan, meanings), plan.suppressed
        manifest, hierarchies = manifest_of(
            meanings, policy, choice, seeded=seeded, cells=cells, left_out=left_out
        )
    else:
        parts, boxes = _divide(rows, run.store, policy, piece_rows, randomness, run.tell)
        manifest, hierarchies = manifest_of(meanings, policy, choice, seeded=seeded)
    memory = run.limits.verify_memory

    def check(file: Path, part: RowFile, made: Finished) -> PieceTruth:
        return check_piece(file, manifest, hierarchies, decoded(part), made.rows, keys, memory)

    pieces = list(_finish(run, parts, boxes, meanings, choice, plan, check))

    def truth(opened: Opened) -> list[Finding]:
        found = check_pieces(opened, hierarchies, read, pieces)
        return [found, check_orders(pieces)] if found.status is Status.HOLDS else [found]

    facts = TableFacts(meanings.name, types_of(meanings.columns), meanings.rows)
    return MadeInPieces(
        manifest, hierarchies, meanings.left_out, facts, truth, meanings.notes, choice
    )


def encode_rows(
    run: Run, stream: Stream, keys: NDArray[np.uint64], *, exact: bool = False
) -> tuple[Meanings, RowFile, RowSum]:
    """Both passes over the source: what its columns mean, its rows as records, and their sum.

    ``exact`` is as for :func:`papilio.workflow.pieces.meanings.meanings_of`.
    """
    counted = run.count(stream, needed_columns(run.policy))
    meanings = meanings_of(
        run.policy,
        run.name(stream),
        stream.names,
        counted.rows,
        counted.values,
        dtypes=counted.dtypes,
        typed=stream.typed,
        exact=exact,
    )
    layout = layout_of(meanings, counted.values)
    file = run.store(layout).rows()
    skipped, read = 0, RowSum()
    loose = [meaning.column.name for meaning in meanings.quasi]
    for batch in stream.batches():
        run.tell("encoding", 0.15 + 0.15 * skipped / counted.rows)
        typed = typed_frame(batch, meanings, skipped=skipped, labels=True)
        read += sum_rows(typed, keys, loose)
        records, texts = pack(typed, layout)
        file.append(records, [texts[name] for name in layout.texts])
        skipped += batch.height
    return meanings, file, read


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
    first = np.concatenate([[0], np.cumsum(slots)]).astype(np.int64)
    pieces = store(rows.layout)
    files = [pieces.rows() for _ in range(first[-1])]
    deal(rows, _targets(rows, tree, slots, first, randomness), files)
    rows.store.close()
    parts, boxes = [], {}
    for piece, many in enumerate(slots):
        own = [file for file in files[first[piece] : first[piece + 1]] if file.height]
        if many > 1:
            boxes[piece] = box_of(own, meanings)
        parts += [_Part(file, piece if many > 1 else None) for file in own]
    return parts, boxes


def _combinations(run: Run, rows: RowFile) -> pl.DataFrame:
    """Count combinations of codes in a pass over the records.

    Raises
    ------
    DataError
        If there are too many for the memory.
    """
    run.tell("dividing", 0.3)
    meanings = rows.layout.meanings
    quasi, about = len(meanings.quasi), len(meanings.sensitive)
    most = int(run.limits.memory * _PLAN_SHARE) // (_LINE_BYTES + _CODE_BYTES * (quasi + about))
    waiting: list[pl.DataFrame] = []
    for records, _ in rows.windows():
        waiting.append(count_combinations(*codes_in(records), quasi))
        if sum(each.height for each in waiting) > 2 * waiting[0].height:
            waiting = [add_combinations(waiting)]
            check_combinations(waiting[0].height, most)
    found = add_combinations(waiting)
    check_combinations(found.height, most)
    return found


def _deal_anyhow(
    rows: RowFile,
    store: Callable[[Layout], RowStore],
    piece_rows: int,
    randomness: Randomness,
) -> list[_Part]:
    """Deal the rows out to files by chance alone."""
    pieces = store(rows.layout)
    files = [pieces.rows() for _ in range(-(-rows.height // piece_rows))]
    many = np.uint64(len(files))
    chosen = (
        (randomness.keys(len(records)) % many).astype(np.int64) for records, _ in rows.windows()
    )
    deal(rows, chosen, files)
    rows.store.close()
    return [_Part(file) for file in files if file.height]


def _slots(tree: TopTree, piece_rows: int) -> list[int]:
    """Files that each piece gets; more than one only for a class that is too large."""
    return [
        -(-rows // piece_rows) if one else 1
        for rows, one in zip(tree.rows, tree.one_class, strict=True)
    ]


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
    check: Callable[[Path, RowFile, Finished], PieceTruth],
) -> Iterator[PieceTruth]:
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
        yield check(run.write(made.frame, meanings.name, number), part.file, made)
