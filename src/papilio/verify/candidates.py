"""Which points may lie in which boxes: a join without comparing all with all.

Points are divided at the median of a column again and again, and a box goes on only into the
halves it reaches. What is left in the end is compared one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

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
