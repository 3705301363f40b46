"""The header of a CSV or TSV file: its separator and column names."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from papilio.data.io.columns import check_names
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
