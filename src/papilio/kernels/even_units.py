"""Units: small classes of nearly the least size, for the first level of a two-level scheme.

A cut leaves a multiple of the least size on the left, as near to the middle as possible, so that
almost every unit has exactly the least size. What follows puts units together again; the smaller
they are, the less is lost by their being indivisible. The attribute after whose cut least is lost
on all attributes is cut; rows with equal codes on it go by the next best attribute, and so on, at
last by random keys. Rows that are all equal are not cut.

Source of the use: Pei et al., "Butterfly", TR 2008-18, section 5.2 (its first step).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import (
    SET,
    TREE,
    Attributes,
    range_width,
    set_width,
    tree_width,
)
from papilio.kernels.codes import Codes
from papilio.kernels.jit import kernel
from papilio.kernels.lines import divide_lines
from papilio.kernels.waiting import add_halves, new_waiting


@kernel
def first_lines(
    codes: Codes,
    rows: NDArray[np.int32],
    low: int,
    high: int,
    wanted: int,
    order: NDArray[np.int64],
    keys: NDArray[np.uint64],
) -> NDArray[np.bool_]:
    """Which lines are the first ``wanted``, comparing attributes in the given order, then keys."""
    left = np.zeros(high - low, np.bool_)
    tied = np.arange(low, high)
    for attribute in order:
        mine = np.empty(len(tied), np.int64)
        for place in range(len(tied)):
            mine[place] = codes[tied[place], attribute]
        last = np.sort(mine)[wanted - 1]
        kept = 0
        for place in range(len(tied)):
            if mine[place] < last:
                left[tied[place] - low] = True
                wanted -= 1
            elif mine[place] == last:
                tied[kept] = tied[place]
                kept += 1
        tied = tied[:kept]
        if kept == wanted:
            break
    if len(tied) > wanted:
        tied = tied[np.argsort(keys[rows[tied]])]
    left[tied[:wanted] - low] = True
    return left


@kernel
def side_width(
    codes: Codes,
    rows: NDArray[np.int32],
    places: NDArray[np.int64],
    attribute: int,
    attributes: Attributes,
    lows: Codes,
    highs: Codes,
    seen: NDArray[np.int64],
) -> float:
    """Width of an attribute over some lines, or over the boxes they stand for.

    ``seen`` is left all zero. Boxes on set attributes count by their middles only.
    """
    if attributes.kind[attribute] == SET:
        distinct = 0
        for place in places:
            distinct += seen[codes[place, attribute]] == 0
            seen[codes[place, attribute]] = 1
        for place in places:
            seen[codes[place, attribute]] = 0
        return set_width(attributes, attribute, distinct)
    smallest = np.int64(2**31)
    largest = np.int64(-1)
    for place in places:
        if len(lows) > 0:
            smallest = min(smallest, np.int64(lows[rows[place], attribute]))
            largest = max(largest, np.int64(highs[rows[place], attribute]))
        else:
            smallest = min(smallest, np.int64(codes[place, attribute]))
            largest = max(largest, np.int64(codes[place, attribute]))
    if smallest == largest:
        return 0.0
    if attributes.kind[attribute] == TREE:
        return tree_width(attributes, attribute, int(smallest), int(largest))
    return range_width(attributes, attribute, int(smallest), int(largest))


@kernel
def loss_after(
    codes: Codes,
    rows: NDArray[np.int32],
    low: int,
    high: int,
    attribute: int,
    wanted: int,
    attributes: Attributes,
    lows: Codes,
    highs: Codes,
    seen: NDArray[np.int64],
) -> float:
    """What lines lose on all attributes once the first ``wanted`` by one of them stand apart.

    The sum over the lines; infinite if all codes of the attribute are equal.
    """
    number = high - low
    mine = np.empty(number, np.int64)
    for line in range(low, high):
        mine[line - low] = codes[line, attribute]
    order = np.argsort(mine, kind="mergesort")
    if mine[order[0]] == mine[order[-1]]:
        return np.inf
    order += low
    loss = 0.0
    for each in range(len(attributes.kind)):
        left = side_width(codes, rows, order[:wanted], each, attributes, lows, highs, seen)
        right = side_width(codes, rows, order[wanted:], each, attributes, lows, highs, seen)
        loss += wanted * left + (number - wanted) * right
    return loss


@kernel
def weight_of(rows: NDArray[np.int32], begin: int, end: int, weights: NDArray[np.int64]) -> int:
    """Weight of the lines ``begin .. end - 1``."""
    if len(weights) == 0:
        return end - begin
    total = 0
    for line in range(begin, end):
        total += weights[rows[line]]
    return total


@kernel
def even_units(
    codes: Codes,
    words: NDArray[np.int64],
    rows: NDArray[np.int32],
    spare_words: NDArray[np.int64],
    spare_rows: NDArray[np.int32],
    attributes: Attributes,
    least: int,
    weights: NDArray[np.int64],
    lows: Codes,
    highs: Codes,
    keys: NDArray[np.uint64],
) -> NDArray[np.int64]:
    """Cut lines into parts of at least ``least`` in weight; return where they start, and the end.

    Parameters
    ----------
    codes, words, rows, spare_words, spare_rows, attributes
        As for :func:`papilio.kernels.mondrian.mondrian`; lines are rearranged.
    least
        Least weight of a part; all lines together weigh as much.
    weights
        Weight of each row; none for 1 each.
    lows, highs
        Smallest and largest code of each row on each attribute, if rows stand for boxes; else none.
    keys
        A random key per row; decides between rows that are equal on all attributes.

    Notes
    -----
    Cost: O(n d (d + log n) log n) time.
    """
    number = len(rows)
    starts_part = np.zeros(number, np.bool_)
    loss = np.empty(len(attributes.kind))
    seen = np.zeros(attributes.size.max(), np.int64)
    waiting = new_waiting(0, number)
    length = 1
    while length > 0:
        length -= 1
        begin = waiting[length, 0]
        end = waiting[length, 1]
        total = weight_of(rows, begin, end, weights)
        # As many lines as a part needs if all weigh the same.
        needed = -(-least * (end - begin) // total)
        if total < 2 * least or end - begin < 2 * needed:
            starts_part[begin] = True
            continue
        wanted = (end - begin) // needed // 2 * needed
        for attribute in range(len(loss)):
            loss[attribute] = loss_after(
                codes, rows, begin, end, attribute, wanted, attributes, lows, highs, seen
            )
        if loss.min() == np.inf:
            starts_part[begin] = True
            continue
        order = np.argsort(loss, kind="mergesort")
        left = first_lines(codes, rows, begin, end, wanted, order, keys)
        middle = divide_lines(words, rows, spare_words, spare_rows, begin, end, left)
        heavy = weight_of(rows, begin, middle, weights)
        if heavy >= least and total - heavy >= least:
            length = add_halves(waiting, length, begin, middle, end)
        else:
            starts_part[begin] = True
    return np.append(np.flatnonzero(starts_part), number)


@kernel
def unit_boxes(codes: Codes, starts: NDArray[np.int64]) -> tuple[Codes, Codes]:
    """Smallest and largest code of each unit on each attribute."""
    lows = np.empty((len(starts) - 1, codes.shape[1]), codes.dtype)
    highs = np.empty((len(starts) - 1, codes.shape[1]), codes.dtype)
    for unit in range(len(starts) - 1):
        for attribute in range(codes.shape[1]):
            smallest = codes[starts[unit], attribute]
            largest = smallest
            for line in range(starts[unit], starts[unit + 1]):
                smallest = min(smallest, codes[line, attribute])
                largest = max(largest, codes[line, attribute])
            lows[unit, attribute] = smallest
            highs[unit, attribute] = largest
    return lows, highs


@kernel
def middle_codes(codes: Codes, starts: NDArray[np.int64]) -> Codes:
    """Give every line the code halfway between the smallest and largest of its unit."""
    lows, highs = unit_boxes(codes, starts)
    middles = np.empty_like(codes)
    for unit in range(len(starts) - 1):
        for line in range(starts[unit], starts[unit + 1]):
            for attribute in range(codes.shape[1]):
                low = lows[unit, attribute]
                middles[line, attribute] = low + (highs[unit, attribute] - low) // 2
    return middles
