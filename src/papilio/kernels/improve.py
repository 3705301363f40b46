"""Lower the loss of any grouping by moving rows between classes, never raising it.

Two kinds of step, both taken only if the summed loss (rows x width of the box) falls and every
class that changes still meets the demand:

``exchange_rows``
    For each row of a class, the class where it would cost least: it moves there if its own class
    stays large enough, or changes places with a row of one of the classes nearest to it.
``merge_and_divide``
    A class and its nearest neighbours are taken together and divided anew
    (:mod:`papilio.kernels.regroup`), into more, fewer or as many classes.

Classes are visited from the most to the least costly. Nothing is drawn at random, so the result
depends only on the grouping and on which classes are visited.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.boxes import Shape, width_exchanged, width_joined, width_with
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand, class_meets
from papilio.kernels.jit import kernel
from papilio.kernels.regroup import group_box, regroup
from papilio.kernels.wide_sets import wide_joined, wide_width

#: Gains below this are rounding, not improvement.
_LEAST_GAIN = 1e-9
#: Classes nearest to a row with which it may change places.
_PARTNERS = 4
#: Neighbours that are taken together with a class, at most.
_NEIGHBOURS = 4


class Groups(NamedTuple):
    """Classes that can change.

    Attributes
    ----------
    members
        Rows of each class, in the first ``size`` places of a line.
    size
        Number of rows; 0 for a line that is free.
    low, high, mask
        Box of each class.
    width
        Its width.
    """

    members: NDArray[np.int32]
    size: NDArray[np.int64]
    low: NDArray[np.int32]
    high: NDArray[np.int32]
    mask: NDArray[np.uint64]
    width: NDArray[np.float64]


@kernel
def refresh(codes: Codes, groups: Groups, group: int, shape: Shape) -> None:
    """Find the box of a class anew."""
    groups.width[group] = group_box(
        codes,
        groups.members,
        group,
        groups.size[group],
        groups.low,
        groups.high,
        groups.mask,
        shape,
    )


@kernel
def keep_smallest(
    values: NDArray[np.float64], items: NDArray[np.int64], count: int, value: float, item: int
) -> int:
    """Keep the items with the smallest values, ascending; return how many there are."""
    if count == len(values) and value >= values[count - 1]:
        return count
    place = min(count, len(values) - 1)
    while place > 0 and values[place - 1] > value:
        values[place] = values[place - 1]
        items[place] = items[place - 1]
        place -= 1
    values[place] = value
    items[place] = item
    return min(count + 1, len(values))


@kernel
def meets_exchanged(
    demand: Demand, members: NDArray[np.int32], line: int, count: int, without: int, extra: int
) -> bool:
    """Whether a class, without one place and with one more row (-1: none), meets the demand."""
    changed = np.empty(count + 1, np.int32)
    size = 0
    for place in range(count):
        if place != without:
            changed[size] = members[line, place]
            size += 1
    if extra >= 0:
        changed[size] = extra
        size += 1
    return class_meets(demand, changed[:size])


@kernel
def move_row(
    codes: Codes, groups: Groups, source: int, place: int, target: int, shape: Shape
) -> None:
    """Move a row to another class."""
    groups.members[target, groups.size[target]] = groups.members[source, place]
    groups.size[target] += 1
    groups.size[source] -= 1
    groups.members[source, place] = groups.members[source, groups.size[source]]
    refresh(codes, groups, source, shape)
    refresh(codes, groups, target, shape)


@kernel
def swap_rows(
    codes: Codes, groups: Groups, group: int, place: int, other: int, other_place: int, shape: Shape
) -> None:
    """Let two rows change places."""
    row = groups.members[group, place]
    groups.members[group, place] = groups.members[other, other_place]
    groups.members[other, other_place] = row
    refresh(codes, groups, group, shape)
    refresh(codes, groups, other, shape)


@kernel
def find_places(
    codes: Codes,
    groups: Groups,
    group: int,
    place: int,
    freed: float,
    shape: Shape,
    demand: Demand,
    partners: NDArray[np.int64],
) -> tuple[int, float, int]:
    """Where a row would cost least.

    Parameters
    ----------
    codes, groups, shape, demand
        The classes.
    group, place
        The row.
    freed
        What its class would gain if the row left; not positive if it may not.
    partners
        Output: the classes that would grow least, nearest first.

    Returns
    -------
    target, gain, known
        The class to which moving the row gains most (-1: none) and by how much; how many
        partners there are.
    """
    members = groups.members
    count = groups.size
    width = groups.width
    low = groups.low
    high = groups.high
    mask = groups.mask
    kind = shape.kind
    size = shape.size
    start = shape.start
    values = shape.values
    wide = len(shape.wide) > 0
    row = members[group, place]
    capacity = members.shape[1]
    growths = np.empty(len(partners))
    known = 0
    target = -1
    best = _LEAST_GAIN
    for other in range(len(count)):
        if other == group or count[other] == 0:
            continue
        wider = width_with(codes, row, other, low, high, mask, kind, size, start, values)
        if wide:
            wider += wide_width(codes, members, other, count[other], -1, row, shape)
        gain = freed - ((count[other] + 1) * wider - count[other] * width[other])
        if (
            gain > best
            and count[other] < capacity
            and meets_exchanged(demand, members, other, count[other], -1, row)
        ):
            best = gain
            target = other
        growth = count[other] * (wider - width[other])
        known = keep_smallest(growths, partners, known, growth, other)
    return target, best, known


@kernel
def find_partner(
    codes: Codes,
    groups: Groups,
    group: int,
    place: int,
    partners: NDArray[np.int64],
    known: int,
    least: float,
    shape: Shape,
    demand: Demand,
) -> tuple[int, int, float]:
    """Find the row, in one of some classes, with which changing places gains most.

    Returns its class (-1: none gains more than ``least``), its place there, and the gain.
    """
    members = groups.members
    kind = shape.kind
    size = shape.size
    start = shape.start
    values = shape.values
    wide = len(shape.wide) > 0
    count = groups.size[group]
    row = members[group, place]
    partner = -1
    partner_place = -1
    best = least
    for index in range(known):
        other = partners[index]
        number = groups.size[other]
        before = count * groups.width[group] + number * groups.width[other]
        for other_place in range(number):
            stranger = members[other, other_place]
            mine = count * width_exchanged(
                codes, members, group, count, place, stranger, kind, size, start, values
            )
            if wide:
                mine += count * wide_width(codes, members, group, count, place, stranger, shape)
            if before - mine <= best:
                continue
            theirs = number * width_exchanged(
                codes, members, other, number, other_place, row, kind, size, start, values
            )
            if wide:
                theirs += number * wide_width(
                    codes, members, other, number, other_place, row, shape
                )
            if (
                before - mine - theirs > best
                and meets_exchanged(demand, members, group, count, place, stranger)
                and meets_exchanged(demand, members, other, number, other_place, row)
            ):
                best = before - mine - theirs
                partner = other
                partner_place = other_place
    return partner, partner_place, best


@kernel
def exchange_row(
    codes: Codes, groups: Groups, group: int, place: int, shape: Shape, demand: Demand
) -> tuple[float, bool]:
    """Take the best step for one row; return what it gains (0: none) and whether the row left."""
    count = groups.size[group]
    if count < 2:
        return 0.0, False
    width = groups.width[group]
    thinner = width_exchanged(
        codes,
        groups.members,
        group,
        count,
        place,
        -1,
        shape.kind,
        shape.size,
        shape.start,
        shape.values,
    )
    if len(shape.wide) > 0:
        thinner += wide_width(codes, groups.members, group, count, place, -1, shape)
    may_leave = meets_exchanged(demand, groups.members, group, count, place, -1)
    # Changing places helps only a row that makes its class wider than it would be without it.
    stretches = thinner < width - _LEAST_GAIN
    if not may_leave and not stretches:
        return 0.0, False
    freed = count * width - (count - 1) * thinner if may_leave else -1.0
    partners = np.empty(_PARTNERS, np.int64)
    target, gain, known = find_places(codes, groups, group, place, freed, shape, demand, partners)
    if stretches:
        partner, partner_place, more = find_partner(
            codes, groups, group, place, partners, known, gain, shape, demand
        )
        if partner >= 0:
            swap_rows(codes, groups, group, place, partner, partner_place, shape)
            return more, False
    if target >= 0:
        move_row(codes, groups, group, place, target, shape)
        return gain, True
    return 0.0, False


@kernel
def exchange_rows(
    codes: Codes, groups: Groups, visit: NDArray[np.int64], shape: Shape, demand: Demand
) -> float:
    """Visit classes and take the best step for each of their rows; return the total gain."""
    total = 0.0
    for index in range(len(visit)):
        group = visit[index]
        place = 0
        while groups.width[group] > 0.0 and place < groups.size[group]:
            gain, left = exchange_row(codes, groups, group, place, shape, demand)
            total += gain
            place += not left
    return total


@kernel
def nearest_classes(
    codes: Codes, groups: Groups, group: int, shape: Shape
) -> tuple[NDArray[np.int64], int]:
    """Classes whose boxes grow least when joined with that of ``group``, nearest first."""
    members = groups.members
    count = groups.size
    width = groups.width
    low = groups.low
    high = groups.high
    mask = groups.mask
    kind = shape.kind
    size = shape.size
    start = shape.start
    values = shape.values
    wide = len(shape.wide) > 0
    found = np.empty(_NEIGHBOURS, np.int64)
    growths = np.empty(_NEIGHBOURS)
    known = 0
    for other in range(len(count)):
        if other == group or count[other] == 0:
            continue
        joined = width_joined(group, other, low, high, mask, kind, size, start, values)
        if wide:
            joined += wide_joined(codes, members, group, count[group], other, count[other], shape)
        growth = joined - max(width[group], width[other])
        known = keep_smallest(growths, found, known, growth, other)
    return found, known


@kernel
def together(
    groups: Groups, group: int, others: NDArray[np.int64], count: int
) -> tuple[NDArray[np.int32], float]:
    """Rows of a class and of the first ``count`` others, and what they cost now."""
    number = groups.size[group]
    cost = number * groups.width[group]
    for index in range(count):
        number += groups.size[others[index]]
        cost += groups.size[others[index]] * groups.width[others[index]]
    rows = np.empty(number, np.int32)
    filled = groups.size[group]
    rows[:filled] = groups.members[group, :filled]
    for index in range(count):
        more = groups.size[others[index]]
        rows[filled : filled + more] = groups.members[others[index], :more]
        filled += more
    return rows, cost


@kernel
def find_lines(
    groups: Groups, group: int, others: NDArray[np.int64], count: int, wanted: int
) -> NDArray[np.int64]:
    """Lines of the classes taken together, and as many free ones as are needed and there are."""
    lines = np.empty(max(wanted, count + 1), np.int64)
    lines[0] = group
    lines[1 : count + 1] = others[:count]
    filled = count + 1
    line = len(groups.size) - 1
    while filled < wanted and line >= 0:
        if groups.size[line] == 0:
            lines[filled] = line
            filled += 1
        line -= 1
    return lines[:filled]


@kernel
def put_back(
    codes: Codes,
    groups: Groups,
    lines: NDArray[np.int64],
    rows: NDArray[np.int32],
    group_of: NDArray[np.int64],
    shape: Shape,
) -> None:
    """Write groups of rows into lines; lines beyond the number of groups become free."""
    for line in lines:
        groups.size[line] = 0
        groups.width[line] = 0.0
    for place in range(len(rows)):
        line = lines[group_of[place]]
        groups.members[line, groups.size[line]] = rows[place]
        groups.size[line] += 1
    for line in lines:
        if groups.size[line] > 0:
            refresh(codes, groups, line, shape)


@kernel
def fits(group_of: NDArray[np.int64], groups: int, capacity: int) -> bool:
    """Whether no group is larger than a line can hold."""
    counts = np.zeros(groups, np.int64)
    for group in group_of:
        counts[group] += 1
    return bool(counts.max() <= capacity)


@kernel
def merge_and_divide(
    codes: Codes, groups: Groups, visit: NDArray[np.int64], shape: Shape, demand: Demand
) -> float:
    """Visit classes, take each together with neighbours and divide anew; return the total gain."""
    total = 0.0
    capacity = groups.members.shape[1]
    for index in range(len(visit)):
        group = visit[index]
        if groups.size[group] == 0 or groups.width[group] <= 0.0:
            continue
        others, known = nearest_classes(codes, groups, group, shape)
        best = _LEAST_GAIN
        best_count = -1
        best_groups = 0
        best_of = np.empty(0, np.int64)
        best_rows = np.empty(0, np.int32)
        for count in range(known + 1):
            rows, cost = together(groups, group, others, count)
            group_of = np.empty(len(rows), np.int64)
            for first in (0, len(rows) - 1):
                made, now = regroup(codes, rows, first, shape, demand, group_of)
                if cost - now > best and fits(group_of, made, capacity):
                    best = cost - now
                    best_count = count
                    best_groups = made
                    best_of = group_of.copy()
                    best_rows = rows
        if best_count >= 0:
            lines = find_lines(groups, group, others, best_count, best_groups)
            if len(lines) >= best_groups:
                put_back(codes, groups, lines, best_rows, best_of, shape)
                total += best
    return total
