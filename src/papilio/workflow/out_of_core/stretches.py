"""Bytes that belong together, in stretches of a file that others share."""

from __future__ import annotations

import mmap
import os
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

#: Most bytes that are asked for at a time; systems give no more than about two GiB.
_MOST = 1 << 30


@dataclass(frozen=True, eq=False)
class Stretches:
    """Bytes that are written once from front to back, and read as if they lay in one piece.

    Many of them share a file, so that rows can be dealt out to any number of pieces with a few
    open files. One writes at a time; many may read then.

    Attributes
    ----------
    file
        A file that need not have a name.
    begins, ends
        Where in the file each stretch begins and ends.
    """

    file: BinaryIO
    begins: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))

    @property
    def length(self) -> int:
        """Number of bytes."""
        return sum(self.ends) - sum(self.begins)

    def append(self, content: bytes) -> None:
        """Write further bytes behind those that are there."""
        if not content:
            return
        begin = self.file.seek(0, os.SEEK_END)
        self.file.write(content)
        self.file.flush()
        if self.ends and self.ends[-1] == begin:
            self.ends[-1] += len(content)
        else:
            self.begins.append(begin)
            self.ends.append(begin + len(content))

    def read(self, begin: int, length: int) -> bytes:
        """Read some of the bytes."""
        parts = self._parts(begin, length)
        return b"".join(_bytes_at(self.file, place, size) for place, size in parts)

    def mapped(self, begin: int, length: int, kind: np.dtype[Any]) -> NDArray[Any]:
        """Give some of the bytes as an array; mapped into memory if they are in one stretch."""
        arrays = [
            np.frombuffer(*_mapped(self.file, place, size)).view(kind)
            for place, size in self._parts(begin, length)
        ]
        return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)

    def _parts(self, begin: int, length: int) -> Iterator[tuple[int, int]]:
        """Where some of the bytes lie in the file, and how many in each place."""
        before = 0
        for first, last in zip(self.begins, self.ends, strict=True):
            here = last - first
            low, high = max(begin - before, 0), min(begin + length - before, here)
            if low < high:
                yield first + low, high - low
            before += here
            if before >= begin + length:
                return


def _bytes_at(file: BinaryIO, place: int, size: int) -> bytes:
    parts = []
    while size > 0:
        part = os.pread(file.fileno(), min(size, _MOST), place)
        if not part:
            raise EOFError
        parts.append(part)
        place, size = place + len(part), size - len(part)
    return b"".join(parts)


def _mapped(file: BinaryIO, place: int, size: int) -> tuple[mmap.mmap, type[np.uint8], int, int]:
    """Arguments of :func:`numpy.frombuffer` for some bytes; a map begins at the start of a page."""
    start = place - place % mmap.ALLOCATIONGRANULARITY
    area = mmap.mmap(file.fileno(), place - start + size, access=mmap.ACCESS_READ, offset=start)
    return area, np.uint8, size, place - start
