"""Publish a table of more rows than memory holds.

Its family counts what it needs in a first pass over the source, plans from the counts, deals the
rows out to pieces on disk, and writes piece after piece as a file of the release, which is compared
with the rows it is made of. The release is then verified from disk, and the rows of all pieces with
those that were read.

Everything on disk but the release itself lies in the private place of
:mod:`papilio.release.scratch`, away from the target. What holds rows has no name there and is gone
when the run ends, however it ends; what the database spills is removed at the end of the run, or,
if it is killed, at the next start.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from papilio.data.io.kinds import unchanged
from papilio.data.io.read import header
from papilio.data.io.sql import spool_sql, sql_header
from papilio.data.io.stream import Stream, open_parquet, open_stream
from papilio.data.source import FileSource, SqlSource
from papilio.data.wording import size_text
from papilio.errors import InternalError, PapilioError, PolicyError
from papilio.families import choose, method_of
from papilio.families.engines.disk.memory import (
    BATCH_SHARE,
    beyond_machine,
    check_memory,
    estimated_rows,
    needed_memory,
    usual_memory,
)
from papilio.families.engines.disk.records import Layout
from papilio.families.engines.disk.rows_on_disk import RowStore, row_store
from papilio.families.engines.disk.run import Limits, Run
from papilio.families.engines.made import MadeInPieces, checked_beside, checked_truth
from papilio.families.facts import weight_facts
from papilio.policy.apply import check_files, check_names, columns_to_look_at
from papilio.policy.policy import Policy
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.draft import draft_of, seal
from papilio.release.needed_paths import labels_in_files, needed_paths
from papilio.release.release import Release
from papilio.release.scratch import path_of, scratch_folder, unnamed_file
from papilio.verify.judge import judge
from papilio.verify.kinds import promise_of
from papilio.verify.opened import open_directory
from papilio.verify.promise.promise import Facts
from papilio.verify.verdict import Verdict
from papilio.workflow.lights import lights_unseen
from papilio.workflow.publish import Publication, confirm
from papilio.workflow.refuse import check_engine, refused

#: Distinct values of a column that are kept per GiB of memory.
_VALUES_PER_GIB = 250_000


#: Share of the memory that a piece may fill, and what a cell of it takes at its highest.
_PIECE_SHARE, _CELL_BYTES = 0.25, 100


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
    """
    verdicts: list[Verdict] = []
    choice = choose(policy, 0)
    with draft_of(directory) as draft, scratch_folder() as scratch, ExitStack() as stack:

        def store(layout: Layout) -> RowStore:
            return stack.enter_context(row_store(scratch.path, layout))

        def file() -> BinaryIO:
            return stack.enter_context(unnamed_file(scratch.path))

        @contextmanager
        def reading() -> Iterator[Stream]:
            with (
                _streamed(source, policy, limits, scratch.path) as stream,
                unchanged(*stream.files),
            ):
                yield stream

        def inspect(draft: Path) -> None:
            tell("verifying", 0.75)
            verdicts.append(confirm(_verify(draft, limits, scratch.path, policy, made)))

        maker = method_of(choice)[0].pieces
        if maker is None:
            raise InternalError("a method has no maker of pieces", reason="method")
        run = Run(policy, limits, draft, format, Randomness(seed), tell, reading, store, file)
        made: MadeInPieces = maker(run, choice)
        paths = needed_paths(made.manifest, made.hierarchies, labels_in_files(draft))
        seal(draft, directory, made.manifest, paths, inspect)
    tell("done", 1.0)
    release = Release.open(directory)
    method = made.choice or choice
    lights = lights_unseen(verdicts[0], _UNSEEN, policy)
    said = (*notes, *made.notes, *lights.told)
    return Publication(release, verdicts[0], method, made.left_out, directory, said, lights)


_UNSEEN = (
    "Nobody looked: attackers need the whole table in memory, and it was published piece by piece."
)


