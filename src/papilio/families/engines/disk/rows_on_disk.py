"""Records on disk: written once from front to back, read in windows, dealt out to pieces.

They lie in files without names, so that nothing of them is left when the process ends, however it
ends.
"""

from __future__ import annotations

import mmap
import os
from array import array
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn, EncodedTable, stack_codes
from papilio.families.engines.disk.records import (
    Layout,
    Records,
    people_in,
    split_texts,
    unpack,
)
from papilio.families.engines.meanings import Meanings
from papilio.families.engines.piece import Piece, own_codes
from papilio.families.generalising.top_tree import NodeCounts, TopTree, count_nodes
from papilio.kernels.codes import Codes
from papilio.privacy.requirement import with_codes_of_people
from papilio.release.scratch import unnamed_file

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


#: Records that are looked at at a time.
WINDOW = 1 << 20


@dataclass(frozen=True, eq=False)
class RowStore:
    """Files without names that hold records and the bytes of longer texts, for many row files.

    Attributes
    ----------
    layout
        What a record is.
    files
        The one of the records, then one for each column of longer texts.
    """

    layout: Layout
    files: tuple[BinaryIO, ...]

    def rows(self) -> RowFile:
        """Begin a row file."""
        first, *others = (Stretches(file) for file in self.files)
        return RowFile(self, first, tuple(others))

    def close(self) -> None:
        """Give everything back that lies in it."""
        for file in self.files:
            file.close()


@contextmanager
def row_store(folder: Path, layout: Layout) -> Iterator[RowStore]:
    """Open the files of a store in a folder; they are gone when the block ends, if not before."""
    with ExitStack() as stack:
        many = 1 + len(layout.texts)
        files = tuple(stack.enter_context(unnamed_file(folder)) for _ in range(many))
        yield RowStore(layout, files)


@dataclass(frozen=True, eq=False)
class RowFile:
    """Records of some rows, and beside them the bytes of their longer texts.

    Attributes
    ----------
    store
        Where they lie.
    records, texts
        The records, and the bytes of each column of longer texts.
    """

    store: RowStore
    records: Stretches
    texts: tuple[Stretches, ...]

    @property
    def layout(self) -> Layout:
        """What a record is."""
        return self.store.layout

    def append(self, records: Records, texts: Sequence[bytes]) -> None:
        """Write further rows behind those that are there."""
        self.records.append(records.tobytes())
        for stretches, content in zip(self.texts, texts, strict=True):
            stretches.append(content)

    def windows(self, rows: int | None = None) -> Iterator[tuple[Records, list[bytes]]]:
        """Read all rows, a window of ``rows`` of them at a time."""
        names = self.layout.texts
        places = [0] * len(names)
        step = rows or WINDOW
        for begin in range(0, self.height, step):
            records = self.read(begin, step)
            texts = []
            for number, name in enumerate(names):
                length = int(np.maximum(records[self._field(name)], 0).sum(dtype=np.int64))
                texts.append(self.texts[number].read(places[number], length))
                places[number] += length
            yield records, texts

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.records.length // self.layout.record.itemsize

    def read(self, begin: int, rows: int) -> Records:
        """Map some records into memory; they count as used only until they are let go."""
        record = self.layout.record
        here = min(rows, self.height - begin)
        return self.records.mapped(begin * record.itemsize, here * record.itemsize, record)

    def _field(self, name: str) -> str:
        return next(each.field for each in self.layout.stored if each.name == name)


@dataclass(frozen=True, eq=False)
class DiskCounter:
    """Counts what occurs in nodes of the tree by reading the records once."""

    rows: RowFile

    def count(self, tree: TopTree, nodes: Sequence[int]) -> Sequence[NodeCounts]:
        """Count some nodes; see :class:`papilio.families.generalising.top_tree.Counter`."""
        total: list[NodeCounts] = []
        workers = os.cpu_count() or 1
        begins = range(0, self.rows.height, WINDOW)
        with ThreadPoolExecutor(workers) as pool:
            # As many windows as there are threads, so that no more are in memory.
            for start in range(0, len(begins), workers):
                some = begins[start : start + workers]
                for found in pool.map(partial(self._count, tree, nodes), some):
                    total = [a + b for a, b in zip(total, found, strict=True)] if total else found
        return total

    def _count(self, tree: TopTree, nodes: Sequence[int], begin: int) -> list[NodeCounts]:
        meanings = self.rows.layout.meanings
        records = self.rows.read(begin, WINDOW)
        codes, sensitive = codes_in(records)
        people = people_in(records)
        if people is not None and meanings.people is not None:
            heavy = meanings.people.heavy_codes(people.numbers)
            sensitive = with_codes_of_people(sensitive, heavy)
        return count_nodes(codes, sensitive, tree, nodes, meanings.sizes, meanings.sensitive_sizes)


