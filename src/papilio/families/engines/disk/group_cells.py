"""The tables of values and of help of permuted and disguised releases, from how often cells occur.

Both follow from the plan, so no row of the source is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.families.engines.disk.run import Run
from papilio.families.grouped.help_table import CellRuns, help_lines

#: Columns of the help table, each of which takes as much as a cell of a piece.
_HELP_COLUMNS = 15


@dataclass(frozen=True, eq=False)
class GroupCells:
    """Cells of all groups, equal ones of a group once.

    Attributes
    ----------
    group
        Group of each, from 0.
    copies
        How often it occurs there.
    missing
        Whether it is NULL.
    lows, highs, middles, inside
        Ends, mean and variance inside; of cells that are missing, anything.
    people
        Number of people of each group.
    """

    group: NDArray[np.int64]
    copies: NDArray[np.int64]
    missing: NDArray[np.bool_]
    lows: NDArray[Any]
    highs: NDArray[Any]
    middles: NDArray[np.float64]
    inside: NDArray[np.float64]
    people: NDArray[np.int64]


def write_values(
    run: Run,
    table: str,
    copies: NDArray[np.int64],
    shown: Callable[[NDArray[np.int64]], pl.DataFrame],
) -> Iterator[Path]:
    """Write one row per cell, in an order that is left to chance; gives each file.

    Parameters
    ----------
    run, table
        The run, and the name of the table.
    copies
        How often each cell occurs.
    shown
        Numbers of cells to what is published of each.
    """
    for number, (cells, many) in enumerate(_stretches(run, copies), start=1):
        run.tell("permuting", 0.6)
        places = np.repeat(np.arange(len(cells)), many)
        places = places[run.randomness.permutation(len(places))]
        yield run.write(shown(cells)[places], table, number)


def _stretches(
    run: Run, copies: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Cells in random order, cut into stretches of a piece: cells, and how many copies of each."""
    order = run.randomness.permutation(len(copies))
    ends, most = np.cumsum(copies[order]), run.limits.piece_rows
    for begin in range(0, int(ends[-1]), most):
        until = min(begin + most, int(ends[-1]))
        first, last = np.searchsorted(ends, [begin, until - 1], side="right")
        inside = slice(int(first), int(last) + 1)
        yield order[inside], np.diff(np.minimum(ends[inside], until), prepend=begin)


def write_help(run: Run, table: str, cells: GroupCells, group: str, *, whole_sums: bool) -> None:
    """Write the help table: for each group one line per number of its people.

    ``group`` is the name of the column with the number of the group; ``whole_sums`` is as for
    :func:`papilio.families.grouped.help_table.help_lines`.
    """
    order = np.argsort(cells.group, kind="stable")
    starts = np.searchsorted(cells.group[order], np.arange(len(cells.people) + 1))
    ends = np.cumsum(cells.people)
    before = ends - cells.people
    most = max(1, run.limits.piece_rows * len(run.policy.published) // _HELP_COLUMNS)
    for number, begin in enumerate(range(0, int(ends[-1]), most), start=1):
        run.tell("permuting", 0.7)
        until = min(begin + most, int(ends[-1]))
        low, high = np.searchsorted(ends, [begin, until - 1], side="right")
        groups = np.arange(low, high + 1)
        first = np.maximum(begin - before[groups], 0) + 1
        last = np.minimum(cells.people[groups], until - before[groups])
        runs = _runs(cells, order[starts[low] : starts[high + 1]], groups)
        run.write(help_lines(runs, first, last, group, whole_sums=whole_sums), table, number)


def _runs(cells: GroupCells, some: NDArray[np.int64], groups: NDArray[np.int64]) -> CellRuns:
    """Cells of some groups, which stand group by group."""
    missing, which = cells.missing[some], cells.group[some] - groups[0]
    nulls = np.bincount(which[missing], cells.copies[some][missing], len(groups))
    there = some[~missing]
    starts = np.searchsorted(which[~missing], np.arange(len(groups) + 1)).astype(np.int64)
    return CellRuns(
        groups + 1,
        starts,
        cells.lows[there],
        cells.highs[there],
        cells.middles[there],
        cells.inside[there],
        cells.copies[there],
        nulls.astype(np.int64),
    )
