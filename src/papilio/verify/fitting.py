"""Which original rows each published row may be, from the columns somebody looks at.

Values and cells are numbered column by column (:mod:`papilio.verify.cover`); an original row is
then a point, a published one a box (:mod:`papilio.verify.fitting`).

Which points may lie in which boxes: a join without comparing all with all.

Points are divided at the median of a column again and again, and a box goes on only into the
halves it reaches. What is left in the end is compared one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify.cells import has_bounds, reader
from papilio.verify.cover import Cover, cover_of_bounds, cover_of_readings
from papilio.verify.numbering import (
    Side,
    bounds_of,
    compared_as,
    number_original,
    number_published,
    texts_of,
    values_of,
)
from papilio.verify.opened import Opened

#: Comparisons made at once.
_BLOCK = 1 << 15
#: Fewer points than this are not divided.
_FEW = 16
#: Points looked at to find a median.
_SAMPLE = 256


def inside_boxes(
    points: NDArray[np.int32], low: NDArray[np.int32], high: NDArray[np.int32]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield pairs (point, box) with ``low <= point <= high`` on every column, in parts.

    Parameters
    ----------
    points
        One line per point, one number per column.
    low, high
        One line per box: its smallest and largest number on each column.

    Notes
    -----
    Cost: where boxes hardly overlap, about the number of points times the logarithm of their
    number, times the columns; where they overlap, the number of pairs on top.
    """
    waiting = [(np.arange(len(points)), np.arange(len(low)))]
    while waiting:
        some, boxes = waiting.pop()
        if not some.size:
            continue
        here = points[some]
        least, most = here.min(axis=0), here.max(axis=0)
        reached = (low[boxes] <= most).all(axis=1) & (high[boxes] >= least).all(axis=1)
        boxes = boxes[reached]
        if some.size <= _FEW or some.size * boxes.size <= _BLOCK or (least == most).all():
            yield from _compared(here, some, boxes, low, high)
            continue
        column, cut = _best_cut(here, low[boxes], high[boxes], least, most)
        below = here[:, column] <= cut
        waiting.append((some[below], boxes[low[boxes, column] <= cut]))
        waiting.append((some[~below], boxes[high[boxes, column] > cut]))


