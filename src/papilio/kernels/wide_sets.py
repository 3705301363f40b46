"""Widths on set attributes of more than 64 values, which boxes leave out.

There is no compact form of such a set; the rows of the groups are compared with each other. All
functions are used only where such attributes exist (``shape.wide``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.boxes import Shape
from papilio.kernels.codes import Codes
from papilio.kernels.jit import kernel


@kernel
def wide_width(
    codes: Codes,
    members: NDArray[np.int32],
    line: int,
    count: int,
    without: int,
    extra: int,
    shape: Shape,
) -> float:
    """Width of a group but for one place (-1: none) and with one more row (-1: none)."""
    width = 0.0
    for attribute in shape.wide:
        distinct = np.int64(extra >= 0)
        for place in range(count):
            if place == without:
                continue
            code = codes[members[line, place], attribute]
            known = extra >= 0 and codes[extra, attribute] == code
            for other in range(place):
                known |= other != without and codes[members[line, other], attribute] == code
            distinct += not known
        width += (distinct - 1) * shape.values[shape.start[attribute]]
    return width


@kernel
def wide_joined(
    codes: Codes,
    members: NDArray[np.int32],
    line: int,
    count: int,
    other: int,
    other_count: int,
    shape: Shape,
) -> float:
    """Width of two groups joined."""
    rows = np.empty((1, count + other_count), np.int32)
    rows[0, :count] = members[line, :count]
    rows[0, count:] = members[other, :other_count]
    return wide_width(codes, rows, 0, count + other_count, -1, -1, shape)


@kernel
def wide_distance(codes: Codes, one: int, other: int, shape: Shape) -> float:
    """Width of two rows."""
    width = 0.0
    for attribute in shape.wide:
        different = codes[one, attribute] != codes[other, attribute]
        width += different * shape.values[shape.start[attribute]]
    return width
