"""One run over a table of more rows than memory holds: what its family is given, and gives back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import polars as pl

from papilio.data.io.read import empty_table
from papilio.data.io.stream import Stream
from papilio.families.engines.disk.count_pass import Counted, count_pass
from papilio.families.engines.disk.counted_people import PeopleWatch
from papilio.families.engines.disk.memory import held_memory
from papilio.families.engines.disk.records import Layout
from papilio.families.engines.disk.rows_on_disk import RowStore
from papilio.policy.policy import Policy
from papilio.progress import Progress
from papilio.randomness import Randomness
from papilio.release.draft import part_file
from papilio.release.store import write_table

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
    file
        Opens a file without a name, which is gone when the run ends.
    """

    policy: Policy
    limits: Limits
    draft: Path
    format: str
    randomness: Randomness
    tell: Progress
    reading: Callable[[], AbstractContextManager[Stream]]
    store: Callable[[Layout], RowStore]
    file: Callable[[], BinaryIO]

    def count(self, stream: Stream, needed: tuple[str, ...]) -> Counted:
        """Pass over the source and count what occurs in some columns.

        Raises
        ------
        DataError
            If there are no rows, or a row of nobody knows whom.
        PolicyError
            If an identifier repeats and the policy does not say whose rows they are.
        """
        rows = stream.rows()

        def counted(done: int) -> None:
            self.tell("counting", 0.15 * done / rows if rows else 0.0)

        self.tell("counting", 0.0)
        most = self.limits.values
        people = PeopleWatch(self.policy, self.file)
        found = count_pass(stream, self.policy, needed, most=most, tell=counted, watch=people.add)
        if found.rows == 0:
            raise empty_table(stream.source)
        return replace(found, people=people.finish())

    def name(self, stream: Stream) -> str:
        """Name of the published table."""
        said = self.policy.source
        return (said.name if said is not None else None) or stream.source.name

    def write(self, frame: pl.DataFrame, table: str, number: int) -> Path:
        """Write one of several files of a table; parts are numbered from 1."""
        file = self.draft / part_file(table, number, self.format)
        write_table(frame, file, self.format)
        return file
