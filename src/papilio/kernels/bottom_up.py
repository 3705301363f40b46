"""Bottom-up local recoding on integer codes.

Source: Xu, Wang, Pei, Wang, Shi, Fu, "Utility-based anonymization using local recoding", KDD 2006,
the bottom-up method, which the hybrid recoding paper uses for its local phase. Groups start as
single rows; each group that does not meet the demand yet is merged with the group for which the
NCP of both together, (rows) x (width of the joint box), is smallest; rounds go on until all groups
meet the demand. Groups that could be divided again are, by :mod:`papilio.kernels.regroup`.

Departures: equal rows start as one group, since joining them costs nothing; and the paper does not
say how a group of 2k rows and more is divided. Ties: the group that stands first.

Cost: O(m² d) time for m distinct rows and d attributes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.boxes import Shape, width_joined
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand, class_meets
from papilio.kernels.jit import kernel
from papilio.kernels.regroup import group_box
from papilio.kernels.wide_sets import wide_joined


@kernel
def rows_of(
    group: int | np.int32, first: NDArray[np.int32], following: NDArray[np.int32], count: int
) -> NDArray[np.int32]:
    """Places of the rows of a group, following the chain from its first row."""
    places = np.empty(count, np.int32)
    place = first[group]
    for index in range(count):
        places[index] = place
        place = following[place]
    return places


@kernel
def find_partner(
    codes: Codes,
    rows: NDArray[np.int32],
    group: int | np.int32,
    alive: NDArray[np.int32],
    count: NDArray[np.int64],
    first: NDArray[np.int32],
    following: NDArray[np.int32],
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    mask: NDArray[np.uint64],
    shape: Shape,
) -> int:
    """Group for which the NCP of both together is smallest, or -1 if there is no other."""
    kind = shape.kind
    size = shape.size
    start = shape.start
    values = shape.values
    wide = len(shape.wide) > 0
    best = -1
    least = np.inf
    for other in alive:
        if other == group or count[other] == 0:
            continue
        width = width_joined(group, other, low, high, mask, kind, size, start, values)
        number = count[group] + count[other]
        if wide and number * width < least:
            both = np.empty((2, max(count[group], count[other])), np.int32)
            both[0, : count[group]] = rows[rows_of(group, first, following, count[group])]
            both[1, : count[other]] = rows[rows_of(other, first, following, count[other])]
            width += wide_joined(codes, both, 0, count[group], 1, count[other], shape)
        if number * width < least:
            least = number * width
            best = other
    return best


@kernel
def bottom_up(
    codes: Codes,
    rows: NDArray[np.int32],
    group_of: NDArray[np.int32],
    groups: int,
    shape: Shape,
    demand: Demand,
) -> None:
    """Merge groups until each meets the demand.

    Parameters
    ----------
    codes, shape, demand
        The table, and what each group must meet; all rows together must meet it.
    rows
        The rows to group.
    group_of
        In: the group of equal rows each belongs to, ``0 .. groups - 1``. Out: the merged group
        (numbers are not consecutive).
    groups
        Number of groups of equal rows.
    """
    number = len(rows)
    first = np.full(groups, -1, np.int32)
    last = np.full(groups, -1, np.int32)
    following = np.full(number, -1, np.int32)
    count = np.zeros(groups, np.int64)
    for place in range(number):
        group = group_of[place]
        if count[group] == 0:
            first[group] = place
        else:
            following[last[group]] = place
        last[group] = place
        count[group] += 1
    low = np.zeros((groups, len(shape.kind)), np.int32)
    high = np.zeros((groups, len(shape.kind)), np.int32)
    mask = np.zeros((groups, len(shape.kind)), np.uint64)
    one = np.empty((groups, 1), np.int32)
    for group in range(groups):
        one[group, 0] = rows[first[group]]
        group_box(codes, one, group, 1, low, high, mask, shape)
    alive = np.arange(groups).astype(np.int32)
    waiting = True
    while waiting:
        waiting = False
        for group in alive:
            if count[group] == 0 or class_meets(
                demand, rows[rows_of(group, first, following, count[group])]
            ):
                continue
            other = find_partner(
                codes, rows, group, alive, count, first, following, low, high, mask, shape
            )
            if other < 0:
                continue
            waiting = True
            following[last[group]] = first[other]
            last[group] = last[other]
            count[group] += count[other]
            count[other] = 0
            for attribute in range(len(shape.kind)):
                low[group, attribute] = min(low[group, attribute], low[other, attribute])
                high[group, attribute] = max(high[group, attribute], high[other, attribute])
                mask[group, attribute] |= mask[other, attribute]
        alive = alive[count[alive] > 0]
    for index in range(len(alive)):
        group = alive[index]
        for place in rows_of(group, first, following, count[group]):
            group_of[place] = group
