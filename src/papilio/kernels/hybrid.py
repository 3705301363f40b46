r"""Global phase of hybrid recoding (HRGP) on integer codes.

Source: Tang, Wu, Liao, Wang, "Utility-based k-anonymization", Algorithm 1.
A class of at least 2k rows is cut into two boxes by the cut that is best in terms of a metric χ,
over all attributes and all places between two codes that occur.

========================  ======================================================================
χ = NCP                   rows x sum of the widths of the box
χ = DM                    rows²
objective ``SUM``         smallest χ(S1) + χ(S2): what the release will cost
objective ``BALANCE``     smallest \|χ(S1) - χ(S2)\|, as printed in line 5
========================  ======================================================================

Ties are not specified in the paper, and they matter. Here: the smaller objective, then the
smaller sum χ(S1) + χ(S2), then the attribute that stands first, then the lower cut. Cuts leave the
least size on both sides; if the halves of the best cut do not meet the rest of the demand, the
next best attribute is tried, each with its best cut.

Cost: O(n d²) per level of the tree of cuts, which is about log(n / k) deep unless the data
forces very uneven cuts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import SET, TREE, Attributes, range_width, set_width, tree_width
from papilio.kernels.bits import WORD, count_bits
from papilio.kernels.codes import Codes
from papilio.kernels.demand import Demand, class_meets
from papilio.kernels.jit import kernel
from papilio.kernels.lines import divide_lines, lines_up_to
from papilio.kernels.mondrian import smallest_and_largest
from papilio.kernels.waiting import add_halves, new_waiting

NCP = 0
DM = 1
SUM = 0
BALANCE = 1


@kernel
def order_by_code(
    codes: Codes, low: int, high: int, attribute: int, smallest: int, largest: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Lines ``low .. high - 1`` in ascending order of their code, and where each code ends.

    Counting where the codes lie close together, sorting where they do not.
    """
    size = high - low
    ordered = np.empty(size, np.int32)
    if largest - smallest <= 4 * size:
        place = np.zeros(largest - smallest + 2, np.int32)
        for row in range(low, high):
            place[codes[row, attribute] - smallest + 1] += 1
        ends = np.empty(min(size, largest - smallest + 1), np.int32)
        count = 0
        for code in range(largest - smallest + 1):
            if place[code + 1] > 0:
                ends[count] = place[code] + place[code + 1]
                count += 1
            place[code + 1] += place[code]
        for row in range(low, high):
            code = codes[row, attribute] - smallest
            ordered[place[code]] = row
            place[code] += 1
        return ordered, ends[:count]
    by_code = np.argsort(codes[low:high, attribute], kind="mergesort")
    ends = np.empty(size, np.int32)
    count = 0
    for position in range(size):
        ordered[position] = low + by_code[position]
        last = position == size - 1
        if last or (
            codes[low + by_code[position], attribute]
            != codes[low + by_code[position + 1], attribute]
        ):
            ends[count] = position + 1
            count += 1
    return ordered, ends[:count]


@kernel
def add_range_widths(
    codes: Codes,
    ordered: NDArray[np.int32],
    ends: NDArray[np.int32],
    attribute: int,
    attributes: Attributes,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
) -> None:
    """Add an ordered or tree attribute's widths of all heads and tails; see ``add_widths``."""
    tree = attributes.kind[attribute] == TREE
    last = len(ends) - 1
    smallest = codes[ordered[0], attribute]
    largest = smallest
    begin = 0
    for part in range(last):
        for position in range(begin, ends[part]):
            code = codes[ordered[position], attribute]
            smallest = min(smallest, code)
            largest = max(largest, code)
        begin = ends[part]
        if smallest < largest:
            before[part] += (
                tree_width(attributes, attribute, smallest, largest)
                if tree
                else range_width(attributes, attribute, smallest, largest)
            )
    smallest = codes[ordered[len(ordered) - 1], attribute]
    largest = smallest
    for part in range(last, 0, -1):
        for position in range(ends[part - 1], ends[part]):
            code = codes[ordered[position], attribute]
            smallest = min(smallest, code)
            largest = max(largest, code)
        if smallest < largest:
            after[part - 1] += (
                tree_width(attributes, attribute, smallest, largest)
                if tree
                else range_width(attributes, attribute, smallest, largest)
            )


@kernel
def add_mask_widths(
    codes: Codes,
    ordered: NDArray[np.int32],
    ends: NDArray[np.int32],
    attribute: int,
    attributes: Attributes,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
) -> None:
    """Add a small set attribute's widths of all heads and tails; see ``add_widths``."""
    last = len(ends) - 1
    one = np.uint64(1)
    mask = np.uint64(0)
    begin = 0
    for part in range(last):
        for position in range(begin, ends[part]):
            mask |= one << np.uint64(codes[ordered[position], attribute])
        begin = ends[part]
        before[part] += set_width(attributes, attribute, count_bits(mask))
    mask = np.uint64(0)
    for part in range(last, 0, -1):
        for position in range(ends[part - 1], ends[part]):
            mask |= one << np.uint64(codes[ordered[position], attribute])
        after[part - 1] += set_width(attributes, attribute, count_bits(mask))