def _verify(
    draft: Path, limits: Limits, spill: Path, policy: Policy, made: MadeInPieces
) -> Verdict:
    """Judge a release from disk; what does not fit into memory is public, and may be spilled.

    The original, where it is looked at beside, is in a database that spills nothing.
    """
    with open_directory(draft, memory=limits.verify_memory, spill=spill) as opened:
        facts = Facts((made.facts,), {}, weight_facts(policy, made.facts.types))
        promise = promise_of(policy, facts, opened.manifest)
        verdict = judge(opened, promise=promise)
        if not verdict.holds:
            return verdict
        promised = checked_beside(made.beside, promise, opened)
        return Verdict((*verdict.findings, *promised, *checked_truth(made.truth, opened)))


@contextmanager
def _streamed(
    source: Stream | SqlSource, policy: Policy, limits: Limits, scratch: Path
) -> Iterator[Stream]:
    """Give the files; a query is run once, so that both passes see the same rows."""
    if isinstance(source, Stream):
        yield source
        return
    columns = columns_to_look_at(policy)
    with unnamed_file(scratch) as file:
        spool_sql(source, columns, file, memory=limits.verify_memory, spill=scratch)
        file.flush()
        named = FileSource(Path(f"{source.name}.parquet"))
        # What the query returns beside is for the owner to know as well.
        found = open_parquet(named, path_of(file), columns, limits.memory // BATCH_SHARE)
        yield replace(found, names=sql_header(source))


@dataclass(frozen=True)
class OutOfCore:
    """A run that goes piece by piece.

    Attributes
    ----------
    source
        The files, or a query whose result is written to one first.
    memory
        Bytes that the run may use.
    note
        Why it goes piece by piece, for the owner.
    """

    source: Stream | SqlSource
    memory: int
    note: str


def out_of_core(policy: Policy, memory: int | None) -> OutOfCore | None:
    """Decide for a policy; ``None`` if its source fits into memory.

    Parameters
    ----------
    policy
        The order.
    memory
        Bytes that the run may use; left out, a share of what the machine has, and what cannot be
        published piece by piece is tried in memory all the same.

    Raises
    ------
    PolicyError, PapilioError
        If a limit is given that the run would not keep.
    """
    limit = usual_memory() if memory is None else check_memory(memory)
    source = policy.where()
    if memory is not None and (policy.link or not isinstance(source, SqlSource | FileSource)):
        raise PapilioError(
            "a memory limit is for one table in files, or a query over files; leave it out",
            reason="memory-unused",
        )
    if isinstance(source, SqlSource):
        return None if memory is None else _query(policy, source, limit)
    if not isinstance(source, FileSource):
        return None
    check_files(policy)
    check_names(policy, header(source))
    stream = open_stream(source, columns_to_look_at(policy), limit // BATCH_SHARE)
    needed = needed_memory(stream, people=policy.person_column is not None)
    if needed <= limit:
        return None
    faults = refused(policy, choose(policy, estimated_rows(stream)), "pieces")
    if memory is None and faults:
        if beyond_machine(needed):
            raise PapilioError(
                f"{source.path}: this would take about {size_text(needed)} of memory, far more "
                "than there is; fewer rows or columns are accepted, or what can be published piece "
                f"by piece: {faults[0].message}",
                reason="too-little-memory",
            )
        return None
    if faults:
        raise PolicyError(faults)
    note = (
        f"Published piece by piece: in memory it would take about {size_text(needed)}, and "
        f"{size_text(limit)} may be used."
    )
    return OutOfCore(stream, limit, note)


def _query(policy: Policy, source: SqlSource, limit: int) -> OutOfCore:
    check_engine(policy, choose(policy, 0), "pieces")
    check_files(policy)
    check_names(policy, header(source))
    note = (
        "Published piece by piece, because how many rows a query returns is not known beforehand."
    )
    return OutOfCore(source, limit, note)
