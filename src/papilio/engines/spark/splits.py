"""The parts of a source that workers read, one task each.

This process looks at the names, footers and header lines of the files, never at their rows. Files
are read by workers with the very functions that read them on one machine, so that a cell means the
same in both places. A path must therefore lead to the same file here and on every worker.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from papilio.data.io.csv_faults import Layout, read_layout
from papilio.data.io.files import file_header, is_folder, list_folder
from papilio.data.io.frames import choose_columns
from papilio.data.io.kinds import FileKind, kind_of
from papilio.data.io.parquet_file import parquet_schema
from papilio.data.source import FileSource
from papilio.errors import DataError

#: Rows of a Parquet split, as near as its row groups allow.
_ROWS = 300_000
#: Bytes of a split of a CSV file.
_BYTES = 32 << 20

#: Size and time of the last change of a file.
Stamp = tuple[int, int]


@dataclass(frozen=True)
class Split:
    """A part of a file.

    Attributes
    ----------
    path
        The file.
    first, last
        Row groups of a Parquet file, bytes of a CSV file; ``last`` is not included. A CSV split
        begins after the first line break at or behind ``first``, or at the first record, and ends
        with the line that holds ``last``; ``last`` of 0 is the whole file.
    stamp
        The file's stamp when the source was looked at: a file that differs is not read.
    """

    path: Path
    first: int
    last: int
    stamp: Stamp


@dataclass(frozen=True, eq=False)
class Splits:
    """A source, ready to be read by workers.

    Attributes
    ----------
    source
        The source.
    kind
        Kind of its files.
    names
        All its columns.
    columns
        Columns to read, in the order of the source. No other is ever decoded, but for CSV files,
        whose lines have to be parsed.
    parts
        What one task reads each.
    schema
        Types of the columns to read in Parquet files, the same for all files.
    rows
        Number of rows if the footers tell it.
    """

    source: FileSource
    kind: FileKind
    names: tuple[str, ...]
    columns: tuple[str, ...]
    parts: tuple[Split, ...]
    schema: pa.Schema | None = None
    rows: int | None = None

    @property
    def typed(self) -> bool:
        """Whether the source knows types."""
        return self.kind is FileKind.PARQUET


def splits_of(source: FileSource, columns: Sequence[str]) -> Splits:
    """Divide a file, or a folder of files, into parts.

    Parameters
    ----------
    source
        A CSV, TSV or Parquet file or a folder of files of one of these kinds.
    columns
        Columns to read.

    Raises
    ------
    DataError
        As for reading on one machine.

    Notes
    -----
    Cost: one footer or one header line per file, in this process.
    """
    path = source.path
    files, kind = list_folder(path, source.allowed) if is_folder(path) else ([path], None)
    names = file_header(files[0])
    kind = kind or kind_of(path)
    for file in files[1:]:
        _check_equal(names, file)
    chosen = choose_columns(names, columns, str(path))
    make = _parquet if kind is FileKind.PARQUET else _csv
    return make(source, files, kind, names, chosen)


def stamp(path: Path) -> Stamp:
    """Take a file's stamp.

    Raises
    ------
    DataError
        If the file is not there.
    """
    try:
        status = path.stat()
    except OSError:
        raise DataError(
            f"{path}: no such file, or it is not visible to every worker", reason="missing-file"
        ) from None
    return status.st_size, status.st_mtime_ns


@functools.lru_cache(maxsize=64)
def layout_of(path: Path, stamped: Stamp) -> Layout:
    """Read the header line of a CSV file; remembered, since every split of the file needs it."""
    del stamped
    return read_layout(path)


def _parquet(
    source: FileSource,
    files: Sequence[Path],
    kind: FileKind,
    names: tuple[str, ...],
    chosen: tuple[str, ...],
) -> Splits:
    parts: list[Split] = []
    schemas = []
    rows = 0
    for file in files:
        stamped = stamp(file)
        footer = _footer(file)
        rows += footer.num_rows
        schema = parquet_schema(file, chosen)
        schemas.append(pa.schema([schema.field(name) for name in chosen]))
        sizes = [footer.row_group(number).num_rows for number in range(footer.num_row_groups)]
        parts += [Split(file, first, last, stamped) for first, last in _runs(sizes)]
    joined = _unified(schemas, source.path)
    return Splits(source, kind, names, chosen, tuple(parts), joined, rows)


def _csv(
    source: FileSource,
    files: Sequence[Path],
    kind: FileKind,
    names: tuple[str, ...],
    chosen: tuple[str, ...],
) -> Splits:
    parts: list[Split] = []
    for file in files:
        stamped = stamp(file)
        if file.suffix.lower() == ".gz":
            parts.append(Split(file, 0, 0, stamped))
            continue
        size = stamped[0]
        starts = range(0, max(size, 1), _BYTES)
        parts += [Split(file, start, min(start + _BYTES, size), stamped) for start in starts]
    return Splits(source, kind, names, chosen, tuple(parts))


def _runs(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of row groups with about as many rows as a split should have."""
    first, held = 0, 0
    for number, size in enumerate(sizes):
        if held and held + size > _ROWS:
            yield first, number
            first, held = number, 0
        held += size
    if held:
        yield first, len(sizes)


def _footer(path: Path) -> pq.FileMetaData:
    try:
        return pq.read_metadata(path)
    except (pa.ArrowException, OSError):
        raise DataError(
            f"{path}: not a Parquet file, or a broken or incomplete one", reason="broken-file"
        ) from None


def _unified(schemas: Sequence[pa.Schema], path: Path) -> pa.Schema:
    plain = [pa.schema([(f.name, _undictionaried(f.type)) for f in each]) for each in schemas]
    try:
        return pa.unify_schemas(plain, promote_options="permissive")
    except pa.ArrowException:
        raise DataError(
            f"{path}: a column has different types in different files; all files need the same "
            "types",
            reason="unequal-types",
        ) from None


def _undictionaried(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _check_equal(names: tuple[str, ...], file: Path) -> None:
    if set(file_header(file)) != set(names):
        raise DataError(
            f"{file}: its columns differ from those of the first file of the folder; all files "
            "need the same columns",
            reason="unequal-columns",
        )


def absolute(source: FileSource) -> FileSource:
    """Make a path independent of the folder this process works in; workers have another."""
    return replace(source, path=Path(os.path.abspath(source.path)))  # noqa: PTH100 - no resolving
