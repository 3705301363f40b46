"""The one door through which anything comes from the engine to this process.

Rows of a table stay in the engine; only counts, and the distinct values they are counts of, come
back. Every collection is put down with its size, so that this can be tested.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from papilio.engines.spark.worker import unpacked

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


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
