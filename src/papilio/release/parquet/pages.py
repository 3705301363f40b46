"""The pages of a released Parquet file: as many values as rows, and not too many bytes.

Readers differ in what they believe: some stop after the number of rows that the footer tells,
others read all pages. Where both are equal, all readers see the same rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from papilio.data.io.unpacked import CompactError, Reader, TooShortError
from papilio.errors import RefusedError
from papilio.release.parquet.footer import Chunk, Footer, Struct, accept, members, whole

#: Unpacked bytes that any file may have, and how many per byte of a larger one.
FREE_BYTES, BYTES_PER_BYTE = 256 << 20, 1000
#: Cells that any file may have, and how many per byte of a larger one; runs of equal cells take
#: next to no room.
FREE_CELLS, CELLS_PER_BYTE = 20_000_000, 5000

_DATA, _DICTIONARY, _DATA_2 = 0, 2, 3
#: Bytes that are read for the head of a page, and if it is longer.
_HEAD, _LONG_HEAD = 1 << 12, 1 << 22


@dataclass(frozen=True)
class _Page:
    """Where a page begins, bytes of its head, packed and unpacked bytes behind it, and its values.

    A dictionary has no values of rows: ``None``.
    """

    place: int
    head: int
    packed: int
    unpacked: int
    values: int | None


def check_pages(file: int, size: int, footer: Footer) -> None:
    """Refuse pages that do not hold the rows, or that unpack to far more than the file.

    Cost: the heads of the pages are read, some 30 µs each.

    Parameters
    ----------
    file, size
        Descriptor and length of the file.
    footer
        What it says of itself.
    """
    cells = sum(footer.rows) * len(footer.columns)
    if cells > max(FREE_CELLS, size * CELLS_PER_BYTE):
        raise RefusedError("has far more cells than its size allows")
    room = max(FREE_BYTES, size * BYTES_PER_BYTE)
    for group in footer.chunks:
        for chunk in group:
            room -= _unpacked(file, chunk)
            if room < 0:
                raise RefusedError("unpacks to far more than its size allows")


def page_places(file: int, region: tuple[int, int]) -> list[tuple[int, int, int]]:
    """First byte, length and first row of each page, as an index of a file says it."""
    fields = accept("offset index", read_struct(file, region))
    located = [accept("location", place) for place in members(fields, 1)]
    return [(whole(place, 1), whole(place, 2), whole(place, 3)) for place in located]


def read_struct(file: int, region: tuple[int, int]) -> dict[int, Any]:
    """Read a struct that fills a region of a file."""
    try:
        return Reader(os.pread(file, region[1], region[0])).struct()
    except CompactError:
        raise RefusedError("has metadata that are not Parquet's") from None


def _unpacked(file: int, chunk: Chunk) -> int:
    """Bytes that the pages of a chunk unpack to."""
    values = unpacked = 0
    places = []
    for page in _pages(file, chunk):
        if page.values is not None:
            places.append((page.place, page.head + page.packed, values))
            values += page.values
        unpacked += page.head + page.unpacked
    if chunk.places is not None and places != page_places(file, chunk.places):
        raise RefusedError("has its pages elsewhere than it says")
    if values != chunk.values:
        raise RefusedError("has another number of values than of rows")
    if unpacked != chunk.unpacked:
        raise RefusedError("has pages of another size than it says")
    return unpacked


def _pages(file: int, chunk: Chunk) -> Iterator[_Page]:
    place, end = chunk.start, chunk.start + chunk.size
    while place < end:
        page = _page(file, place, end)
        place += page.head + page.packed
        yield page
    if place != end:
        raise RefusedError("has pages of another size than it says")


def _page(file: int, place: int, end: int) -> _Page:
    try:
        said, head = _head(file, place, end)
    except CompactError:
        raise RefusedError("has pages that are not Parquet's") from None
    fields = accept("page", said)
    return _Page(place, head, whole(fields, 3), whole(fields, 2), _values(fields))


def _head(file: int, place: int, end: int) -> tuple[dict[int, Any], int]:
    for most in (_HEAD, _LONG_HEAD):
        reader = Reader(os.pread(file, min(most, end - place), place))
        try:
            return reader.struct(), reader.place
        except TooShortError:
            if most == _LONG_HEAD:
                raise
    raise AssertionError


def _values(said: Struct) -> int | None:
    """Values of rows in a page; a dictionary has none."""
    kind = whole(said, 1)
    if kind == _DICTIONARY:
        accept("dictionary", said.get(7))
        return None
    if kind == _DATA:
        return whole(accept("data page", said.get(5)), 1)
    if kind == _DATA_2:
        page = accept("data page 2", said.get(8))
        if whole(page, 1) != whole(page, 3):
            raise RefusedError("has another number of values than of rows")
        return whole(page, 1)
    raise RefusedError("has pages that are not Parquet's")
