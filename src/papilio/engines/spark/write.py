"""Part files of a release, each written by the worker that made its rows.

A worker writes beside the draft and renames, so that a file is there whole or not at all, also if
the engine runs a task twice. The folder must be the same here and on every worker, and workers
must be allowed to write to it.

The one door through which anything comes from the engine to this process.

Rows of a table stay in the engine; only counts, and the distinct values they are counts of, come
back. Every collection is put down with its size, so that this can be tested.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import polars as pl
import pyarrow as pa

from papilio.engines.spark.worker import guarded_table, unpacked
from papilio.errors import EngineError
from papilio.release.draft import part_file

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from papilio.randomness import Randomness


@dataclass(frozen=True)
class Collected:
    """One collection: what it was for, and how large it was."""

    what: str
    rows: int
    bytes: int


@dataclass(frozen=True, eq=False)
class Tally:
    """All collections of a run, in order."""

    entries: list[Collected] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """Number of rows that were collected."""
        return sum(each.rows for each in self.entries)

    @property
    def bytes(self) -> int:
        """Size of all that was collected."""
        return sum(each.bytes for each in self.entries)


_TALLY: ContextVar[Tally | None] = ContextVar("tally", default=None)


@contextmanager
def tallied() -> Iterator[Tally]:
    """Put down what is collected inside the block."""
    tally = Tally()
    token = _TALLY.set(tally)
    try:
        yield tally
    finally:
        _TALLY.reset(token)


def collect(frame: DataFrame, what: str) -> pa.Table:
    """Bring counts from the engine.

    Parameters
    ----------
    frame
        A frame of the engine; its size must not depend on the number of rows of the source, but
        on the number of distinct values, of columns and of pieces alone.
    what
        What it is, for the tally.

    Raises
    ------
    PapilioError
        What a function of Papilio raised in a worker.
    """
    from pyspark.errors import PySparkException

    try:
        table = frame.toArrow()
    except PySparkException as error:
        told = unpacked(str(error))
        if told is None:
            raise
        raise told from None
    tally = _TALLY.get()
    if tally is not None:
        tally.entries.append(Collected(what, table.num_rows, table.nbytes))
    return table


@dataclass(frozen=True, eq=False)
class Inspected:
    """Rows to publish, and somebody who looks at the file they are written to.

    Attributes
    ----------
    frame
        The rows.
    inspect
        Called with the file; what it says of it goes to who asked for the files.
    """

    frame: pl.DataFrame
    inspect: Callable[[Path], str]


#: Number of a piece and its rows to the rows that are published of it.
Finish: TypeAlias = "Callable[[int, pa.Table], pl.DataFrame | Inspected]"
_WRITTEN = "piece int, rows bigint, said string"


def write_pieces(
    rows: DataFrame,
    key: str,
    pieces: int,
    finish: Finish,
    draft: Path,
    table: str,
    randomness: Randomness,
) -> pl.DataFrame:
    """Bring the rows of each piece together, finish them, and write one part file per piece.

    Parameters
    ----------
    rows
        Rows in the engine.
    key
        Column that holds the number of each row's piece, an ``int`` from 0.
    pieces
        Number of pieces. Each must have rows.
    finish
        Called in a worker with the number of a piece and all its rows, in no particular order;
        returns the rows to publish in the order to publish them, of the same types for each piece.
    draft, table
        Folder of the draft, and the name of the table.
    randomness
        For the numbers of the files.

    Returns
    -------
    pl.DataFrame
        ``piece`` and ``rows``, the number of rows written of it; ``said``, what was said of the
        file by who inspected it.

    Raises
    ------
    EngineError
        If a file is missing afterwards, which means that the workers see another folder.

    Notes
    -----
    One shuffle of all rows. A worker holds one piece at a time.
    """
    numbers = [int(each) + 1 for each in randomness.permutation(pieces)]

    def work(part: pa.Table) -> pa.Table:
        piece = int(part.column(key)[0].as_py())
        made = finish(piece, part.drop_columns([key]))
        frame = made.frame if isinstance(made, Inspected) else made
        name = part_file(table, numbers[piece])
        write_part(frame, draft, name)
        said = made.inspect(draft / name) if isinstance(made, Inspected) else ""
        return pa.table({
            "piece": pa.array([piece], pa.int32()),
            "rows": pa.array([frame.height], pa.int64()),
            "said": pa.array([said], pa.string()),
        })  # fmt: skip

    done = rows.groupBy(key).applyInArrow(guarded_table(work), _WRITTEN)
    written = pl.DataFrame(collect(done, "rows of each piece"))
    missing = [n for n in numbers if not (draft / part_file(table, n)).is_file()]
    if missing:
        raise EngineError(
            f"{draft.parent.parent} is not the same folder for this process and for the workers, "
            "so that what they wrote is not there; use a folder that all of them share",
            reason="folder-not-shared",
        )
    return written


def write_part(frame: pl.DataFrame, draft: Path, name: str) -> None:
    """Write one file of a draft, whole or not at all. Called by workers.

    Raises
    ------
    EngineError
        If the folder is not there or cannot be written.
    """
    started = draft.parent / f".{secrets.token_hex(8)}"
    try:
        frame.write_parquet(started, compression="zstd", compression_level=1, statistics=False)
        started.replace(draft / name)
    except (OSError, pl.exceptions.PolarsError):
        started.unlink(missing_ok=True)
        raise EngineError(
            f"a worker cannot write to {draft.parent.parent}; the folder must be shared by all "
            "workers, who must be allowed to write there, and have room left",
            reason="worker-cannot-write",
        ) from None
