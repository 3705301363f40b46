"""Strict Mondrian on integer codes (LeFevre, DeWitt, Ramakrishnan, ICDE 2006, figure 6).

The rows of a class lie next to each other in memory; cutting a class moves its rows so that both
halves do again. A class is finished when no attribute has an allowed cut.

Rules, all of which make the result independent of the order of the input rows:

1. Attributes are tried from the widest to the narrowest (widths as in
   :mod:`papilio.kernels.attributes`); among equally wide ones the one that stands first wins. An
   attribute that is constant in the class has width 0 and is never cut.
2. The cut ``code <= v`` lies between two codes that occur. Of all such cuts that leave at least
   ``least_size`` rows on either side, the one nearest to the middle is taken (least difference of
   the two sizes); of two equally near ones the lower. LeFevre et al. cut at the median only, and
   give up on an attribute when ties make that cut too uneven; looking for the nearest allowed cut
   finds one whenever there is one.
3. If one of the halves does not meet the demand, the attribute is passed over.

Cost: O(n d log(n / k)) time for n rows and d attributes, 2 n (d + 1) codes of memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import SET, TREE, Attributes, range_width, set_width, tree_width
from papilio.kernels.bits import WORD, count_bits, lowest_and_highest_bit
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand, class_meets
from papilio.kernels.jit import kernel
from papilio.kernels.lines import divide_lines, lines_up_to
from papilio.kernels.waiting import add_halves, new_waiting


@kernel
def code_mask(codes: Codes, low: int, high: int, attribute: int) -> int:
    """Codes that occur in rows ``low .. high - 1``, as the bits of one word."""
    mask = np.uint64(0)
    one = np.uint64(1)
    for row in range(low, high):
        mask |= one << np.uint64(codes[row, attribute])
    return int(mask)


@kernel
def smallest_and_largest(codes: Codes, low: int, high: int, attribute: int) -> tuple[int, int]:
    """Smallest and largest code in rows ``low .. high - 1``."""
    smallest = codes[low, attribute]
    largest = smallest
    for row in range(low, high):
        code = codes[row, attribute]
        smallest = min(smallest, code)
        largest = max(largest, code)
    return smallest, largest


@kernel
def count_distinct(
    codes: Codes, low: int, high: int, attribute: int, histogram: NDArray[np.int64]
) -> int:
    """Number of distinct codes in rows ``low .. high - 1``; ``histogram`` is left all zero."""
    distinct = 0
    for row in range(low, high):
        code = codes[row, attribute]
        if histogram[code] == 0:
            histogram[code] = 1
            distinct += 1
    for row in range(low, high):
        histogram[codes[row, attribute]] = 0
    return distinct


@kernel
def measure_attribute(
    codes: Codes,
    low: int,
    high: int,
    attribute: int,
    attributes: Attributes,
    histogram: NDArray[np.int64],
) -> tuple[int, int, float]:
    """Smallest code, largest code and width of an attribute over rows ``low .. high - 1``."""
    if attributes.kind[attribute] == SET and attributes.size[attribute] <= WORD:
        mask = code_mask(codes, low, high, attribute)
        smallest, largest = lowest_and_highest_bit(mask)
        return smallest, largest, set_width(attributes, attribute, count_bits(mask))
    smallest, largest = smallest_and_largest(codes, low, high, attribute)
    if smallest == largest:
        return smallest, largest, 0.0
    if attributes.kind[attribute] == SET:
        distinct = count_distinct(codes, low, high, attribute, histogram)
        return smallest, largest, set_width(attributes, attribute, distinct)
    if attributes.kind[attribute] == TREE:
        return smallest, largest, tree_width(attributes, attribute, smallest, largest)
    return smallest, largest, range_width(attributes, attribute, smallest, largest)


@kernel
def cut_by_counting(
    codes: Codes,
    low: int,
    high: int,
    attribute: int,
    smallest: int,
    largest: int,
    least_size: int,
    histogram: NDArray[np.int64],
) -> int:
    """Find the cut of rule 2 from a histogram; O(rows + codes between smallest and largest)."""
    for row in range(low, high):
        histogram[codes[row, attribute]] += 1
    size = high - low
    cut = -1
    nearest = size + 1
    below = 0
    for code in range(smallest, largest):
        below += histogram[code]
        distance = abs(2 * below - size)
        # A code that does not occur repeats the cut before it, so only "<" moves the cut.
        if below >= least_size and size - below >= least_size and distance < nearest:
            nearest = distance
            cut = code
    for code in range(smallest, largest + 1):
        histogram[code] = 0
    return cut


@kernel
def cut_by_sorting(codes: Codes, low: int, high: int, attribute: int, least_size: int) -> int:
    """Find the cut of rule 2 by sorting; for few rows spread over many codes."""
    ordered = np.sort(codes[low:high, attribute])
    size = high - low
    cut = -1
    nearest = size + 1
    for below in range(least_size, size - least_size + 1):
        distance = abs(2 * below - size)
        if ordered[below - 1] != ordered[below] and distance < nearest:
            nearest = distance
            cut = ordered[below - 1]
    return cut


@kernel
def find_cut(
    codes: Codes,
    low: int,
    high: int,
    attribute: int,
    smallest: int,
    largest: int,
    least_size: int,
    histogram: NDArray[np.int64],
) -> int:
    """Code ``v`` of the allowed cut nearest to the middle, or -1 (rule 2)."""
    if largest - smallest > 8 * (high - low):
        return cut_by_sorting(codes, low, high, attribute, least_size)
    return cut_by_counting(codes, low, high, attribute, smallest, largest, least_size, histogram)


@kernel
def cut_widest(
    codes: Codes,
    words: NDArray[np.int64],
    rows: NDArray[np.int32],
    spare_words: NDArray[np.int64],
    spare_rows: NDArray[np.int32],
    low: int,
    high: int,
    smallest: NDArray[np.int64],
    largest: NDArray[np.int64],
    width: NDArray[np.float64],
    demand: Demand,
    histogram: NDArray[np.int64],
) -> int:
    """Cut by the widest attribute that allows it; return where the right half starts, or -1.

    ``width`` is used up: attributes that were tried are left at -1.
    """
    for _ in range(len(width)):
        widest = 0
        for attribute in range(1, len(width)):
            if width[attribute] > width[widest]:
                widest = attribute
        if width[widest] <= 0.0:
            return -1
        width[widest] = -1.0
        cut = find_cut(
            codes,
            low,
            high,
            widest,
            smallest[widest],
            largest[widest],
            demand.least_size,
            histogram,
        )
        if cut < 0:
            continue
        left = lines_up_to(codes, low, high, widest, cut)
        middle = divide_lines(words, rows, spare_words, spare_rows, low, high, left)
        if class_meets(demand, rows[low:middle]) and class_meets(demand, rows[middle:high]):
            return middle
    return -1


@kernel
def split_class(
    codes: Codes,
    words: NDArray[np.int64],
    rows: NDArray[np.int32],
    spare_words: NDArray[np.int64],
    spare_rows: NDArray[np.int32],
    low: int,
    high: int,
    attributes: Attributes,
    demand: Demand,
    histogram: NDArray[np.int64],
) -> int:
    """Cut the class in rows ``low .. high - 1`` once; return where the right half starts, or -1."""
    if high - low < 2 * demand.least_size:
        return -1
    count = len(attributes.kind)
    smallest = np.empty(count, np.int64)
    largest = np.empty(count, np.int64)
    width = np.empty(count, np.float64)
    for attribute in range(count):
        smallest[attribute], largest[attribute], width[attribute] = measure_attribute(
            codes, low, high, attribute, attributes, histogram
        )
    return cut_widest(
        codes, words, rows, spare_words, spare_rows, low, high,
        smallest, largest, width, demand, histogram,
    )  # fmt: skip


@kernel
def mondrian(
    codes: Codes,
    words: NDArray[np.int64],
    rows: NDArray[np.int32],
    spare_words: NDArray[np.int64],
    spare_rows: NDArray[np.int32],
    low: int,
    high: int,
    attributes: Attributes,
    demand: Demand,
    starts_class: NDArray[np.bool_],
) -> None:
    """Cut rows ``low .. high - 1`` into classes, marking the first row of each.

    Parameters
    ----------
    codes, words
        The codes, one line per row, padded to a multiple of eight bytes; and the same memory as
        words. Rearranged in place.
    rows
        Source row number of each line; rearranged alongside.
    spare_words, spare_rows
        Working memory of the same shapes; only lines ``low .. high - 1`` are touched.
    low, high
        The lines to work on. They must meet the demand as one class. Calls on disjoint lines may
        run in parallel.
    attributes, demand
        What the codes mean and what each class must satisfy.
    starts_class
        Output: set to true for the first line of every class in ``low .. high - 1``.
    """
    histogram = np.zeros(attributes.size.max(), np.int64)
    waiting = new_waiting(low, high)
    length = 1
    while length > 0:
        length -= 1
        begin = waiting[length, 0]
        end = waiting[length, 1]
        middle = split_class(
            codes, words, rows, spare_words, spare_rows, begin, end, attributes, demand, histogram
        )
        if middle < 0:
            starts_class[begin] = True
        else:
            length = add_halves(waiting, length, begin, middle, end)
