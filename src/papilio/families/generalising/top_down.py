"""Methods that cut classes in two: strict and relaxed Mondrian, and what all of them share.

Source: LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006. The
rules of a cut and where they depart from the paper are written in :mod:`papilio.kernels.mondrian`
and :mod:`papilio.kernels.relaxed_mondrian`.

Strict Mondrian cuts the table into boxes that do not overlap, as long as all meet the demand.
Relaxed Mondrian (section 3.2) always cuts in the middle, so that boxes may overlap.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, attributes_of
from papilio.families.classes import Classes
from papilio.kernels.attributes import Attributes
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand
from papilio.kernels.mondrian import mondrian, split_class
from papilio.kernels.relaxed_mondrian import halve_class
from papilio.kernels.relaxed_mondrian import relaxed_mondrian as kernel
from papilio.randomness import Randomness

#: Tables below this many rows are not worth a second thread.
_THREAD_ROWS = 50_000


#: Pieces per thread: enough that an uneven cut leaves no thread idle for long.
_PIECES_PER_THREAD = 8


#: The arrays every kernel takes first: codes, the same memory as words, row numbers, spares.
Lines: TypeAlias = tuple[
    Codes, NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]
]


@dataclass(frozen=True, eq=False)
class Workspace:
    """What a run works in.

    Attributes
    ----------
    lines
        Codes (rearranged in place) and what belongs to them.
    attributes, demand
        What the codes mean and what each class must satisfy.
    scratch
        Zeros, as many as the largest attribute has codes.
    """

    lines: Lines
    attributes: Attributes
    demand: Demand
    scratch: NDArray[np.int64]


#: Cuts the class in some lines once; returns where the right half starts, or -1.
Cut: TypeAlias = Callable[[Workspace, int, int], int]


#: Cuts the class in some lines until nothing can be cut, marking where classes start.
Finish: TypeAlias = Callable[[Workspace, int, int, NDArray[np.bool_]], None]


def cut_down(
    table: EncodedTable, demand: Demand, cut: Cut, finish: Finish, threads: int | None = None
) -> Classes:
    """Cut a table into classes from the top down.

    The result does not depend on the number of threads.

    Parameters
    ----------
    table
        The quasi-identifiers. The whole table must meet the demand.
    demand
        What each class must satisfy.
    cut, finish
        The method: one cut, and all further cuts of a piece.
    threads
        How many threads work; left out, as many as there are processors.
    """
    work = _workspace(table, demand)
    starts_class = np.zeros(table.height, np.bool_)
    workers = threads or os.cpu_count() or 1
    wanted = workers * _PIECES_PER_THREAD if table.height >= _THREAD_ROWS and workers > 1 else 1
    pieces = _pieces(work, table.height, wanted, cut)
    with ThreadPoolExecutor(workers) as pool:
        for future in [pool.submit(finish, work, *piece, starts_class) for piece in pieces]:
            future.result()
    starts = np.append(np.flatnonzero(starts_class), table.height)
    return Classes(work.lines[2], starts)


def _workspace(table: EncodedTable, demand: Demand) -> Workspace:
    codes = table.codes.copy()
    words = codes.view(np.int64)
    rows = np.arange(table.height, dtype=np.int32)
    lines = (codes, words, rows, np.empty_like(words), np.empty_like(rows))
    attributes = attributes_of(table)
    scratch = np.zeros(int(attributes.size.max()), np.int64)
    return Workspace(lines, attributes, demand, scratch)


def _pieces(work: Workspace, height: int, wanted: int, cut: Cut) -> list[tuple[int, int]]:
    """Cut the largest piece again and again until there are enough; largest first."""
    pieces = [(0, height)]
    finished: list[tuple[int, int]] = []
    while pieces and len(pieces) + len(finished) < wanted:
        pieces.sort(key=_length)
        low, high = pieces.pop()
        middle = cut(work, low, high)
        if middle < 0:
            finished.append((low, high))
        else:
            pieces += [(low, middle), (middle, high)]
    return sorted(pieces + finished, key=_length, reverse=True)


def _length(piece: tuple[int, int]) -> int:
    return piece[1] - piece[0]


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
    return cut_down(table, demand, _cut, _finish, threads)


def _cut(work: Workspace, low: int, high: int) -> int:
    return split_class(*work.lines, low, high, work.attributes, work.demand, work.scratch)


def _finish(work: Workspace, low: int, high: int, starts_class: NDArray[np.bool_]) -> None:
    mondrian(*work.lines, low, high, work.attributes, work.demand, starts_class)


def relaxed_mondrian(
    table: EncodedTable, demand: Demand, randomness: Randomness, *, threads: int | None = None
) -> Classes:
    """Divide a table into classes, of less than 2k rows unless these are equal.

    Which of several equal rows goes where is drawn at random; a rule would have to look at their
    sensitive values.

    Parameters
    ----------
    table, demand, threads
        As for :func:`~papilio.families.generalising.top_down.strict_mondrian`.
    randomness
        Breaks ties.

    Notes
    -----
    Cost: O(n d log(n / k)) time, plus a sort of each class's codes.
    """
    keys = randomness.keys(table.height)

    def cut(work: Workspace, low: int, high: int) -> int:
        return halve_class(*work.lines, low, high, work.attributes, work.demand, keys, work.scratch)

    def finish(work: Workspace, low: int, high: int, starts_class: NDArray[np.bool_]) -> None:
        kernel(*work.lines, low, high, work.attributes, work.demand, keys, starts_class)

    return cut_down(table, demand, cut, finish, threads)
