"""Join rows that are equal for all recipients together into groups of a least size.

Given a block whose wings are built, two rows are in the same *group* if they are in the same
class of every wing. A group that is too small moves, as a whole, into the classes of another
group, whichever adds least to the loss; no class may fall below what is demanded of it.

Boxes of classes that rows have left are not shrunk while rows move, so costs are upper estimates.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import TREE
from papilio.kernels.bits import count_bits
from papilio.kernels.boxes import span_width
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand, class_meets
from papilio.kernels.jit import kernel

#: How many targets are tried for a group before the block is given up.
TRIES = 8
_ONE = np.uint64(1)


@kernel
def class_boxes(
    codes: Codes,
    labels: NDArray[np.int64],
    owner: NDArray[np.int64],
    kind: NDArray[np.int8],
    count: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64]]:
    """Smallest code, largest code and set of codes of each class on each attribute of its wing."""
    low = np.full((count, len(kind)), 2**31, np.int64)
    high = np.full((count, len(kind)), -1, np.int64)
    mask = np.zeros((count, len(kind)), np.uint64)
    for attribute in range(len(kind)):
        for line in range(len(codes)):
            group = labels[owner[attribute], line]
            code = np.int64(codes[line, attribute])
            if kind[attribute] <= TREE:
                low[group, attribute] = min(low[group, attribute], code)
                high[group, attribute] = max(high[group, attribute], code)
            else:
                mask[group, attribute] |= _ONE << np.uint64(code)
    return low, high, mask


@kernel
def widened(
    target: int,
    low_there: NDArray[np.int64],
    high_there: NDArray[np.int64],
    mask_there: NDArray[np.uint64],
    wing: int,
    owner: NDArray[np.int64],
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    mask: NDArray[np.uint64],
    kind: NDArray[np.int8],
    size: NDArray[np.int64],
    start: NDArray[np.int64],
    values: NDArray[np.float64],
) -> float:
    """Width of a class's box once it covers another box too."""
    width = 0.0
    for attribute in range(len(kind)):
        if owner[attribute] != wing:
            continue
        if kind[attribute] <= TREE:
            smallest = min(low[target, attribute], low_there[attribute])
            largest = max(high[target, attribute], high_there[attribute])
            width += span_width(
                kind[attribute], size[attribute], start[attribute], values, smallest, largest
            )
        else:
            word = mask[target, attribute] | mask_there[attribute]
            width += (count_bits(word) - 1) * values[start[attribute]]
    return width


@kernel
def keeps_demand(
    demand: Demand,
    rows: NDArray[np.int32],
    labels: NDArray[np.int64],
    group_of: NDArray[np.int64],
    group: int,
    source: int,
    target: int,
    wing: int,
) -> bool:
    """Whether both classes of a wing meet the demand once a group has moved."""
    left = np.empty(len(rows), np.int32)
    joined = np.empty(len(rows), np.int32)
    stay = 0
    come = 0
    for line in range(len(rows)):
        moves = group_of[line] == group
        if labels[wing, line] == source and not moves:
            left[stay] = rows[line]
            stay += 1
        elif moves or labels[wing, line] == target:
            joined[come] = rows[line]
            come += 1
    return class_meets(demand, left[:stay]) and class_meets(demand, joined[:come])


