"""CSV and TSV files, every column as text.

The first line holds the column names. Cells may stand in double quotes, and may then contain
separators and line breaks. Blanks around a cell are not part of it, because ``flu`` and a padded
``flu`` must count as one value; a cell that is empty then, quoted or not, is NULL. In a table of
one column an empty line is a NULL, in a wider one it is skipped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
from pyarrow import csv

from papilio.data.io.csv_faults import (
    Layout,
    find_bad_record,
    find_fault,
    is_header_only,
    open_bytes,
    quotes,
    read_layout,
)
from papilio.data.io.frames import choose_columns

_TEXT = pa.dictionary(pa.int32(), pa.large_string())


def is_divisible(path: Path, first: int, last: int) -> bool:
    """Tell whether each line break among some bytes of a file ends a record.

    That is so without quotes, and if no carriage return stands alone.
    """
    with open_bytes(path) as file:
        file.seek(first)
        block = file.read(last - first + 1)
    alone = block.count(b"\r") - block.count(b"\r\n") - block.endswith(b"\r")
    return b'"' not in block and alone == 0


def load_csv_range(
    path: Path, layout: Layout, columns: Collection[str], first: int, last: int
) -> pa.Table:
    """Read the records that begin among the bytes ``first .. last - 1``; cells as in a whole file.

    A record belongs to the range in which the byte before it lies, so that ranges which lie side
    by side have each record once. The header is none.

    Parameters
    ----------
    path, layout
        A file that is divisible throughout, and how it is cut into cells.
    columns
        Names to load.
    first, last
        The range; ``first`` is 0 or ``last`` of another range.

    Raises
    ------
    DataError
        With the line of the file's first fault.

    Notes
    -----
    Cost: the bytes of the range twice in memory.
    """
    chosen = choose_columns(layout.names, columns, str(path))
    with open_bytes(path) as file:
        lines = _lines(file, first, last)
    try:
        return _parse(lines, layout, chosen)
    except pa.ArrowException:
        raise find_fault(path, layout) from None


def _lines(file: BinaryIO, first: int, last: int) -> bytes:
    """Bytes behind the first line break at or after ``first``, up to that at or after ``last``."""
    file.seek(first)
    # For the first range this is the header.
    file.readline()
    start = file.tell()
    if start > last:
        return b""
    body = file.read(last - start)
    return body + file.readline()


def _parse(lines: bytes, layout: Layout, chosen: tuple[str, ...]) -> pa.Table:
    empty_line = b"\n" if len(layout.names) == 1 else b""
    if not lines.strip(b"\r\n") and not (empty_line and lines):
        return pa.schema([(name, _TEXT) for name in chosen]).empty_table()
    return csv.read_csv(
        pa.BufferReader(lines),
        # One block: dictionaries of several would have to be put together.
        read_options=csv.ReadOptions(
            column_names=list(layout.names), use_threads=False, block_size=len(lines)
        ),
        parse_options=csv.ParseOptions(
            delimiter=layout.separator, ignore_empty_lines=len(layout.names) > 1
        ),
        convert_options=csv.ConvertOptions(
            include_columns=list(chosen),
            column_types=dict.fromkeys(chosen, _TEXT),
            null_values=[""],
            strings_can_be_null=True,
        ),
    )


_BLOCK = 1 << 24


def load_csv(path: Path, columns: Collection[str] | None) -> pa.Table:
    """Read a file; each column is dictionary-coded text.

    Parameters
    ----------
    path
        A ``.csv`` or ``.tsv`` file, UTF-8 with or without byte order mark, or one of these
        compressed as ``.gz``.
    columns
        Names to load; others are parsed to count cells but not kept.

    Raises
    ------
    DataError
        With the line of the first fault.

    Notes
    -----
    Cost: about 0.4 s per million rows of nine columns on two cores, and four bytes per cell while
    reading.
    """
    layout = read_layout(path)
    chosen = choose_columns(layout.names, columns, str(path))
    options = _options(path, layout, chosen, _BLOCK)
    try:
        # A path, not a Python stream: Arrow reads ahead in threads of its own, and one of these
        # calling back into Python after a fault can abort the interpreter at its end.
        return csv.read_csv(str(path), **options)
    except (pa.ArrowException, OSError):
        if is_header_only(path, layout):
            return pa.schema([(name, _TEXT) for name in chosen]).empty_table()
        raise find_fault(path, layout) from None


def stream_csv(
    path: Path, columns: Collection[str] | None, block: int = _BLOCK
) -> Iterator[pa.RecordBatch]:
    """Read a file block by block; see :func:`load_csv`.

    Parameters
    ----------
    path, columns
        As for :func:`load_csv`.
    block
        Bytes that are parsed at a time; a record must fit.

    Raises
    ------
    DataError
        With the line of the first fault, once it is reached.
    """
    layout = read_layout(path)
    chosen = choose_columns(layout.names, columns, str(path))
    options = _options(path, layout, chosen, block)
    try:
        with csv.open_csv(str(path), **options) as reader:
            yield from reader
    except (pa.ArrowException, OSError):
        if not is_header_only(path, layout):
            raise find_fault(path, layout) from None


def _options(path: Path, layout: Layout, chosen: tuple[str, ...], block: int) -> dict[str, Any]:
    """How Arrow has to read a file; refuses one with a quote that is never closed."""
    quoted, doubtful = quotes(path, layout.separator)
    fault = find_bad_record(path, layout) if doubtful else None
    if fault is not None:
        raise fault
    return {
        "read_options": csv.ReadOptions(
            column_names=list(layout.names), skip_rows_after_names=1, block_size=block
        ),
        "parse_options": csv.ParseOptions(
            delimiter=layout.separator,
            newlines_in_values=quoted,
            ignore_empty_lines=len(layout.names) > 1,
        ),
        "convert_options": csv.ConvertOptions(
            include_columns=list(chosen),
            column_types=dict.fromkeys(chosen, _TEXT),
            null_values=[""],
            strings_can_be_null=True,
        ),
    }
