"""How large a file may become when it is unpacked, checked before its rows are read.

A compressed file of a few kilobytes can stand for more than any machine holds. What is large
already may grow in proportion; what is small may grow to what any machine holds with ease.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Collection, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from papilio.data.io.compact import CompactError, Reader, TooShortError
from papilio.errors import DataError

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