def _best_cut(
    points: NDArray[np.int32],
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    least: NDArray[np.int32],
    most: NDArray[np.int32],
) -> tuple[int, int]:
    """Column and number to divide at, so that few points and boxes are left to compare."""
    sample = points[:: -(-len(points) // _SAMPLE)]
    cuts = np.minimum(np.sort(sample, axis=0)[(len(sample) - 1) // 2], most - 1)
    share = (sample <= cuts).mean(axis=0)
    work = share * (low <= cuts).sum(axis=0) + (1 - share) * (high > cuts).sum(axis=0)
    column = int(np.where(least < most, work, np.inf).argmin())
    return column, int(cuts[column])


def _compared(
    points: NDArray[np.int32],
    some: NDArray[np.int64],
    boxes: NDArray[np.int64],
    low: NDArray[np.int32],
    high: NDArray[np.int32],
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Compare all with all, a block at a time."""
    step = max(1, _BLOCK // len(points))
    for begin in range(0, len(boxes), step):
        part = boxes[begin : begin + step]
        fits = np.ones((len(points), len(part)), bool)
        for column in range(points.shape[1]):
            numbers = points[:, column, None]
            fits &= low[part, column] <= numbers
            fits &= numbers <= high[part, column]
        which, where = np.nonzero(fits)
        yield some[which], part[where]


def matched(pairs: NDArray[np.int64], supply: NDArray[np.int64], demand: NDArray[np.int64]) -> int:
    """Units of a maximum flow from supplies to demands; see :func:`units`."""
    return int(units(pairs, supply, demand).sum())


def units(
    pairs: NDArray[np.int64], supply: NDArray[np.int64], demand: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Units of a maximum flow that each supply gives to each demand it fits.

    Parameters
    ----------
    pairs
        Two columns: a supply and a demand it fits; each pair once.
    supply, demand
        How many units each has or wants.
    """
    per_supply = np.bincount(pairs[:, 0], minlength=len(supply))
    if per_supply.max(initial=0) <= 1:
        # Nothing to choose, as with boxes that do not overlap.
        return _served(pairs, supply, demand)
    return _flow(pairs, supply, demand)


def _served(
    pairs: NDArray[np.int64], supply: NDArray[np.int64], demand: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Serve demands by supplies that fit one each, until they have enough."""
    order = np.argsort(pairs[:, 1], kind="stable")
    wanted, offered = pairs[order, 1], supply[pairs[order, 0]]
    before = np.cumsum(offered) - offered
    begins = np.concatenate([[0], np.flatnonzero(np.diff(wanted)) + 1, [len(wanted)]])
    if len(wanted):
        before -= np.repeat(before[begins[:-1]], np.diff(begins))
    given = np.empty(len(pairs), np.int64)
    given[order] = np.clip(demand[wanted] - before, 0, offered)
    return given


def _flow(
    pairs: NDArray[np.int64], supply: NDArray[np.int64], demand: NDArray[np.int64]
) -> NDArray[np.int64]:
    # SciPy is needed only here and takes a while to load.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    first_demand = 1 + len(supply)
    sink = first_demand + len(demand)
    tails = np.concatenate(
        [np.zeros(len(supply), int), 1 + pairs[:, 0], first_demand + np.arange(len(demand))]
    )
    heads = np.concatenate(
        [1 + np.arange(len(supply)), first_demand + pairs[:, 1], np.full(len(demand), sink)]
    )
    capacity = np.concatenate([supply, supply[pairs[:, 0]], demand]).astype(np.int32)
    graph = csr_array((capacity, (tails, heads)), shape=(sink + 1, sink + 1))
    flow = csr_array(maximum_flow(graph, 0, sink).flow)
    return np.asarray(flow[1 + pairs[:, 0], first_demand + pairs[:, 1]]).ravel().astype(np.int64)


@dataclass(frozen=True, eq=False)
class Fitting:
    """Distinct rows of both sides, and what the cells allow.

    Attributes
    ----------
    supply, demand
        Distinct rows of the original and of what is published, with how often each occurs.
    covers
        Per column, what its numbered cells allow; ``None`` where values are published as they were.
    """

    supply: Side
    demand: Side
    covers: list[Cover | None]


def is_readable(opened: Opened, column: PublishedColumn) -> bool:
    """Whether the verifier knows what the cells of a column allow."""
    return column.cells == "value" or has_bounds(column) or reader(opened, column) is not None


def fitting_of(opened: Opened, table: PublishedTable, original: str) -> Fitting:
    """Number both sides by the columns of ``table``, all of which must be readable.

    Parameters
    ----------
    opened
        The release.
    table
        A table of it, or the same with some columns only.
    original
        Name of a view with the original's columns, registered on the same connection.
    """
    supply = number_original(opened, table, original)
    demand = number_published(opened, table)
    covers = [
        None if column.cells == "value" else _cover(opened, column, index)
        for index, column in enumerate(table.columns)
    ]
    return Fitting(supply, demand, covers)


def _cover(opened: Opened, column: PublishedColumn, index: int) -> Cover:
    values = values_of(opened, index)
    if has_bounds(column):
        return cover_of_bounds(values, *bounds_of(opened, index))
    read = reader(opened, column)
    assert read is not None  # noqa: S101 - columns nobody can read were sorted out before
    readings = [read(cell) for cell in texts_of(opened, index)]
    return cover_of_readings(values, compared_as(column), readings)


def fitting_pairs(fitting: Fitting) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield pairs (supply, demand) that fit on every column, each pair once, in parts.

    Notes
    -----
    Cost: that of :func:`papilio.verify.fitting.inside_boxes`.
    """
    low, high = _boxes(fitting)
    supply, demand = fitting.supply.numbers, fitting.demand.numbers
    for some, boxes in inside_boxes(supply.astype(np.int32), low, high):
        fits = np.ones(len(some), bool)
        for column, cover in enumerate(fitting.covers):
            if cover is not None:
                fits &= cover.allows(demand[boxes, column], supply[some, column])
        yield some[fits], boxes[fits]


def _boxes(fitting: Fitting) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    numbers = fitting.demand.numbers
    low, high = numbers.copy(), numbers.copy()
    for column, cover in enumerate(fitting.covers):
        if cover is not None:
            first, last = cover.hull
            low[:, column] = first[numbers[:, column]]
            high[:, column] = last[numbers[:, column]]
    return low.astype(np.int32), high.astype(np.int32)
