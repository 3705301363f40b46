"""Help table: what aggregates over so many rows of a group can be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.jit import kernel


@kernel
def help_of_runs(
    lows: NDArray[np.float64],
    low_copies: NDArray[np.int64],
    highs: NDArray[np.float64],
    high_copies: NDArray[np.int64],
    middles: NDArray[np.float64],
    inside: NDArray[np.float64],
    copies: NDArray[np.int64],
    starts: NDArray[np.int64],
    nulls: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    whole: NDArray[np.int64],
    sums: NDArray[np.float64],
    ends: NDArray[np.float64],
    real: NDArray[np.float64],
) -> None:
    """Fill lines of the help table as :func:`papilio.kernels.ke_help.help_rows` does.

    Cells that are equal stand once, with their number: a group of a billion rows that has a
    thousand different cells takes a thousand numbers and the lines that are asked for. Sums inside
    a run are products. Cost: O(runs + lines).

    Parameters
    ----------
    lows, low_copies
        Lower ends and how often each occurs, group after group, ascending inside each.
    highs, high_copies
        Upper ends in the same way, descending inside each group.
    middles, inside, copies
        Mean and variance inside each cell, and how often, in any order inside a group.
    starts
        Where each group's runs start in all of these, then their number.
    nulls
        Number of NULLs of each group.
    first, last
        First and last number of hits wanted of each group; none if last is smaller.
    whole, sums, ends, real
        To be filled, as there; ``whole`` has the place of the group among these groups.
    """
    longest = 0
    for group in range(len(nulls)):
        longest = max(longest, starts[group + 1] - starts[group])
    # Number and sum of the ends before each run, and what rounding lost.
    low_number = np.zeros(longest + 1, np.int64)
    high_number = np.zeros(longest + 1, np.int64)
    low_sum = np.zeros(longest + 1, sums.dtype)
    low_rest = np.zeros(longest + 1, sums.dtype)
    high_sum = np.zeros(longest + 1, sums.dtype)
    high_rest = np.zeros(longest + 1, sums.dtype)
    line = 0
    for group in range(len(nulls)):
        if last[group] < first[group]:
            continue
        begin = starts[group]
        runs = starts[group + 1] - begin
        negative = 0
        positive = 0
        for run in range(runs):
            low = lows[begin + run]
            high = highs[begin + run]
            if low < 0:
                negative += low_copies[begin + run]
            if high > 0:
                positive += high_copies[begin + run]
            _add(low_number, low_sum, low_rest, run, low, low_copies[begin + run])
            _add(high_number, high_sum, high_rest, run, high, high_copies[begin + run])
        known = low_number[runs]
        cells = known + nulls[group]
        total = 0.0
        lost = 0.0
        for place in range(begin, begin + runs):
            added = middles[place] * copies[place]
            larger = total + added
            part = larger - total
            lost += (total - (larger - part)) + (added - part)
            total = larger
        total += lost
        mean = total / cells
        variance = nulls[group] * mean * mean / cells
        within = 0.0
        for place in range(begin, begin + runs):
            off = middles[place] - mean
            variance += off * off * copies[place] / cells
            within += inside[place] * copies[place] / cells
        # Runs that hold the ends asked for; they only move on as hits grow.
        lower_run = 0
        upper_run = 0
        few_low = 0
        few_high = 0
        for hits in range(first[group], last[group] + 1):
            least = max(0, hits - nulls[group])
            largest = min(hits, known)
            few = max(1, least)
            lower = min(max(negative, least), largest)
            upper = min(max(positive, least), largest)
            lower_run = _run_of(low_number, runs, lower_run, lower)
            upper_run = _run_of(high_number, runs, upper_run, upper)
            few_low = _run_of(low_number, runs, few_low, few)
            few_high = _run_of(high_number, runs, few_high, few)
            whole[line, 0] = group
            whole[line, 1] = hits
            whole[line, 2] = least
            whole[line, 3] = largest
            sums[line, 0] = low_sum[lower_run] + (
                low_rest[lower_run] + (lower - low_number[lower_run]) * lows[begin + lower_run]
            )
            sums[line, 1] = high_sum[upper_run] + (
                high_rest[upper_run] + (upper - high_number[upper_run]) * highs[begin + upper_run]
            )
            ends[line, 0] = lows[begin]
            ends[line, 1] = highs[begin + few_high]
            ends[line, 2] = lows[begin + few_low]
            ends[line, 3] = highs[begin]
            real[line, 0] = (
                low_sum[few_low]
                + (low_rest[few_low] + (few - low_number[few_low]) * lows[begin + few_low])
            ) / few
            real[line, 1] = (
                high_sum[few_high]
                + (high_rest[few_high] + (few - high_number[few_high]) * highs[begin + few_high])
            ) / few
            real[line, 2] = total * hits / cells
            real[line, 3] = within * hits
            if hits < cells:
                real[line, 3] += hits * variance * (cells - hits) / (cells - 1)
            line += 1


@kernel
def _run_of(number: NDArray[np.int64], runs: int, run: int, wanted: int) -> int:
    """Run that holds the end with this number, counted from 1; the first for 0."""
    while run < runs - 1 and number[run + 1] < wanted:
        run += 1
    return run


@kernel
def _add(
    number: NDArray[np.int64],
    sums: NDArray[np.float64],
    rests: NDArray[np.float64],
    run: int,
    value: float,
    copies: int,
) -> None:
    """Extend prefix sums; what rounding loses is summed up apart (Knuth, TAOCP 2, 4.2.2)."""
    number[run + 1] = number[run] + copies
    added = copies * value
    total = sums[run] + added
    part = total - sums[run]
    lost = (sums[run] - (total - part)) + (added - part)
    sums[run + 1] = total
    rests[run + 1] = rests[run] + lost


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
            _extend(low_sum, low_rest, place, low)
            _extend(high_sum, high_rest, place, high)
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
def _extend(
    sums: NDArray[np.float64], rests: NDArray[np.float64], place: int, value: float
) -> None:
    """Extend prefix sums; what rounding loses is summed up apart (Knuth, TAOCP 2, 4.2.2)."""
    total = sums[place] + value
    part = total - sums[place]
    lost = (sums[place] - (total - part)) + (value - part)
    sums[place + 1] = total
    rests[place + 1] = rests[place] + lost
