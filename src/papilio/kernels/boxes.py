"""Boxes of groups of rows: what the smallest cells cover, and how wide they are together.

Groups lie in the lines of shared arrays: ``members[line, :count]`` are the rows of a group, and
``low``, ``high`` and ``mask`` hold its box: per attribute the smallest and largest code or, for set
attributes of at most 64 values, the codes that occur as the bits of a word. Larger sets
(``WIDE``) have no compact form; the functions leave them out, and those of
:mod:`papilio.kernels.wide_sets` add them where there are any.

These functions are called hundreds of millions of times, so they must be inlined: they take plain
arrays and line numbers, because Numba counts references to each array that is taken out of a
tuple or sliced, and they call nothing that is not small, because a call that is not inlined passes
every array through memory. Either costs ten times as much as the arithmetic.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import RANGE, SET, TREE, Attributes, tree_width
from papilio.kernels.bits import WORD, count_bits
from papilio.kernels.codes import Codes
from papilio.kernels.jit import kernel

#: A set attribute of more values than a word has bits.
WIDE = 3
_ONE = np.uint64(1)


class Shape(NamedTuple):
    """What the attributes are, in as few arrays as possible.

    Attributes
    ----------
    kind
        As in :class:`~papilio.kernels.attributes.Attributes`, or ``WIDE``.
    size
        Number of codes.
    start
        Where an attribute's numbers start in ``values``.
    values
        ``RANGE``: the position of each code. ``TREE``: see :func:`tree_table`. ``SET`` and
        ``WIDE``: the width of one more value.
    wide
        The attributes that are ``WIDE``.
    """

    kind: NDArray[np.int8]
    size: NDArray[np.int64]
    start: NDArray[np.int64]
    values: NDArray[np.float64]
    wide: NDArray[np.int64]


@kernel
def tree_table(attributes: Attributes, attribute: int) -> NDArray[np.float64]:
    """Widths of the smallest nodes over runs of leaves whose lengths are powers of two.

    Entry ``level * leaves + leaf`` is the width of the node over the leaves from ``leaf`` to
    ``leaf + 2**level``. The node over any run of leaves is the larger of two such nodes.
    """
    leaves = attributes.size[attribute]
    levels = 1
    while 1 << levels < leaves:
        levels += 1
    table = np.zeros(levels * leaves)
    for level in range(levels):
        for leaf in range(leaves - (1 << level)):
            table[level * leaves + leaf] = tree_width(
                attributes, attribute, leaf, leaf + (1 << level)
            )
    return table


def shape_of(attributes: Attributes) -> Shape:
    """Prepare the description of the attributes for the functions of this file."""
    parts = [_numbers(attributes, attribute) for attribute in range(len(attributes.kind))]
    start = np.cumsum([0, *(len(part) for part in parts[:-1])]).astype(np.int64)
    wide = (attributes.kind == SET) & (attributes.size > WORD)
    kind = np.where(wide, WIDE, attributes.kind).astype(np.int8)
    return Shape(kind, attributes.size, start, np.concatenate(parts), np.flatnonzero(wide))


def _numbers(attributes: Attributes, attribute: int) -> NDArray[np.float64]:
    if attributes.kind[attribute] == TREE:
        return tree_table(attributes, attribute)
    if attributes.kind[attribute] == RANGE:
        start = attributes.position_start[attribute]
        return attributes.position[start : start + attributes.size[attribute]]
    return np.array([1.0 / max(int(attributes.size[attribute]) - 1, 1)])


@kernel
def span_width(
    kind: int,
    size: int,
    start: int,
    values: NDArray[np.float64],
    low: int | np.int64,
    high: int | np.int64,
) -> float:
    """Width of an ordered or tree attribute between two codes."""
    if low == high:
        return 0.0
    if kind == RANGE:
        return float(min(values[start + high] - values[start + low], 1.0))
    level = 0
    while 2 << level <= high - low:
        level += 1
    first = start + level * size
    return float(max(values[first + low], values[first + high - (1 << level)]))


@kernel
def find_box(
    codes: Codes,
    members: NDArray[np.int32],
    line: int,
    count: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    mask: NDArray[np.uint64],
    kind: NDArray[np.int8],
    size: NDArray[np.int64],
    start: NDArray[np.int64],
    values: NDArray[np.float64],
) -> float:
    """Write the box of a group and return its width, summed over the attributes."""
    width = 0.0
    for attribute in range(len(kind)):
        if kind[attribute] <= TREE:
            smallest = codes[members[line, 0], attribute]
            largest = smallest
            for place in range(1, count):
                code = codes[members[line, place], attribute]
                smallest = min(smallest, code)
                largest = max(largest, code)
            low[line, attribute] = smallest
            high[line, attribute] = largest
            width += span_width(
                kind[attribute], size[attribute], start[attribute], values, smallest, largest
            )
        elif kind[attribute] == SET:
            word = np.uint64(0)
            for place in range(count):
                word |= _ONE << np.uint64(codes[members[line, place], attribute])
            mask[line, attribute] = word
            width += (count_bits(word) - 1) * values[start[attribute]]
    return width


@kernel
def width_with(
    codes: Codes,
    row: int,
    line: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    mask: NDArray[np.uint64],
    kind: NDArray[np.int8],
    size: NDArray[np.int64],
    start: NDArray[np.int64],
    values: NDArray[np.float64],
) -> float:
    """Width of the box of a group once ``row`` joins it."""
    width = 0.0
    for attribute in range(len(kind)):
        code = codes[row, attribute]
        if kind[attribute] <= TREE:
            smallest = min(low[line, attribute], code)
            largest = max(high[line, attribute], code)
            width += span_width(
                kind[attribute], size[attribute], start[attribute], values, smallest, largest
            )
        elif kind[attribute] == SET:
            word = mask[line, attribute] | (_ONE << np.uint64(code))
            width += (count_bits(word) - 1) * values[start[attribute]]
    return width


@kernel
def width_exchanged(
    codes: Codes,
    members: NDArray[np.int32],
    line: int,
    count: int,
    without: int,
    extra: int,
    kind: NDArray[np.int8],
    size: NDArray[np.int64],
    start: NDArray[np.int64],
    values: NDArray[np.float64],
) -> float:
    """Width of a group without one place and with one more row (-1: none)."""
    width = 0.0
    for attribute in range(len(kind)):
        if kind[attribute] <= TREE:
            smallest = np.int64(2**31)
            largest = np.int64(-1)
            for place in range(count):
                if place != without:
                    code = np.int64(codes[members[line, place], attribute])
                    smallest = min(smallest, code)
                    largest = max(largest, code)
            if extra >= 0:
                code = np.int64(codes[extra, attribute])
                smallest = min(smallest, code)
                largest = max(largest, code)
            width += span_width(
                kind[attribute], size[attribute], start[attribute], values, smallest, largest
            )
        elif kind[attribute] == SET:
            word = np.uint64(0)
            for place in range(count):
                if place != without:
                    word |= _ONE << np.uint64(codes[members[line, place], attribute])
            if extra >= 0:
                word |= _ONE << np.uint64(codes[extra, attribute])
            width += (count_bits(word) - 1) * values[start[attribute]]
    return width


@kernel
def width_joined(
    line: int | np.int32,
    other: int | np.int32,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    mask: NDArray[np.uint64],
    kind: NDArray[np.int8],
    size: NDArray[np.int64],
    start: NDArray[np.int64],
    values: NDArray[np.float64],
) -> float:
    """Width of the boxes of two groups joined."""
    width = 0.0
    for attribute in range(len(kind)):
        if kind[attribute] <= TREE:
            smallest = min(low[line, attribute], low[other, attribute])
            largest = max(high[line, attribute], high[other, attribute])
            width += span_width(
                kind[attribute], size[attribute], start[attribute], values, smallest, largest
            )
        elif kind[attribute] == SET:
            word = mask[line, attribute] | mask[other, attribute]
            width += (count_bits(word) - 1) * values[start[attribute]]
    return width
