"""Records on disk: written once from front to back, read in windows, dealt out to pieces.

They lie in files without names, so that nothing of them is left when the process ends, however it
ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from papilio.families.one_table.methods.top_tree import NodeCounts, TopTree, count_nodes
from papilio.kernels.codes import Codes
from papilio.release.scratch import unnamed_file
from papilio.workflow.out_of_core.records import Layout, Records, split_texts, unpack
from papilio.workflow.out_of_core.stretches import Stretches
from papilio.workflow.pieces.piece import Piece

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
        """Count some nodes; see :class:`papilio.families.one_table.methods.top_tree.Counter`."""
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
        codes, sensitive = codes_in(self.rows.read(begin, WINDOW))
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
