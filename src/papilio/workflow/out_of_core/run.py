"""One run over a table of more rows than memory holds: what its family is given, and gives back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from papilio.data.io.read import empty_table
from papilio.data.io.stream import Stream
from papilio.policy.policy import Policy
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.draft import part_file
from papilio.release.store import write_table
from papilio.workflow.out_of_core.count_pass import Counted, count_pass
from papilio.workflow.out_of_core.memory import held_memory
from papilio.workflow.out_of_core.records import Layout
from papilio.workflow.out_of_core.rows_on_disk import RowStore

#: Shares of the memory that DuckDB may use at most, and gets even if little is left.
_MOST, _LEAST = 0.5, 0.125


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

    @property
    def verify_memory(self) -> int:
        """Bytes that DuckDB may use: what this process does not hold by now, within bounds."""
        left = self.memory - held_memory()
        return int(min(max(left, self.memory * _LEAST), self.memory * _MOST))


@dataclass(frozen=True, eq=False)
class Run:
    """What a family is given to publish its tables piece by piece.

    Attributes
    ----------
    policy
        The order.
    limits
        How much of everything is handled at a time.
    draft, format
        Where the files of the release go, and of which kind they are.
    randomness
        For everything that is left to chance.
    tell
        Told of each stage.
    reading
        Opens the source for any number of passes; it must not change until it is closed again.
    store
        Opens a store of rows on disk, which is gone when the run ends.
    """

    policy: Policy
    limits: Limits
    draft: Path
    format: str
    randomness: Randomness
    tell: Progress
    reading: Callable[[], AbstractContextManager[Stream]]
    store: Callable[[Layout], RowStore]

    def count(self, stream: Stream, needed: tuple[str, ...]) -> Counted:
        """Pass over the source and count what occurs in some columns.

        Raises
        ------
        DataError
            If there are no rows.
        """
        rows = stream.rows()

        def counted(done: int) -> None:
            self.tell("counting", 0.15 * done / rows if rows else 0.0)

        self.tell("counting", 0.0)
        most = self.limits.values
        found = count_pass(stream, self.policy, needed, most=most, tell=counted)
        if found.rows == 0:
            raise empty_table(stream.source)
        return found

    def name(self, stream: Stream) -> str:
        """Name of the published table."""
        said = self.policy.source
        return (said.name if said is not None else None) or stream.source.name

    def write(self, frame: pl.DataFrame, table: str, number: int) -> Path:
        """Write one of several files of a table; parts are numbered from 1."""
        file = self.draft / part_file(table, number, self.format)
        write_table(frame, file, self.format)
        return file
