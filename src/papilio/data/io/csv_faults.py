"""Where a CSV file is broken; looked for only after reading has failed."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import numpy as np

from papilio.data.io.csv_layout import Layout, open_bytes, open_text, wrong_encoding
from papilio.errors import DataError

_BLOCK = 1 << 24
_QUOTE = ord('"')
_MARK = "\0end\0"
_HEADER_AND_MARKS = 2


def quotes(path: Path, separator: str) -> tuple[bool, bool]:
    """Tell whether a file has quotes, and whether one may never be closed.

    A quote that is never closed swallows the rest of the file as one cell. It leaves an odd
    number of quotes, or a last quote that does not stand at the end of a cell; either can also
    come from a quote inside an unquoted cell, so it is only a suspicion. Cost: one pass over the
    bytes, about a second per gigabyte.
    """
    count, open_end, pending = 0, False, False
    after = {separator.encode(), b"\n", b"\r", b""}
    for block in _blocks(path):
        if pending:
            open_end, pending = block[:1] not in after, False
        count += int(np.count_nonzero(np.frombuffer(block, np.uint8) == _QUOTE))
        last = block.rfind(b'"')
        if last >= 0:
            pending = last + 1 == len(block)
            open_end = not pending and block[last + 1 : last + 2] not in after
    return count > 0, count % 2 == 1 or open_end


def find_fault(path: Path, layout: Layout) -> DataError:
    """Find what is wrong with a file that could not be parsed.

    Returns
    -------
    DataError
        The first line with too many or too few cells, a quote that is never closed, the first
        line that is not UTF-8, or, if none of these is found, that the file cannot be parsed.
    """
    fault = find_bad_record(path, layout)
    if fault is not None:
        return fault
    line = _first_undecodable_line(path)
    if line is not None:
        return wrong_encoding(path, line)
    return DataError(f"{path}: cannot be parsed as a table of cells", reason="broken-file")


def is_header_only(path: Path, layout: Layout) -> bool:
    """Tell whether nothing follows the header, not even a line break."""
    return len(list(islice(_records(path, layout), 3))) == _HEADER_AND_MARKS


def find_bad_record(path: Path, layout: Layout) -> DataError | None:
    """Find the first record with a wrong number of cells, or a quote that is never closed."""
    width = len(layout.names)
    for line, cells in _records(path, layout):
        if cells is None:
            return _unclosed(
                path, line, f", or a cell is longer than {csv.field_size_limit()} signs"
            )
        if cells and _MARK in cells[-1]:
            return None if cells == [_MARK] * width else _unclosed(path, line)
        if cells and len(cells) != width:
            return _ragged(path, line, len(cells), width)
    return None


def _records(path: Path, layout: Layout) -> Iterator[tuple[int, list[str] | None]]:
    """First line and cells of each record, ``None`` for cells that are too long.

    A record of marks follows the last one; if a quote is still open, it swallows the marks.
    """
    marks = layout.separator.join([_MARK] * len(layout.names))
    with open_text(path) as text:
        reader = csv.reader(chain(text, [marks]), delimiter=layout.separator)
        line = 1
        try:
            for cells in reader:
                yield line, cells
                line = reader.line_num + 1
        except csv.Error:
            yield line, None


def _ragged(path: Path, line: int, cells: int, width: int) -> DataError:
    return DataError(
        f"{path}: line {line} has {cells} cells where the header has {width}; every line needs "
        f"{width}",
        reason="ragged-line",
    )


def _unclosed(path: Path, line: int, or_else: str = "") -> DataError:
    return DataError(
        f"{path}: a quote in the record that starts in line {line} is never closed{or_else}",
        reason="unclosed-quote",
    )


def _first_undecodable_line(path: Path) -> int | None:
    with open_bytes(path) as stream:
        for number, line in enumerate(stream, start=1):
            try:
                line.decode()
            except UnicodeDecodeError:
                return number
    return None


def _blocks(path: Path) -> Iterator[bytes]:
    with open_bytes(path) as stream:
        while block := stream.read(_BLOCK):
            yield block
