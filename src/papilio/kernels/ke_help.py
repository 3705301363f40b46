"""Help table: what aggregates over so many rows of a group can be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def help_rows(
    lows: NDArray[np.float64],
    highs: NDArray[np.float64],
    middles: NDArray[np.float64],
    inside: NDArray[np.float64],
    starts: NDArray[np.int64],
    nulls: NDArray[np.int64],
    rows: NDArray[np.int64],
    whole: NDArray[np.int64],
    sums: NDArray[np.float64],
    ends: NDArray[np.float64],
    real: NDArray[np.float64],
) -> None:
    """Fill the help table of groups whose cells are intervals; a value is an interval of width 0.

    A group publishes m intervals and z NULLs; any h of these N = m + z cells may be those of h
    rows. docs/papers.md, with NULL: the number c of known ones is between max(0, h - z) and
    min(h, m), and least and largest sums are over all c. Sums of doubles are kept as two doubles
    and rounded at the end. Cost: O(cells + rows).

    Parameters
    ----------
    lows, highs
        Ends of the intervals, group after group, each ascending inside a group by itself; both of
        whole numbers or both of doubles.
    middles, inside
        Mean and variance inside each interval, in any order inside a group.
    starts
        Where each group's intervals start, then their number.
    nulls
        Number of NULLs of each group.
    rows
        Number of rows of each group; hits go from 1 to it.
    whole, sums, ends, real
        To be filled, one row per group and number of hits: whole is group, hits, least and
        largest count; sums are least and largest sum, added up in the type of this array; ends
        are least and largest minimum and maximum; real is least and largest average, mean and
        variance of the sum.
    """
    longest = 0
    for group in range(len(rows)):
        longest = max(longest, starts[group + 1] - starts[group])
    # Sums of the smallest and of the largest, and what their rounding lost.
    low_sum = np.zeros(longest + 1, sums.dtype)
    low_rest = np.zeros(longest + 1, sums.dtype)
    high_sum = np.zeros(longest + 1, sums.dtype)
    high_rest = np.zeros(longest + 1, sums.dtype)
    line = 0
    for group in range(len(rows)):
        begin = starts[group]
        known = starts[group + 1] - begin
        cells = known + nulls[group]
        negative = 0
        positive = 0
        for place in range(known):
            low = lows[begin + place]
            high = highs[begin + known - 1 - place]
            negative += low < 0
            positive += high > 0
            _add(low_sum, low_rest, place, low)
            _add(high_sum, high_rest, place, high)
        total = 0.0
        lost = 0.0
        for place in range(begin, begin + known):
            larger = total + middles[place]
            part = larger - total
            lost += (total - (larger - part)) + (middles[place] - part)
            total = larger
        total += lost
        mean = total / cells
        variance = nulls[group] * mean * mean / cells
        within = 0.0
        for place in range(begin, begin + known):
            off = middles[place] - mean
            variance += off * off / cells
            within += inside[place] / cells
        for hits in range(1, rows[group] + 1):
            least = max(0, hits - nulls[group])
            largest = min(hits, known)
            few = max(1, least)
            whole[line, 0] = group + 1
            whole[line, 1] = hits
            whole[line, 2] = least
            whole[line, 3] = largest
            lower = min(max(negative, least), largest)
            upper = min(max(positive, least), largest)
            sums[line, 0] = low_sum[lower] + low_rest[lower]
            sums[line, 1] = high_sum[upper] + high_rest[upper]
            ends[line, 0] = lows[begin]
            ends[line, 1] = highs[begin + known - few]
            ends[line, 2] = lows[begin + few - 1]
            ends[line, 3] = highs[begin + known - 1]
            real[line, 0] = (low_sum[few] + low_rest[few]) / few
            real[line, 1] = (high_sum[few] + high_rest[few]) / few
            real[line, 2] = total * hits / cells
            real[line, 3] = within * hits
            if hits < cells:
                real[line, 3] += hits * variance * (cells - hits) / (cells - 1)
            line += 1


@kernel
def _add(sums: NDArray[np.float64], rests: NDArray[np.float64], place: int, value: float) -> None:
    """Extend prefix sums; what rounding loses is summed up apart (Knuth, TAOCP 2, 4.2.2)."""
    total = sums[place] + value
    part = total - sums[place]
    lost = (sums[place] - (total - part)) + (value - part)
    sums[place + 1] = total
    rests[place + 1] = rests[place] + lost
