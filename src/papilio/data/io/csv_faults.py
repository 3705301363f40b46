"""Where a CSV file is broken; looked for only after reading has failed."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from papilio.data.io.frames import check_names
from papilio.data.io.kinds import FileKind, kind_of
from papilio.data.io.unpacked import CappedGzip
from papilio.errors import DataError

_BLOCK = 1 << 20
_SEPARATORS = (",", ";", "\t")


@dataclass(frozen=True)
class Layout:
    """How a file is cut into cells.

    Attributes
    ----------
    separator
        Sign between cells.
    names
        Column names, without blanks around them.
    """

    separator: str
    names: tuple[str, ...]


def read_layout(path: Path) -> Layout:
    """Read the first line.

    The separator of a ``.csv`` file is the one of comma, semicolon and tab that occurs most often
    in the header outside quotes; comma if none does.

    Raises
    ------
    DataError
        If the file is empty, or the header has blank or duplicate names or is not UTF-8.
    """
    separator = "\t" if kind_of(path) is FileKind.TSV else _separator(path)
    names = [name.strip() for name in _header(path, separator)]
    if any(ord(sign) == 0 or "\ud800" <= sign <= "\udfff" for name in names for sign in name):
        raise wrong_encoding(path, 1)
    return Layout(separator, check_names(names or [""], str(path)))


def wrong_encoding(path: Path, line: int) -> DataError:
    """Build the error for bytes that are not UTF-8."""
    return DataError(
        f"{path}: line {line} is not UTF-8; save the file as UTF-8, with or without a byte order "
        "mark",
        reason="wrong-encoding",
    )


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """Open a file, uncompressed on the fly if it ends in ``.gz``.

    Raises
    ------
    DataError
        If it cannot be opened, is not what its ending says, or unpacks to far more than its size.
    """
    try:
        packed = path.suffix.lower() == ".gz"
        with CappedGzip(path) if packed else path.open("rb") as stream:
            yield cast("BinaryIO", stream)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DataError(
            f"{path}: the compressed file is broken or incomplete", reason="broken-file"
        ) from None
    except OSError as error:
        raise DataError(
            f"{path}: cannot be read ({error.strerror})", reason="unreadable-file"
        ) from None


def count_lines(path: Path) -> int:
    """Number of line breaks. Cost: one pass over the bytes."""
    lines = 0
    with open_bytes(path) as stream:
        while block := stream.read(_BLOCK):
            lines += block.count(b"\n")
    return lines


@contextmanager
def open_text(path: Path) -> Iterator[io.TextIOWrapper]:
    """Open a file as text; bytes that are not UTF-8 become lone surrogates."""
    with (
        open_bytes(path) as stream,
        io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="") as text,
    ):
        yield text


def _separator(path: Path) -> str:
    with open_text(path) as text:
        record = text.readline()
        while record.count('"') % 2 and (line := text.readline()):
            record += line
    outside = "".join(record.split('"')[::2])
    return max(_SEPARATORS, key=outside.count)


def _header(path: Path, separator: str) -> list[str]:
    with open_text(path) as text:
        try:
            header = next(csv.reader(text, delimiter=separator), None)
        except csv.Error:
            raise DataError(
                f"{path}: line 1 is too long for a header; it must hold the column names",
                reason="bad-header",
            ) from None
        if header is None or (not header and not any(line.strip() for line in text)):
            raise DataError(f"{path}: the file is empty; it needs a header", reason="empty-file")
        return header


_BLOCK_BYTES = 1 << 24
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
        while block := stream.read(_BLOCK_BYTES):
            yield block
