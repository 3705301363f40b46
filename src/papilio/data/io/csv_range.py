"""A part of a CSV file in which every line is a record: the lines between two bytes."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
from pyarrow import csv

from papilio.data.io.columns import choose_columns
from papilio.data.io.csv_faults import find_fault
from papilio.data.io.csv_layout import Layout, open_bytes

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
