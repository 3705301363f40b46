"""Relaxed Mondrian on integer codes (LeFevre, DeWitt, Ramakrishnan, ICDE 2006, section 3.2).

Like strict Mondrian, but rows that share the median code are divided between the halves, so that
a class of at least 2k rows can always be cut in the middle and boxes may overlap.

Rules: attributes are tried from the widest to the narrowest, the first of several. The cut leaves
⌊n/2⌋ rows on the left: those with the smallest codes. The paper leaves open which of the rows
with the median code go left; here those with the smallest codes of the next attribute, and so on
from the widest to the narrowest, which keeps equal rows together as long as possible; rows that
are equal throughout go by keys, which the caller draws at random. A class whose rows are all
equal is not cut. If a half does not meet the demand, the next attribute is tried.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import Attributes
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand, class_meets
from papilio.kernels.jit import kernel
from papilio.kernels.lines import divide_lines
from papilio.kernels.mondrian import measure_attribute
from papilio.kernels.waiting import add_halves, new_waiting


@kernel
def choose_left(
    codes: Codes,
    rows: NDArray[np.int32],
    low: int,
    high: int,
    order: NDArray[np.int64],
    keys: NDArray[np.uint64],
) -> NDArray[np.bool_]:
    """Which lines belong to the left half, comparing attributes in the given order, then keys."""
    left = np.zeros(high - low, np.bool_)
    tied = np.arange(low, high)
    wanted = (high - low) // 2
    for attribute in order:
        mine = codes[tied, attribute]
        median = np.sort(mine)[wanted - 1]
        left[tied[mine < median] - low] = True
        wanted -= (mine < median).sum()
        tied = tied[mine == median]
    by_key = np.argsort(keys[rows[tied]])
    left[tied[by_key[:wanted]] - low] = True
    return left


@kernel
def halve_class(
    codes: Codes,
    words: NDArray[np.int64],
    rows: NDArray[np.int32],
    spare_words: NDArray[np.int64],
    spare_rows: NDArray[np.int32],
    low: int,
    high: int,
    attributes: Attributes,
    demand: Demand,
    keys: NDArray[np.uint64],
    histogram: NDArray[np.int64],
) -> int:
    """Cut the class in lines ``low .. high - 1`` once; return where the right half starts."""
    if high - low < max(2 * demand.least_size, 2):
        return -1
    count = len(attributes.kind)
    width = np.empty(count, np.float64)
    for attribute in range(count):
        _, _, width[attribute] = measure_attribute(
            codes, low, high, attribute, attributes, histogram
        )
    order = np.argsort(-width, kind="mergesort")
    for place in range(count):
        widest = order[place]
        if width[widest] <= 0.0:
            return -1
        # The attribute in question first, then all others from the widest to the narrowest.
        compared = np.concatenate((order[place : place + 1], order[:place], order[place + 1 :]))
        left = choose_left(codes, rows, low, high, compared, keys)
        middle = divide_lines(words, rows, spare_words, spare_rows, low, high, left)
        if class_meets(demand, rows[low:middle]) and class_meets(demand, rows[middle:high]):
            return middle
    return -1


@kernel
def relaxed_mondrian(
    codes: Codes,
    words: NDArray[np.int64],
    rows: NDArray[np.int32],
    spare_words: NDArray[np.int64],
    spare_rows: NDArray[np.int32],
    low: int,
    high: int,
    attributes: Attributes,
    demand: Demand,
    keys: NDArray[np.uint64],
    starts_class: NDArray[np.bool_],
) -> None:
    """Cut lines ``low .. high - 1`` into classes; parameters as for ``mondrian``, and the keys."""
    histogram = np.zeros(attributes.size.max(), np.int64)
    waiting = new_waiting(low, high)
    length = 1
    while length > 0:
        length -= 1
        begin = waiting[length, 0]
        end = waiting[length, 1]
        middle = halve_class(
            codes,
            words,
            rows,
            spare_words,
            spare_rows,
            begin,
            end,
            attributes,
            demand,
            keys,
            histogram,
        )
        if middle < 0:
            starts_class[begin] = True
        else:
            length = add_halves(waiting, length, begin, middle, end)