@kernel
def lists_of(
    group_of: NDArray[np.int64], groups: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The lines of each group as a chain: its first line, the line after each, and how many."""
    first = np.full(groups, -1, np.int64)
    following = np.full(len(group_of), -1, np.int64)
    members = np.zeros(groups, np.int64)
    for line in range(len(group_of) - 1, -1, -1):
        group = group_of[line]
        following[line] = first[group]
        first[group] = line
        members[group] += 1
    return first, following, members


@kernel
def join_small(
    codes: Codes,
    rows: NDArray[np.int32],
    labels: NDArray[np.int64],
    classes: int,
    group_of: NDArray[np.int64],
    groups: int,
    least: int,
    owner: NDArray[np.int64],
    kind: NDArray[np.int8],
    size: NDArray[np.int64],
    start: NDArray[np.int64],
    values: NDArray[np.float64],
    demand: Demand,
) -> bool:
    """Join groups until each has ``least`` lines; say whether that was possible.

    Parameters
    ----------
    codes, rows
        The block, on the attributes of all wings, and its source row numbers.
    labels
        Class of each line in each wing; classes of different wings have different numbers.
        Changed in place.
    classes
        Number of classes of all wings.
    group_of, groups
        Group of each line and their number. Changed in place.
    least
        Least size of a group.
    owner
        Wing of each attribute.
    kind, size, start, values
        The attributes as in :class:`papilio.kernels.boxes.Shape`; none is ``WIDE``.
    demand
        What each class must go on to meet.

    Notes
    -----
    Cost: O(s (c d + g)) time for s small groups among g, and c classes.
    """
    wings = len(labels)
    low, high, mask = class_boxes(codes, labels, owner, kind, classes)
    many = np.zeros(classes, np.int64)
    wing_of = np.zeros(classes, np.int64)
    for wing in range(wings):
        for line in range(len(rows)):
            many[labels[wing, line]] += 1
            wing_of[labels[wing, line]] = wing
    first, following, members = lists_of(group_of, groups)
    of_group = np.zeros((groups, wings), np.int64)
    for group in range(groups):
        of_group[group] = labels[:, first[group]]
    box_low = np.full(len(kind), 2**31, np.int64)
    box_high = np.full(len(kind), -1, np.int64)
    box_mask = np.zeros(len(kind), np.uint64)
    width = np.zeros(classes)
    for each in range(classes):
        width[each] = widened(
            each, box_low, box_high, box_mask, wing_of[each],
            owner, low, high, mask, kind, size, start, values,
        )  # fmt: skip
    wide = np.zeros(classes)
    cost = np.empty(groups)
    for group in range(groups):
        moving = members[group]
        if moving == 0 or moving >= least:
            continue
        box_low[:] = 2**31
        box_high[:] = -1
        box_mask[:] = np.uint64(0)
        line = first[group]
        while line >= 0:
            for attribute in range(len(kind)):
                code = np.int64(codes[line, attribute])
                box_low[attribute] = min(box_low[attribute], code)
                box_high[attribute] = max(box_high[attribute], code)
                if kind[attribute] > TREE:
                    box_mask[attribute] |= _ONE << np.uint64(code)
            line = following[line]
        for each in range(classes):
            wide[each] = widened(
                each, box_low, box_high, box_mask, wing_of[each],
                owner, low, high, mask, kind, size, start, values,
            )  # fmt: skip
        for other in range(groups):
            cost[other] = np.inf
            if other == group or members[other] == 0:
                continue
            added = 0.0
            for wing in range(wings):
                source = of_group[group, wing]
                target = of_group[other, wing]
                if source == target:
                    continue
                if many[source] - moving < demand.least_size:
                    added = np.inf
                    break
                added += (many[target] + moving) * wide[target]
                added -= many[target] * width[target] + moving * width[source]
            cost[other] = added
        chosen = -1
        for _ in range(TRIES):
            best = int(np.argmin(cost))
            if cost[best] == np.inf:
                break
            allowed = True
            if len(demand.rules) > 0:
                for wing in range(wings):
                    source = of_group[group, wing]
                    target = of_group[best, wing]
                    allowed = allowed and (
                        source == target
                        or keeps_demand(demand, rows, labels, group_of, group, source, target, wing)
                    )
            if allowed:
                chosen = best
                break
            cost[best] = np.inf
        if chosen < 0:
            return False
        for wing in range(wings):
            source = of_group[group, wing]
            target = of_group[chosen, wing]
            if source == target:
                continue
            width[target] = wide[target]
            many[source] -= moving
            many[target] += moving
            for attribute in range(len(kind)):
                if owner[attribute] == wing:
                    low[target, attribute] = min(low[target, attribute], box_low[attribute])
                    high[target, attribute] = max(high[target, attribute], box_high[attribute])
                    mask[target, attribute] |= box_mask[attribute]
        line = first[group]
        last = line
        while line >= 0:
            group_of[line] = chosen
            labels[:, line] = of_group[chosen]
            last = line
            line = following[line]
        following[last] = first[chosen]
        first[chosen] = first[group]
        members[chosen] += moving
        members[group] = 0
    return bool(((members == 0) | (members >= least)).all())
