"""Publish a table of more rows than memory holds.

1. A pass over the source counts what occurs in each column; from that follow all meanings.
2. A second pass encodes the rows into records on disk, in a private folder beside the target.
3. The top of the Mondrian tree is cut from counts over these records.
4. The records are dealt out to a file per piece.
5. Piece after piece, in random order, is divided into classes by the method and written as a file
   of the release.
6. The release is verified from disk.

Everything on disk but the release itself lies in a folder that nobody else can enter, and is gone
when the run ends, however it ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.data.io.read import empty_table
from papilio.data.io.sql import spool_sql, sql_header
from papilio.data.io.stream import Stream, open_stream
from papilio.data.io.unchanged import unchanged
from papilio.data.source import FileSource, SqlSource
from papilio.methods.choose import Choice, choose
from papilio.methods.generalize.top_tree import TopTree, cut_top, piece_numbers
from papilio.policy.apply import columns_to_read
from papilio.policy.policy import Policy
from papilio.randomness import Randomness
from papilio.release.draft import draft_of, part_file, seal
from papilio.release.release import Release
from papilio.release.store import write_table
from papilio.verify.judge import judge
from papilio.verify.opened import open_directory
from papilio.verify.verdict import Verdict
from papilio.workflow.out_of_core.box import box_of
from papilio.workflow.out_of_core.count_pass import Counted, count_pass
from papilio.workflow.out_of_core.memory import BATCH_SHARE
from papilio.workflow.out_of_core.records import layout_of, pack
from papilio.workflow.out_of_core.rows_on_disk import (
    DiskCounter,
    RowFile,
    codes_in,
    deal,
    load_piece,
)
from papilio.workflow.pieces.finish import (
    finish,
    finish_one_class,
    manifest_of,
    rows_of_piece,
    top_demand,
    top_weights,
)
from papilio.workflow.pieces.meanings import Meanings, meanings_of
from papilio.workflow.pieces.typed import typed_frame
from papilio.workflow.progress import Progress
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
        The files, or a query; its result is then written to a private file first.
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
    verdicts: list[Verdict] = []

    def inspect(draft: Path) -> None:
        tell("verifying", 0.75)
        verdicts.append(confirm(_verify(draft, limits)))

    with draft_of(directory) as draft:
        work = draft.parent / "rows"
        work.mkdir(mode=0o700)
        stream = source if isinstance(source, Stream) else _spooled(source, policy, limits, work)
        with unchanged(*stream.files):
            meanings, rows = _encode(stream, policy, limits, work, tell)
        if stream is not source:
            stream.files[0].unlink()
        choice = choose(policy, meanings.rows)
        piece_rows = min(limits.piece_rows, rows_of_piece(policy, choice))
        parts, boxes = _divide(rows, policy, piece_rows, randomness, tell)
        manifest, hierarchies = manifest_of(meanings, policy, choice, seeded=randomness.seeded)
        _finish(parts, boxes, meanings, policy, choice, randomness, draft, format, tell)
        seal(draft, directory, manifest, hierarchies, inspect)
    tell("done", 1.0)
    release = Release.open(directory)
    return Publication(release, verdicts[0], choice, meanings.left_out, directory, notes)


def _verify(draft: Path, limits: Limits) -> Verdict:
    """Judge a release from disk; what does not fit into memory is public, and may be spilled."""
    spill = draft.parent / "verify"
    spill.mkdir(mode=0o700)
    memory = int(limits.memory * _VERIFY_SHARE)
    with open_directory(draft, memory=memory, spill=spill) as opened:
        return judge(opened)


def _spooled(source: SqlSource, policy: Policy, limits: Limits, work: Path) -> Stream:
    """Run a query once, so that both passes see the same rows."""
    file = work / f"{source.name}.parquet"
    columns = columns_to_read(policy)
    memory = int(limits.memory * _VERIFY_SHARE)
    spool_sql(source, columns, file, memory=memory, spill=work)
    found = open_stream(FileSource(file), columns, limits.memory // BATCH_SHARE)
    # What the query returns beside is for the owner to know as well.
    return replace(found, names=sql_header(source))


def _encode(
    stream: Stream, policy: Policy, limits: Limits, work: Path, tell: Progress
) -> tuple[Meanings, RowFile]:
    """Both passes over the source: what its columns mean, and its rows as records."""
    rows = stream.rows()

    def counted(done: int) -> None:
        tell("counting", 0.15 * done / rows if rows else 0.0)

    tell("counting", 0.0)
    found = count_pass(stream, policy, most=limits.values, tell=counted)
    meanings = _meanings(stream, policy, found)
    layout = layout_of(meanings, found.values)
    file = RowFile(work / "all", layout)
    skipped = 0
    for batch in stream.batches():
        tell("encoding", 0.15 + 0.15 * skipped / found.rows)
        typed = typed_frame(batch, meanings, skipped=skipped, labels=True)
        records, texts = pack(typed, layout)
        file.append(records, [texts[name] for name in layout.texts])
        skipped += batch.height
    return meanings, file


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
    """One file of rows, and the class that all of them are in if that is in several files."""

    file: RowFile
    class_: int | None = None


def _divide(
    rows: RowFile, policy: Policy, piece_rows: int, randomness: Randomness, tell: Progress
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
    files = [RowFile(rows.path.with_name(f"piece{n}"), rows.layout) for n in range(first[-1])]
    deal(rows, _targets(rows, tree, slots, first, randomness), files)
    rows.remove()
    parts, boxes = [], {}
    for piece, many in enumerate(slots):
        own = [file for file in files[first[piece] : first[piece + 1]] if file.path.exists()]
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
) -> None:
    """Publish the parts in random order, so that files are numbered by chance."""
    for number, place in enumerate(randomness.permutation(len(parts)), start=1):
        tell("generalising", 0.4 + 0.35 * (number - 1) / len(parts))
        part = parts[place]
        piece = load_piece(part.file)
        if part.class_ is None:
            frame = finish(piece, meanings, policy, choice, randomness)
        else:
            box = boxes[part.class_]
            frame = finish_one_class(piece, box, meanings, policy, randomness)
        write_table(frame, draft / part_file(meanings.name, number, format), format)
        part.file.remove()
