"""Reading a table from files batch by batch, so that no more than a batch is in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow as pa

from papilio.data.io.csv_file import stream_csv
from papilio.data.io.files import (
    check_equal,
    check_file,
    file_header,
    is_folder,
    list_folder,
    unequal_types,
)
from papilio.data.io.frames import text_columns, to_frame
from papilio.data.io.kinds import FileKind
from papilio.data.io.parquet_file import parquet_header, parquet_schema, stream_parquet
from papilio.data.source import FileSource

#: Most rows of a batch of Parquet, and bytes of a block of CSV.
BATCH_ROWS = 1 << 20
BLOCK_BYTES = 1 << 24
#: Bytes that a cell of a batch takes while it is encoded, at most as a rule.
_CELL_BYTES = 64


@dataclass(frozen=True)
class Stream:
    """A table in files that can be read again and again.

    Attributes
    ----------
    source
        Where it is.
    names
        All its columns.
    columns
        Those that are read, in the order of the source.
    files
        Its files, in the order in which they are read.
    typed
        Whether they know types; if not, everything is text.
    batch_rows
        Rows of a batch of Parquet.
    """

    source: FileSource
    names: tuple[str, ...]
    columns: tuple[str, ...]
    files: tuple[Path, ...]
    typed: bool
    batch_rows: int = BATCH_ROWS

    def batches(
        self, columns: Collection[str] | None = None, different: Collection[str] = ()
    ) -> Iterator[pl.DataFrame]:
        """Read everything, batch by batch; columns as :func:`papilio.data.io.read.read` gives them.

        Parameters
        ----------
        columns
            Some of ``self.columns``; left out, all.
        different
            Columns whose texts are nearly all different; see
            :func:`papilio.data.io.frames.to_frame`.

        Raises
        ------
        DataError
            As when the table is read at once, as soon as the fault is reached.
        """
        chosen = [name for name in self.columns if columns is None or name in columns]
        types = self._common_types(chosen)
        for file in self.files:
            read = (
                stream_parquet(file, chosen, self.batch_rows)
                if self.typed
                else stream_csv(file, chosen, BLOCK_BYTES)
            )
            for batch in read:
                if batch.num_rows:
                    table = self._with_types(pa.Table.from_batches([batch]).select(chosen), types)
                    yield to_frame(table, self.source.null, not self.typed, different)

    def rows(self) -> int | None:
        """Number of rows, if the files tell without being read."""
        if not self.typed:
            return None
        import pyarrow.parquet as pq

        return sum(int(pq.read_metadata(file).num_rows) for file in self.files)

    def _common_types(self, chosen: list[str]) -> pa.Schema | None:
        """Types that the files of a folder have in common, of all columns but text."""
        if not self.typed or len(self.files) == 1:
            return None
        schemas = [parquet_schema(file, chosen) for file in self.files]
        texts = set.intersection(*(set(text_columns(schema)) for schema in schemas))
        others = [pa.schema([e for e in schema if e.name not in texts]) for schema in schemas]
        try:
            return pa.unify_schemas(others, promote_options="permissive")
        except pa.ArrowException:
            raise unequal_types(self.source.path) from None

    def _with_types(self, table: pa.Table, types: pa.Schema | None) -> pa.Table:
        for entry in types or ():
            place = table.schema.get_field_index(entry.name)
            if table.schema.field(place).type != entry.type:
                table = table.set_column(place, entry, table.column(place).cast(entry.type))
        return table


def open_stream(source: FileSource, columns: Collection[str], memory: int | None = None) -> Stream:
    """Look at a file or a folder of files without reading their rows.

    Parameters
    ----------
    source
        Where they are.
    columns
        Columns to read.
    memory
        Bytes that a batch may take; left out, batches are as large as is of any use.

    Raises
    ------
    DataError
        As when the table is read at once.
    """
    path = source.path
    if is_folder(path):
        files, kind = list_folder(path, source.allowed)
    else:
        files, kind = [path], check_file(path)
    names = file_header(files[0])
    for file in files[1:]:
        check_equal(names, file)
    return _stream(source, names, columns, files, kind is FileKind.PARQUET, memory)


def open_parquet(
    source: FileSource, file: Path, columns: Collection[str], memory: int | None = None
) -> Stream:
    """Look at a Parquet file that has a name of no meaning, or none.

    Parameters
    ----------
    source
        What it is called in messages.
    file
        Where it can be read.
    columns, memory
        As for :func:`open_stream`.
    """
    return _stream(source, parquet_header(file), columns, [file], True, memory)


def _stream(
    source: FileSource,
    names: tuple[str, ...],
    columns: Collection[str],
    files: list[Path],
    typed: bool,
    memory: int | None,
) -> Stream:
    chosen = tuple(name for name in names if name in columns)
    fits = BATCH_ROWS if memory is None else memory // (_CELL_BYTES * max(len(chosen), 1))
    rows = min(BATCH_ROWS, max(fits, 1000))
    return Stream(source, names, chosen, tuple(files), typed, rows)
