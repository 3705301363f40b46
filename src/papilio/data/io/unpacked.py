"""How large a file may become when it is unpacked, checked before its rows are read.

A compressed file of a few kilobytes can stand for more than any machine holds. What is large
already may grow in proportion; what is small may grow to what any machine holds with ease.

Parquet says so in its metadata, which it writes in Thrift's compact protocol; it is read from
untrusted bytes. Structs become dictionaries by field number. Nothing is skipped and nothing is
guessed, so that the caller can say which fields it accepts. What is read is never larger than the
bytes it came from by more than a constant factor, and no nesting is deeper than :data:`DEEPEST`.
"""

from __future__ import annotations

import gzip
import os
import struct
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from papilio.errors import DataError

#: How deep structs and lists may be nested; Parquet's own metadata needs eight levels.
DEEPEST = 16

_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_WHOLE = (_I16, _I32, _I64)
#: Bytes of the longest whole number of 64 bits.
_LONGEST = 10


class CompactError(ValueError):
    """The bytes are not what the compact protocol allows."""


class TooShortError(CompactError):
    """The bytes end before what they hold; with more of them it may be read."""


class Reader:
    """Reads one struct after the other from bytes.

    Attributes
    ----------
    place
        Where the next one begins.
    """

    def __init__(self, content: bytes, place: int = 0) -> None:
        self._content = content
        self.place = place

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Read a struct as its fields by number.

        Raises
        ------
        CompactError
            If it is not well formed, has a field twice, or is nested too deeply.
        """
        if depth > DEEPEST:
            raise CompactError("nested too deeply")
        fields: dict[int, Any] = {}
        number = 0
        while kind := self._byte():
            step = kind >> 4
            number = number + step if step else self._signed()
            if number in fields:
                raise CompactError("a field is there twice")
            fields[number] = self._field(kind & 15, depth)
        return fields

    def _field(self, kind: int, depth: int) -> Any:
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        return self._value(kind, depth)

    def _value(self, kind: int, depth: int) -> Any:
        if kind in _WHOLE:
            return self._signed()
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind == _LIST:
            return self._list(depth + 1)
        if kind in (_TRUE, _FALSE):
            return self._byte() == _TRUE
        if kind == _BYTE:
            return self._byte()
        if kind == _DOUBLE:
            return struct.unpack("<d", self._bytes(8))[0]
        # Parquet's metadata has neither sets nor maps.
        raise CompactError("a type that Parquet does not use")

    def _list(self, depth: int) -> list[Any]:
        if depth > DEEPEST:
            raise CompactError("nested too deeply")
        head = self._byte()
        length = head >> 4
        if length == 15:
            length = self._unsigned()
        if length > len(self._content) - self.place:
            raise TooShortError("the bytes end too early")
        return [self._value(head & 15, depth) for _ in range(length)]

    def _byte(self) -> int:
        try:
            byte = self._content[self.place]
        except IndexError:
            raise TooShortError("the bytes end too early") from None
        self.place += 1
        return byte

    def _bytes(self, length: int) -> bytes:
        start, self.place = self.place, self.place + length
        if self.place > len(self._content):
            raise TooShortError("the bytes end too early")
        return self._content[start : self.place]

    def _unsigned(self) -> int:
        number = 0
        for index in range(_LONGEST):
            byte = self._byte()
            number |= (byte & 127) << (7 * index)
            if byte < 128:
                return number
        raise CompactError("a number of more than 64 bits")

    def _signed(self) -> int:
        number = self._unsigned()
        return number >> 1 ^ -(number & 1)


#: Unpacked bytes that any file may have, and how many per byte of a larger one.
FREE_BYTES, BYTES_PER_BYTE = 128 << 20, 100
#: Cells that any Parquet file may have, and how many per byte of a larger one: runs of equal cells
#: take next to no room.
FREE_CELLS, CELLS_PER_BYTE = 20_000_000, 5000
#: Bytes that are read for the head of a page, and if it is longer.
_HEAD, _LONG_HEAD = 1 << 12, 1 << 22


class CappedGzip(gzip.GzipFile):
    """A compressed file that is unpacked as far as its size allows.

    Raises
    ------
    DataError
        With reason ``unpacks-too-large``, from the reading that goes too far.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, "rb")
        self._path = path
        self._most = _most_bytes(path)

    def read(self, size: int | None = -1) -> bytes:
        """Read as :class:`gzip.GzipFile` does, never all at once."""
        return self._checked(super().read(size))

    def read1(self, size: int = -1) -> bytes:
        """Read as :class:`gzip.GzipFile` does."""
        return self._checked(super().read1(size))

    def readline(self, size: int | None = -1) -> bytes:
        """Read as :class:`gzip.GzipFile` does; a line ends where the limit is."""
        most = self._most + 1
        return self._checked(super().readline(most if size is None or size < 0 else size))

    def _checked(self, content: bytes) -> bytes:
        if self.tell() > self._most:
            raise _too_large(self._path)
        return content


