"""Some columns of the original on disk, for those who count them and for the verifier.

What a policy promises of a disguise or of projections can only be seen beside the original. Its
rows lie in files without names and are shown to a database that puts nothing on a disk, a window at
a time; what that has to hold are the groups it is asked for.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any

import polars as pl
import pyarrow as pa

from papilio.data.types import as_text
from papilio.families.engines.coded import ColumnValues
from papilio.families.engines.disk.people import kept_frame
from papilio.families.engines.disk.records import columns_in, layout_of, pack
from papilio.families.engines.disk.rows_on_disk import RowFile
from papilio.families.engines.disk.run import Run
from papilio.families.engines.meanings import Meanings
from papilio.verify import sql
from papilio.verify.opened import Opened, OpenedHere, open_frames

#: Rows that are shown at a time.
WINDOW = 1 << 17


@dataclass(frozen=True, eq=False)
class KeptRows:
    """Some columns of all rows, as they were read.

    Attributes
    ----------
    rows
        Where they lie.
    """

    rows: RowFile

    @property
    def meanings(self) -> Meanings:
        """The table that has these columns only."""
        return self.rows.layout.meanings

    def keep(self, batch: pl.DataFrame, skipped: int) -> pl.DataFrame:
        """Put further rows, as read, behind those that are there; gives them with their types."""
        layout = self.rows.layout
        frame = kept_frame(layout.meanings, batch, skipped)
        records, texts = pack(frame, layout)
        self.rows.append(records, [texts[name] for name in layout.texts])
        return as_text(frame)

    def frames(self, names: Collection[str] | None = None) -> Iterator[pl.DataFrame]:
        """Read all rows, a window at a time; all columns, or some. Text may be ``Enum``."""
        layout = self.rows.layout
        for records, texts in self.rows.windows(WINDOW):
            content = dict(zip(layout.texts, texts, strict=True))
            yield pl.DataFrame(columns_in(records, content, layout, names))


def kept_rows(
    run: Run, meanings: Meanings, values: Mapping[str, ColumnValues], names: Collection[str]
) -> KeptRows:
    """Begin to keep some columns of a table.

    Parameters
    ----------
    run
        The run, at whose end they are gone.
    meanings, values
        What the columns are, and what occurs in those of text.
    names
        The columns.
    """
    some = tuple(column for column in meanings.columns if column.name in names)
    return KeptRows(run.store(layout_of(replace(meanings, columns=some), values)).rows())


@dataclass(frozen=True, eq=False)
class _Beside(OpenedHere):
    """A release that answers statements about its original as well.

    A statement about both is refused: the two lie in different databases.

    Attributes
    ----------
    view
        Name of the original in statements.
    shown
        Opens a database that sees the original once.
    """

    view: str = field(kw_only=True)
    shown: Callable[[], AbstractContextManager[OpenedHere]] = field(kw_only=True)

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""
        if sql.name(self.view) not in statement:
            return super().rows(statement)
        with self.shown() as original:
            return original.rows(statement)

    def arrays(self, statement: str) -> list[Any]:
        """Run a query and return its columns as NumPy arrays."""
        if sql.name(self.view) not in statement:
            return super().arrays(statement)
        with self.shown() as original:
            return original.arrays(statement)


@contextmanager
def beside(
    kept: KeptRows, memory: Callable[[], int], opened: OpenedHere
) -> Iterator[tuple[Opened, str]]:
    """Let checks see an original beside its release.

    Parameters
    ----------
    kept
        The columns of the original that are asked for.
    memory
        Tells the bytes that a database of the original may use; nothing of it leaves memory.
    opened
        The release.

    Yields
    ------
    tuple
        The release, which answers statements about the original as well, and the original's name.

    Notes
    -----
    Cost: one pass over the kept columns for each statement. Memory: a window of rows, and what the
    statement groups by.
    """
    view = f"papilio original {secrets.token_hex(8)}"

    @contextmanager
    def shown() -> Iterator[OpenedHere]:
        with open_frames(opened.manifest, {view: _reader(kept)}, {}) as original:
            original.execute(f"SET memory_limit = '{memory()}B'")
            yield original

    told = {each.name: getattr(opened, each.name) for each in fields(opened)}
    yield _Beside(**told, view=view, shown=shown), view


def _reader(kept: KeptRows) -> pa.RecordBatchReader:
    """Give the rows to one reader, who reads them once."""
    types = {column.name: kept.meanings.types[column.name] for column in kept.meanings.columns}
    schema = pl.DataFrame(schema=types).to_arrow().schema
    tables = (as_text(frame).to_arrow().cast(schema) for frame in kept.frames())
    return pa.RecordBatchReader.from_batches(
        schema, (batch for table in tables for batch in table.to_batches())
    )