def codes_in(records: Records) -> tuple[Codes, NDArray[np.int32]]:
    """Codes of quasi-identifiers and of sensitive columns, each in memory of its own."""
    codes: Codes = np.ascontiguousarray(records["codes"])
    if "sensitive" not in (records.dtype.names or ()):
        return codes, np.empty((len(records), 0), np.int32)
    return codes, np.ascontiguousarray(records["sensitive"])


def deal(rows: RowFile, numbers: Iterator[NDArray[np.int64]], targets: Sequence[RowFile]) -> None:
    """Give every row to one of several files.

    Parameters
    ----------
    rows
        Where the rows are.
    numbers
        Per window of rows, the target of each.
    targets
        Where they go.
    """
    for (records, texts), chosen in zip(rows.windows(), numbers, strict=True):
        append_dealt(records, texts, chosen, targets)


def append_dealt(
    records: Records, texts: Sequence[bytes], chosen: NDArray[np.int64], targets: Sequence[RowFile]
) -> None:
    """Write each of some rows to the file whose number is chosen for it."""
    order = np.argsort(chosen, kind="stable")
    ends = np.cumsum(np.bincount(chosen, minlength=len(targets)))
    parts = [
        split_texts(records[field], content, order, ends.tolist())
        for field, content in zip(_text_fields(targets[0].layout), texts, strict=True)
    ]
    sorted_records = records[order]
    begin = 0
    for number, end in enumerate(ends.tolist()):
        if end > begin:
            targets[number].append(sorted_records[begin:end], [each[number] for each in parts])
        begin = end


def _text_fields(layout: Layout) -> list[str]:
    return [each.field for each in layout.stored if each.how == "text"]


def load_piece(rows: RowFile) -> Piece:
    """Read all rows of a file for the methods."""
    records, texts = next(rows.windows(rows.height))
    return unpack(np.array(records), dict(zip(rows.layout.texts, texts, strict=True)), rows.layout)


def box_of(files: Sequence[RowFile], meanings: Meanings) -> EncodedTable:
    """Lines that, column by column, hold every code of the rows in some files.

    Of a column that is known by its span, the smallest and the largest value and NULL are enough.
    """
    wide = [each.column.name for each in meanings.quasi if each.span is not None]
    occurs = [np.zeros(size, np.bool_) for size in meanings.sizes]
    ends: dict[str, list[pl.Series]] = {name: [] for name in wide}
    for file in files:
        for records, _ in file.windows():
            codes, _ = codes_in(records)
            for place, flags in enumerate(occurs):
                flags[codes[:, place]] = True
            for name in wide:
                ends[name].append(_ends(file.layout.column(name, records)))
    found = [
        _column(meaning, flags, ends.get(meaning.column.name))
        for meaning, flags in zip(meanings.quasi, occurs, strict=True)
    ]
    height = max(len(codes) for _, codes in found)
    # Shorter columns go round again, so that all have as many lines.
    longest = [codes[np.arange(height) % len(codes)] for _, codes in found]
    codes = stack_codes(longest, height)
    return EncodedTable(codes, tuple(meaning for meaning, _ in found))


def _ends(series: pl.Series) -> pl.Series:
    there = series.drop_nulls()
    null = series.filter(series.is_null()).head(1)
    return pl.concat([null, there.sort().head(1), there.sort().tail(1)])


def _column(
    meaning: EncodedColumn, occurs: np.ndarray[tuple[int], np.dtype[np.bool_]],
    ends: list[pl.Series] | None,
) -> tuple[EncodedColumn, Codes]:  # fmt: skip
    if ends is None:
        return meaning, np.flatnonzero(occurs).astype(np.int32)
    own, codes = own_codes(meaning, pl.concat(ends))
    return replace(own, span=meaning.span), codes
