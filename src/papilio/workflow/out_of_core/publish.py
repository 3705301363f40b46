"""Publish a table of more rows than memory holds.

1. A pass over the source counts what occurs in each column; from that follow all meanings.
2. A second pass encodes the rows into records on disk, in files without names.
3. The top of the Mondrian tree is cut from counts over these records.
4. The records are dealt out to pieces.
5. Piece after piece, in random order, is divided into classes by the method and written as a file
   of the release, which is compared with the rows of the piece.
6. The release is verified from disk, and the rows of all pieces with those that were read.

Everything on disk but the release itself lies in the private place of
:mod:`papilio.release.scratch`, away from the target. What holds rows has no name there and is gone
when the run ends, however it ends; what the database spills is removed at the end of the run, or,
if it is killed, at the next start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.io.read import empty_table
from papilio.data.io.sql import spool_sql, sql_header
from papilio.data.io.stream import Stream, open_parquet
from papilio.data.io.unchanged import unchanged
from papilio.data.source import FileSource, SqlSource
from papilio.families import choose
from papilio.families.facts import types_of
from papilio.families.family import Choice
from papilio.methods.generalize.top_tree import TopTree, cut_top, piece_numbers
from papilio.policy.apply import columns_to_read
from papilio.policy.policy import Policy
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.draft import draft_of, part_file, seal
from papilio.release.needed_paths import labels_in_files, needed_paths
from papilio.release.release import Release
from papilio.release.scratch import path_of, scratch_folder, unnamed_file
from papilio.release.store import write_table
from papilio.verify.judge import judge
from papilio.verify.kinds import promise_of
from papilio.verify.opened import Opened, open_directory
from papilio.verify.promise.promise import Facts, TableFacts
from papilio.verify.verdict import Finding, Status, Verdict
from papilio.verify.witness.pieces import (
    PieceTruth,
    check_orders,
    check_piece,
    check_pieces,
)
from papilio.verify.witness.row_sums import RowSum, keys_needed, sum_rows
from papilio.workflow.out_of_core.box import box_of
from papilio.workflow.out_of_core.count_pass import Counted, count_pass
from papilio.workflow.out_of_core.decoded import decoded
from papilio.workflow.out_of_core.memory import BATCH_SHARE
from papilio.workflow.out_of_core.records import Layout, layout_of, pack
from papilio.workflow.out_of_core.rows_on_disk import (
    DiskCounter,
    RowFile,
    RowStore,
    codes_in,
    deal,
    load_piece,
    row_store,
)
from papilio.workflow.pieces.finish import (
    Finished,
    finish,
    finish_one_class,
    manifest_of,
    rows_of_piece,
    top_demand,
    top_weights,
)
from papilio.workflow.pieces.meanings import Meanings, meanings_of
from papilio.workflow.pieces.typed import typed_frame
from papilio.workflow.publish import Publication, confirm

#: Distinct values of a column that are kept per GiB of memory.
_VALUES_PER_GIB = 250_000
#: Share of the memory that a piece may fill, and what a cell of it takes at its highest.
_PIECE_SHARE, _CELL_BYTES = 0.25, 100
#: Share of the memory that DuckDB may use to verify.
_VERIFY_SHARE = 0.5


@dataclass(frozen=True)
class Limits:
    """How much of everything is handled at a time.

    Attributes
    ----------
    memory
        Bytes that the run may use.
    piece_rows
        Largest piece.
    values
        Most distinct values of a column that are kept.
    """

    memory: int
    piece_rows: int
    values: int


def limits_for(memory: int, columns: int) -> Limits:
    """Limits that keep a run over some columns within some memory."""
    fits = int(memory * _PIECE_SHARE) // (_CELL_BYTES * columns)
    return Limits(memory, fits, max(100_000, _VALUES_PER_GIB * memory >> 30))


def publish_out_of_core(
    directory: Path,
    policy: Policy,
    source: Stream | SqlSource,
    limits: Limits,
    *,
    format: str = "parquet",  # noqa: A002
    seed: int | None = None,
    tell: Progress,
    notes: tuple[str, ...] = (),
) -> Publication:
    """Anonymise, verify and write a table that is never in memory as a whole; all or nothing.

    Parameters
    ----------
    directory
        Where the release goes.
    policy
        What is demanded, by a method that works piece by piece.
    source
        The files, or a query; its result is then written to a file without a name first.
    limits
        How much of everything is handled at a time.
    format, seed
        As for :func:`papilio.workflow.publish.publish_to`.
    tell
        Told of each stage.
    notes
        What the owner should know about how this run came to be.

    Raises
    ------
    PolicyError, DataError, InfeasibleError, OutputError, VerificationError
        As when everything is in memory; nothing is left behind.

    Notes
    -----
    Cost: two passes over the source, about log2(rows / ``piece_rows``) over the codes, one to deal
    out the rows; then that of the method. Disk: twice the records, some 20 to 100 bytes a row, and
    the release.
    """
    randomness = Randomness(seed)
    # Never those of a seed: who can repeat the run must not know them.
    keys = Randomness(None).keys(keys_needed(len(policy.published)))
    verdicts: list[Verdict] = []

    with draft_of(directory) as draft, scratch_folder() as scratch, ExitStack() as stack:

        def store(layout: Layout) -> RowStore:
            return stack.enter_context(row_store(scratch.path, layout))

        def inspect(draft: Path) -> None:
            tell("verifying", 0.75)

            def truth(opened: Opened) -> list[Finding]:
                found = check_pieces(opened, hierarchies, read, pieces)
                return [found, check_orders(pieces)] if found.status is Status.HOLDS else [found]

            found = _verify(draft, limits, scratch.path, policy, meanings, truth)
            verdicts.append(confirm(found))

        with _streamed(source, policy, limits, scratch.path) as stream, unchanged(*stream.files):
            meanings, rows, read = _encode(stream, policy, limits, store, keys, tell)
        choice = choose(policy, meanings.rows)
        piece_rows = min(limits.piece_rows, rows_of_piece(policy, choice))
        parts, boxes = _divide(rows, store, policy, piece_rows, randomness, tell)
        manifest, hierarchies = manifest_of(meanings, policy, choice, seeded=randomness.seeded)

        def check(file: Path, part: RowFile, made: Finished) -> PieceTruth:
            memory = int(limits.memory * _VERIFY_SHARE)
            return check_piece(file, manifest, hierarchies, decoded(part), made.rows, keys, memory)

        pieces = list(
            _finish(parts, boxes, meanings, policy, choice, randomness, draft, format, tell, check)
        )
        paths = needed_paths(manifest, hierarchies, labels_in_files(draft))
        seal(draft, directory, manifest, paths, inspect)
    tell("done", 1.0)
    release = Release.open(directory)
    said = (*notes, *meanings.notes)
    return Publication(release, verdicts[0], choice, meanings.left_out, directory, said)


def _verify(
    draft: Path,
    limits: Limits,
    spill: Path,
    policy: Policy,
    meanings: Meanings,
    truth: Callable[[Opened], list[Finding]],
) -> Verdict:
    """Judge a release from disk; what does not fit into memory is public, and may be spilled."""
    memory = int(limits.memory * _VERIFY_SHARE)
    with open_directory(draft, memory=memory, spill=spill) as opened:
        facts = TableFacts(meanings.name, types_of(meanings.columns), meanings.rows)
        promise = promise_of(policy, Facts((facts,)), opened.manifest)
        verdict = judge(opened, promise=promise)
        if not verdict.holds:
            return verdict
        return Verdict((*verdict.findings, *truth(opened)))


@contextmanager
def _streamed(
    source: Stream | SqlSource, policy: Policy, limits: Limits, scratch: Path
) -> Iterator[Stream]:
    """Give the files; a query is run once, so that both passes see the same rows."""
    if isinstance(source, Stream):
        yield source
        return
    columns = columns_to_read(policy)
    memory = int(limits.memory * _VERIFY_SHARE)
    with unnamed_file(scratch) as file:
        spool_sql(source, columns, file, memory=memory, spill=scratch)
        file.flush()
        named = FileSource(Path(f"{source.name}.parquet"))
        # What the query returns beside is for the owner to know as well.
        found = open_parquet(named, path_of(file), columns, limits.memory // BATCH_SHARE)
        yield replace(found, names=sql_header(source))


def _encode(
    stream: Stream,
    policy: Policy,
    limits: Limits,
    store: Callable[[Layout], RowStore],
    keys: NDArray[np.uint64],
    tell: Progress,
) -> tuple[Meanings, RowFile, RowSum]:
    """Both passes over the source: what its columns mean, its rows as records, and their sum."""
    rows = stream.rows()

    def counted(done: int) -> None:
        tell("counting", 0.15 * done / rows if rows else 0.0)

    tell("counting", 0.0)
    found = count_pass(stream, policy, most=limits.values, tell=counted)
    meanings = _meanings(stream, policy, found)
    layout = layout_of(meanings, found.values)
    file = store(layout).rows()
    skipped, read = 0, RowSum()
    loose = [meaning.column.name for meaning in meanings.quasi]
    for batch in stream.batches():
        tell("encoding", 0.15 + 0.15 * skipped / found.rows)
        typed = typed_frame(batch, meanings, skipped=skipped, labels=True)
        read += sum_rows(typed, keys, loose)
        records, texts = pack(typed, layout)
        file.append(records, [texts[name] for name in layout.texts])
        skipped += batch.height
    return meanings, file, read


def _meanings(stream: Stream, policy: Policy, found: Counted) -> Meanings:
    if found.rows == 0:
        raise empty_table(stream.source)
    name = policy.source.name if policy.source is not None else None
    return meanings_of(
        policy,
        name or stream.source.name,
        stream.names,
        found.rows,
        found.values,
        dtypes=found.dtypes,
        typed=stream.typed,
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
    parts: list[_Part],
    boxes: dict[int, EncodedTable],
    meanings: Meanings,
    policy: Policy,
    choice: Choice,
    randomness: Randomness,
    draft: Path,
    format: str,  # noqa: A002
    tell: Progress,
    check: Callable[[Path, RowFile, Finished], PieceTruth],
) -> Iterator[PieceTruth]:
    """Publish the parts in random order, so that files are numbered by chance; check each."""
    for number, place in enumerate(randomness.permutation(len(parts)), start=1):
        tell("generalising", 0.4 + 0.35 * (number - 1) / len(parts))
        part = parts[place]
        piece = load_piece(part.file)
        if part.class_ is None:
            made = finish(piece, meanings, policy, choice, randomness)
        else:
            box = boxes[part.class_]
            made = finish_one_class(piece, box, meanings, policy, randomness)
        file = draft / part_file(meanings.name, number, format)
        write_table(made.frame, file, format)
        yield check(file, part.file, made)
