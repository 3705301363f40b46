"""Bottom-up local recoding on integer codes.

Source: Xu, Wang, Pei, Wang, Shi, Fu, "Utility-based anonymization using local recoding", KDD 2006,
the bottom-up method, which the hybrid recoding paper uses for its local phase. Groups start as
single rows; each group that does not meet the demand yet is merged with the group for which the
NCP of both together, (rows) x (width of the joint box), is smallest; rounds go on until all groups
meet the demand. Groups that could be divided again are, by :mod:`papilio.kernels.regroup`.

Departures: equal rows start as one group, since joining them costs nothing; and the paper does not
say how a group of 2k rows and more is divided. Ties: the group that stands first.

Cost: O(m² d) time for m distinct rows and d attributes.

:func:`join_rest` joins what another method could not put into a class.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import SET
from papilio.kernels.boxes import Shape, width_joined
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand, class_meets
from papilio.kernels.jit import kernel
from papilio.kernels.regroup import group_box
from papilio.kernels.wide_sets import wide_joined

#: Groups nearest to what is left that are tried before it takes the nearest, met or not.
_TRIES = 64


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


@kernel
def width_of_rows(codes: Codes, items: NDArray[np.int32], shape: Shape) -> float:
    """Width of the box around some items, of which equal ones may stand next to each other."""
    members = np.empty((1, len(items)), np.int32)
    count = 0
    for item in items:
        if count == 0 or members[0, count - 1] != item:
            members[0, count] = item
            count += 1
    low = np.empty((1, len(shape.kind)), np.int32)
    high = np.empty((1, len(shape.kind)), np.int32)
    mask = np.empty((1, len(shape.kind)), np.uint64)
    return group_box(codes, members, 0, count, low, high, mask, shape)


@kernel
def boxes_of(
    codes: Codes, own: NDArray[np.int32], starts: NDArray[np.int64], shape: Shape
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint64], NDArray[np.float64]]:
    """Boxes of groups of items that lie next to each other, and their widths."""
    groups = len(starts) - 1
    low = np.zeros((groups, len(shape.kind)), np.int32)
    high = np.zeros((groups, len(shape.kind)), np.int32)
    mask = np.zeros((groups, len(shape.kind)), np.uint64)
    width = np.empty(groups)
    member = np.empty((groups, 1), np.int32)
    for group in range(groups):
        member[group, 0] = own[starts[group]]
        group_box(codes, member, group, 1, low, high, mask, shape)
        for place in range(starts[group] + 1, starts[group + 1]):
            for attribute in range(len(shape.kind)):
                code = codes[own[place], attribute]
                low[group, attribute] = min(low[group, attribute], code)
                high[group, attribute] = max(high[group, attribute], code)
                if shape.kind[attribute] == SET:
                    mask[group, attribute] |= np.uint64(1) << np.uint64(code)
        width[group] = width_of_rows(codes, own[starts[group] : starts[group + 1]], shape)
    return low, high, mask, width


@kernel
def join_rest(
    codes: Codes,
    items: NDArray[np.int32],
    rows: NDArray[np.int32],
    starts: NDArray[np.int64],
    settled: int,
    shape: Shape,
    demand: Demand,
) -> NDArray[np.int64]:
    """Join each group that does not meet the demand to the group that grows least by it.

    By growth is meant what rows times width of both together is above that of the other group
    alone. Of the groups nearest in this sense the first is taken with which it meets the demand;
    if none of the nearest will do, the nearest, and it is joined again.

    Parameters
    ----------
    codes, items
        Codes of items, and the item of each row.
    rows, starts
        Rows, group after group; all together meet the demand, or some groups may not in the end.
    settled
        How many groups meet it; those after them do not.
    shape, demand
        What the codes mean, and what each group must meet.

    Returns
    -------
    NDArray
        The group that each group has become a part of.

    Notes
    -----
    Cost: O(g d) for each group that does not meet the demand, of g groups.
    """
    groups = len(starts) - 1
    first = np.empty(groups, np.int32)
    last = np.empty(groups, np.int32)
    following = np.full(len(rows), -1, np.int32)
    count = np.empty(groups, np.int64)
    own = items[rows]
    low, high, mask, width = boxes_of(codes, own, starts, shape)
    into = np.arange(groups)
    for group in range(groups):
        count[group] = starts[group + 1] - starts[group]
        first[group] = starts[group]
        last[group] = starts[group + 1] - 1
        for place in range(starts[group], starts[group + 1] - 1):
            following[place] = place + 1
    growth = np.empty(groups)
    wide = len(shape.wide) > 0
    for group in range(settled, groups):
        if into[group] != group:
            continue  # It is a part of another one by now.
        while not class_meets(demand, rows[rows_of(group, first, following, count[group])]):
            mine = rows_of(group, first, following, count[group])
            for other in range(groups):
                growth[other] = np.inf
                if other == group or into[other] != other:
                    continue
                both = width_joined(
                    group, other, low, high, mask, shape.kind, shape.size, shape.start,
                    shape.values,
                )  # fmt: skip
                if wide:
                    pair = np.empty((2, max(count[group], count[other])), np.int32)
                    pair[0, : count[group]] = own[mine]
                    theirs = rows_of(other, first, following, count[other])
                    pair[1, : count[other]] = own[theirs]
                    both += wide_joined(codes, pair, 0, count[group], 1, count[other], shape)
                growth[other] = both * (count[group] + count[other]) - width[other] * count[other]
            nearest = int(np.argmin(growth))
            if growth[nearest] == np.inf:
                break
            partner = nearest
            met = False
            for _ in range(_TRIES):
                theirs = rows_of(partner, first, following, count[partner])
                met = class_meets(demand, rows[np.concatenate((mine, theirs))])
                if met:
                    break
                growth[partner] = np.inf
                partner = int(np.argmin(growth))
                if growth[partner] == np.inf:
                    break
            if not met:
                partner = nearest
            theirs = rows_of(partner, first, following, count[partner])
            both_items = own[np.concatenate((mine, theirs))]
            width[group] = width_of_rows(codes, both_items, shape)
            following[last[group]] = first[partner]
            last[group] = last[partner]
            count[group] += count[partner]
            into[partner] = group
            for attribute in range(len(shape.kind)):
                low[group, attribute] = min(low[group, attribute], low[partner, attribute])
                high[group, attribute] = max(high[group, attribute], high[partner, attribute])
                mask[group, attribute] |= mask[partner, attribute]
    for group in range(groups):
        while into[into[group]] != into[group]:
            into[group] = into[into[group]]
    return into