@kernel
def add_set_widths(
    codes: Codes,
    ordered: NDArray[np.int32],
    ends: NDArray[np.int32],
    attribute: int,
    attributes: Attributes,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    seen: NDArray[np.int64],
) -> None:
    """Add a large set attribute's widths of all heads and tails; ``seen`` is left all zero."""
    last = len(ends) - 1
    distinct = 0
    begin = 0
    for part in range(last):
        for position in range(begin, ends[part]):
            code = codes[ordered[position], attribute]
            distinct += seen[code] == 0
            seen[code] = 1
        begin = ends[part]
        before[part] += set_width(attributes, attribute, distinct)
    for position in range(len(ordered)):
        seen[codes[ordered[position], attribute]] = 0
    distinct = 0
    for part in range(last, 0, -1):
        for position in range(ends[part - 1], ends[part]):
            code = codes[ordered[position], attribute]
            distinct += seen[code] == 0
            seen[code] = 1
        after[part - 1] += set_width(attributes, attribute, distinct)
    for position in range(len(ordered)):
        seen[codes[ordered[position], attribute]] = 0


@kernel
def add_widths(
    codes: Codes,
    ordered: NDArray[np.int32],
    ends: NDArray[np.int32],
    attribute: int,
    attributes: Attributes,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    seen: NDArray[np.int64],
) -> None:
    """Add one attribute's widths to those of every head and tail of the ordered rows.

    ``before[p]`` is the width of the rows up to ``ends[p]``, ``after[p]`` that of the others.
    """
    if attributes.kind[attribute] != SET:
        add_range_widths(codes, ordered, ends, attribute, attributes, before, after)
    elif attributes.size[attribute] <= WORD:
        add_mask_widths(codes, ordered, ends, attribute, attributes, before, after)
    else:
        add_set_widths(codes, ordered, ends, attribute, attributes, before, after, seen)


@kernel
def best_cut(
    codes: Codes,
    low: int,
    high: int,
    attribute: int,
    smallest: NDArray[np.int64],
    largest: NDArray[np.int64],
    attributes: Attributes,
    least_size: int,
    metric: int,
    objective: int,
    seen: NDArray[np.int64],
) -> tuple[int, float, float]:
    """Best cut of one attribute: its code (-1 if none is allowed), objective and sum."""
    ordered, ends = order_by_code(
        codes, low, high, attribute, smallest[attribute], largest[attribute]
    )
    size = high - low
    before = np.zeros(len(ends))
    after = np.zeros(len(ends))
    if metric == NCP:
        for other in range(len(attributes.kind)):
            if smallest[other] < largest[other]:
                add_widths(codes, ordered, ends, other, attributes, before, after, seen)
    cut = -1
    value = np.inf
    total = np.inf
    for part in range(len(ends) - 1):
        left = ends[part]
        right = size - left
        if left < least_size or right < least_size:
            continue
        first = float(left) * (before[part] if metric == NCP else left)
        second = float(right) * (after[part] if metric == NCP else right)
        here = first + second if objective == SUM else abs(first - second)
        if here < value or (here == value and first + second < total):
            value = here
            total = first + second
            cut = codes[ordered[left - 1], attribute]
    return cut, value, total


@kernel
def cut_class(
    codes: Codes,
    words: NDArray[np.int64],
    rows: NDArray[np.int32],
    spare_words: NDArray[np.int64],
    spare_rows: NDArray[np.int32],
    low: int,
    high: int,
    attributes: Attributes,
    demand: Demand,
    metric: int,
    objective: int,
    seen: NDArray[np.int64],
) -> int:
    """Cut the class in lines ``low .. high - 1`` once; return where the right half starts."""
    if high - low < 2 * demand.least_size:
        return -1
    count = len(attributes.kind)
    smallest = np.empty(count, np.int64)
    largest = np.empty(count, np.int64)
    for attribute in range(count):
        smallest[attribute], largest[attribute] = smallest_and_largest(codes, low, high, attribute)
    cuts = np.full(count, -1, np.int64)
    values = np.full(count, np.inf)
    totals = np.full(count, np.inf)
    for attribute in range(count):
        if smallest[attribute] < largest[attribute]:
            cuts[attribute], values[attribute], totals[attribute] = best_cut(
                codes,
                low,
                high,
                attribute,
                smallest,
                largest,
                attributes,
                demand.least_size,
                metric,
                objective,
                seen,
            )
    for _ in range(count):
        best = -1
        for attribute in range(count):
            if cuts[attribute] < 0:
                continue
            if (
                best < 0
                or values[attribute] < values[best]
                or (values[attribute] == values[best] and totals[attribute] < totals[best])
            ):
                best = attribute
        if best < 0:
            return -1
        left = lines_up_to(codes, low, high, best, cuts[best])
        middle = divide_lines(words, rows, spare_words, spare_rows, low, high, left)
        if class_meets(demand, rows[low:middle]) and class_meets(demand, rows[middle:high]):
            return middle
        cuts[best] = -1
    return -1


@kernel
def hybrid_global(
    codes: Codes,
    words: NDArray[np.int64],
    rows: NDArray[np.int32],
    spare_words: NDArray[np.int64],
    spare_rows: NDArray[np.int32],
    low: int,
    high: int,
    attributes: Attributes,
    demand: Demand,
    metric: int,
    objective: int,
    starts_class: NDArray[np.bool_],
) -> None:
    """Cut lines ``low .. high - 1`` into classes; parameters as for ``mondrian``."""
    seen = np.zeros(attributes.size.max(), np.int64)
    waiting = new_waiting(low, high)
    length = 1
    while length > 0:
        length -= 1
        begin = waiting[length, 0]
        end = waiting[length, 1]
        middle = cut_class(
            codes,
            words,
            rows,
            spare_words,
            spare_rows,
            begin,
            end,
            attributes,
            demand,
            metric,
            objective,
            seen,
        )
        if middle < 0:
            starts_class[begin] = True
        else:
            length = add_halves(waiting, length, begin, middle, end)
