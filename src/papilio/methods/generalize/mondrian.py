"""Strict Mondrian: cut the table into boxes that do not overlap, as long as all meet the demand.

Source: LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006. The
rules of a cut and where they depart from the paper are written in
:mod:`papilio.kernels.mondrian`.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, attributes_of
from papilio.kernels.attributes import Attributes
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand
from papilio.kernels.mondrian import mondrian, split_class
from papilio.methods.classes import Classes

#: Tables below this many rows are not worth a second thread.
_THREAD_ROWS = 50_000
#: Pieces per thread: enough that an uneven cut leaves no thread idle for long.
_PIECES_PER_THREAD = 8


_Lines: TypeAlias = tuple[
    Codes, NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]
]


@dataclass(frozen=True, eq=False)
class _Workspace:
    """The arrays a run works in; ``words`` is the same memory as ``codes``."""

    codes: Codes
    words: NDArray[np.int64]
    rows: NDArray[np.int32]
    spare_words: NDArray[np.int64]
    spare_rows: NDArray[np.int32]
    attributes: Attributes
    demand: Demand

    def lines(self) -> _Lines:
        return (self.codes, self.words, self.rows, self.spare_words, self.spare_rows)


def strict_mondrian(table: EncodedTable, demand: Demand, *, threads: int | None = None) -> Classes:
    """Divide a table into classes that each meet the demand.

    The result does not depend on the order of the rows nor on the number of threads.

    Parameters
    ----------
    table
        The quasi-identifiers. The whole table must meet the demand.
    demand
        What each class must satisfy.
    threads
        How many threads work; left out, as many as there are processors.

    Notes
    -----
    Cost: O(n d log(n / k)) time, and twice the memory of the codes.
    """
    work = _workspace(table, demand)
    starts_class = np.zeros(table.height, np.bool_)
    workers = threads or os.cpu_count() or 1
    wanted = 1 if table.height < _THREAD_ROWS else workers * _PIECES_PER_THREAD
    pieces = _pieces(work, table.height, wanted if workers > 1 else 1)
    with ThreadPoolExecutor(workers) as pool:
        for future in [pool.submit(_finish, work, piece, starts_class) for piece in pieces]:
            future.result()
    starts = np.append(np.flatnonzero(starts_class), table.height)
    return Classes(work.rows, starts)


def _workspace(table: EncodedTable, demand: Demand) -> _Workspace:
    codes = table.codes.copy()
    words = codes.view(np.int64)
    rows = np.arange(table.height, dtype=np.int32)
    return _Workspace(
        codes, words, rows, np.empty_like(words), np.empty_like(rows), attributes_of(table), demand
    )


def _pieces(work: _Workspace, height: int, wanted: int) -> list[tuple[int, int]]:
    """Cut the largest piece again and again until there are enough; largest first."""
    pieces = [(0, height)]
    finished: list[tuple[int, int]] = []
    histogram = np.zeros(int(work.attributes.size.max()), np.int64)
    while pieces and len(pieces) + len(finished) < wanted:
        pieces.sort(key=_length)
        low, high = pieces.pop()
        middle = split_class(*work.lines(), low, high, work.attributes, work.demand, histogram)
        if middle < 0:
            finished.append((low, high))
        else:
            pieces += [(low, middle), (middle, high)]
    return sorted(pieces + finished, key=_length, reverse=True)


def _length(piece: tuple[int, int]) -> int:
    return piece[1] - piece[0]


def _finish(work: _Workspace, piece: tuple[int, int], starts_class: NDArray[np.bool_]) -> None:
    mondrian(*work.lines(), *piece, work.attributes, work.demand, starts_class)
