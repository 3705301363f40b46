"""Part files of a release, each written by the worker that made its rows.

A worker writes beside the draft and renames, so that a file is there whole or not at all, also if
the engine runs a task twice. The folder must be the same here and on every worker, and workers
must be allowed to write to it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import polars as pl
import pyarrow as pa

from papilio.engines.spark.collected import collect
from papilio.engines.spark.worker import guarded_table
from papilio.errors import EngineError
from papilio.release.draft import part_file

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from papilio.randomness import Randomness


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