def check_parquet_size(path: Path, columns: Collection[str]) -> None:
    """Refuse a Parquet file whose pages unpack to far more than its size.

    What the footer says of the size of pages is not believed: the head of every page is read, which
    readers make room by.

    Parameters
    ----------
    path
        The file.
    columns
        Those that are to be read; pages of others are never unpacked.

    Raises
    ------
    DataError
        With reason ``unpacks-too-large``, or ``broken-file`` if it cannot be read.

    Notes
    -----
    Cost: some 30 µs per page.
    """
    size = path.stat().st_size
    footer = pq.read_metadata(path)
    if footer.num_rows * len(columns) > max(FREE_CELLS, size * CELLS_PER_BYTE):
        raise _too_large(path)
    room = _most_bytes(path)
    with path.open("rb") as file:
        for chunk in _chunks(footer, columns):
            for unpacked in _pages(file.fileno(), chunk, size):
                room -= unpacked
                if room < 0:
                    raise _too_large(path)


def _most_bytes(path: Path) -> int:
    return max(FREE_BYTES, path.stat().st_size * BYTES_PER_BYTE)


def _too_large(path: Path) -> DataError:
    return DataError(
        f"{path}: it unpacks to far more than its size; {FREE_BYTES >> 20} MiB or "
        f"{BYTES_PER_BYTE} times its size are accepted, or the same file unpacked",
        reason="unpacks-too-large",
    )


def _chunks(footer: pq.FileMetaData, columns: Collection[str]) -> Iterator[tuple[int, int]]:
    """First byte and length of the pages of each column, row group by row group."""
    for group in range(footer.num_row_groups):
        described = footer.row_group(group)
        for place in range(described.num_columns):
            chunk = described.column(place)
            if chunk.path_in_schema in columns:
                starts = [chunk.data_page_offset]
                if chunk.has_dictionary_page:
                    starts.append(chunk.dictionary_page_offset)
                yield min(starts), chunk.total_compressed_size


def _pages(file: int, chunk: tuple[int, int], size: int) -> Iterator[int]:
    """Bytes that each page says to unpack to."""
    place, end = chunk[0], min(sum(chunk), size)
    while 0 < place < end:
        head, length = _head(file, place, end)
        packed, unpacked = head.get(3), head.get(2)
        if (
            not isinstance(packed, int)
            or not isinstance(unpacked, int)
            or min(packed, unpacked) < 0
        ):
            raise pa.ArrowInvalid("a page without a size")
        place += length + packed
        yield unpacked


def _head(file: int, place: int, end: int) -> tuple[dict[int, object], int]:
    for most in (_HEAD, _LONG_HEAD):
        reader = Reader(os.pread(file, min(most, end - place), place))
        try:
            return reader.struct(), reader.place
        except TooShortError:
            continue
        except CompactError:
            break
    raise pa.ArrowInvalid("a page without a head")
