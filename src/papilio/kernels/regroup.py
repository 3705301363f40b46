"""Divide a few rows into groups that each meet a demand, greedily and tightly.

This is k-member clustering (Byun, Kamra, Bertino, Li, DASFAA 2007) with the width of the box as
the cost: a group starts with the row farthest from where the last one started and takes, one
after the other, the row that widens its box least, until it meets the demand; rows that are left
over join the group that suffers least. The first of several equally good rows or groups is taken.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import SET, TREE
from papilio.kernels.boxes import Shape, find_box, span_width, width_with
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand, class_meets
from papilio.kernels.jit import kernel
from papilio.kernels.wide_sets import wide_distance, wide_width


@kernel
def group_box(
    codes: Codes,
    members: NDArray[np.int32],
    line: int,
    count: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    mask: NDArray[np.uint64],
    shape: Shape,
) -> float:
    """Write the box of a group and return its whole width."""
    width = find_box(
        codes, members, line, count, low, high, mask,
        shape.kind, shape.size, shape.start, shape.values,
    )  # fmt: skip
    if len(shape.wide) > 0:
        width += wide_width(codes, members, line, count, -1, -1, shape)
    return width


@kernel
def farthest(
    codes: Codes,
    rows: NDArray[np.int32],
    from_place: int,
    group_of: NDArray[np.int64],
    shape: Shape,
) -> int:
    """Place of the free row farthest from the row at a place: widest box of the two."""
    kind = shape.kind
    size = shape.size
    start = shape.start
    values = shape.values
    best = -1
    most = -1.0
    for place in range(len(rows)):
        if group_of[place] >= 0:
            continue
        far = 0.0
        for attribute in range(len(kind)):
            one = codes[rows[place], attribute]
            other = codes[rows[from_place], attribute]
            if kind[attribute] == SET:
                far += (one != other) * values[start[attribute]]
            elif kind[attribute] <= TREE:
                far += span_width(
                    kind[attribute],
                    size[attribute],
                    start[attribute],
                    values,
                    min(one, other),
                    max(one, other),
                )
        if len(shape.wide) > 0:
            far += wide_distance(codes, rows[place], rows[from_place], shape)
        if far > most:
            most = far
            best = place
    return best


@kernel
def nearest(
    codes: Codes,
    rows: NDArray[np.int32],
    group_of: NDArray[np.int64],
    members: NDArray[np.int32],
    line: int,
    count: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    mask: NDArray[np.uint64],
    shape: Shape,
) -> int:
    """Place of the free row that widens a group least, or -1 if none is free."""
    kind = shape.kind
    size = shape.size
    start = shape.start
    values = shape.values
    wide = len(shape.wide) > 0
    best = -1
    least = np.inf
    for place in range(len(rows)):
        if group_of[place] < 0:
            width = width_with(codes, rows[place], line, low, high, mask, kind, size, start, values)
            if wide:
                width += wide_width(codes, members, line, count, -1, rows[place], shape)
            if width < least:
                least = width
                best = place
    return best


@kernel
def cheapest(
    codes: Codes,
    row: int,
    members: NDArray[np.int32],
    counts: NDArray[np.int64],
    widths: NDArray[np.float64],
    groups: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    mask: NDArray[np.uint64],
    shape: Shape,
) -> int:
    """Group whose cost grows least when ``row`` joins it."""
    kind = shape.kind
    size = shape.size
    start = shape.start
    values = shape.values
    wide = len(shape.wide) > 0
    best = 0
    least = np.inf
    for line in range(groups):
        wider = width_with(codes, row, line, low, high, mask, kind, size, start, values)
        if wide:
            wider += wide_width(codes, members, line, counts[line], -1, row, shape)
        growth = (counts[line] + 1) * wider - counts[line] * widths[line]
        if growth < least:
            least = growth
            best = line
    return best


@kernel
def regroup(
    codes: Codes,
    rows: NDArray[np.int32],
    first: int,
    shape: Shape,
    demand: Demand,
    group_of: NDArray[np.int64],
) -> tuple[int, float]:
    """Divide ``rows`` into groups that each meet the demand.

    Parameters
    ----------
    codes, shape, demand
        The table, and what each group must meet; all rows together must meet it.
    rows
        The rows to divide.
    first
        Place in ``rows`` of the first group's first row.
    group_of
        Output: the group of each place; all 0 if they can only stay together.

    Returns
    -------
    groups, cost
        How many groups there are, and the sum over groups of rows times width.

    Notes
    -----
    Cost: O(m² d) for m rows and d attributes.
    """
    number = len(rows)
    least = max(demand.least_size, 1)
    most = max(number // least, 1)
    low = np.zeros((most, len(shape.kind)), np.int32)
    high = np.zeros((most, len(shape.kind)), np.int32)
    mask = np.zeros((most, len(shape.kind)), np.uint64)
    members = np.zeros((most, number), np.int32)
    counts = np.zeros(most, np.int64)
    widths = np.zeros(most)
    group_of[:] = -1
    left = number
    groups = 0
    seed = first
    while groups < most and left >= least:
        if groups > 0:
            seed = farthest(codes, rows, seed, group_of, shape)
        place = seed
        count = 0
        met = False
        while not met and place >= 0:
            members[groups, count] = rows[place]
            count += 1
            group_of[place] = groups
            widths[groups] = group_box(codes, members, groups, count, low, high, mask, shape)
            met = count >= least and class_meets(demand, members[groups, :count])
            if not met:
                place = nearest(
                    codes, rows, group_of, members, groups, count, low, high, mask, shape
                )
        if not met:
            # The free rows together do not meet the demand: they join the groups there are.
            group_of[group_of == groups] = -1
            break
        counts[groups] = count
        left -= count
        groups += 1
    for place in range(number):
        if group_of[place] < 0 and groups > 0:
            best = cheapest(
                codes, rows[place], members, counts, widths, groups, low, high, mask, shape
            )
            members[best, counts[best]] = rows[place]
            counts[best] += 1
            group_of[place] = best
            widths[best] = group_box(codes, members, best, counts[best], low, high, mask, shape)
    together = groups <= 1
    cost = 0.0
    for group in range(groups):
        # A row that joined late may have broken what the group met before.
        together = together or not class_meets(demand, members[group, : counts[group]])
        cost += counts[group] * widths[group]
    if together:
        group_of[:] = 0
        members[0, :number] = rows
        width = group_box(codes, members, 0, number, low, high, mask, shape)
        return 1, number * width
    return groups, cost
