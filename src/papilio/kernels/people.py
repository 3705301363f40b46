"""Rows of a class by the people whose they are.

People who have one row in the whole table share the last code of the column of people: nothing that
is asked about people who have several rows is asked about them. The others have codes of their own
from 0 on.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.count_values import SPREAD, sort_numbers
from papilio.kernels.jit import kernel

#: More than an entropy, or a bound of one, can be wrong by in floating point.
_MARGIN = 1e-9
#: Spreads codes over a table (Knuth, The Art of Computer Programming 3, section 6.4).
_SPREAD_OUT = 2654435769
_WORD = 0xFFFFFFFF


@kernel
def nobody_owns_much(
    codes: NDArray[np.int32],
    rows: NDArray[np.int32],
    column: int,
    size: int,
    least: int,
    most: int,
) -> bool:
    """Whether ``least`` times the rows of any one person are at most all rows.

    Parameters
    ----------
    codes, rows
        Codes of the whole table, and the rows of the class, at least ``least``.
    column, size
        The column of people, and how many codes it has.
    least
        k.
    most
        Most rows that one person has in the whole table.

    Notes
    -----
    Cost: O(1) for classes of ``least * most`` rows, expected O(m) for others of m rows: people are
    counted in a table of at least 2 m places, each at the first free place from its own on.
    """
    many = len(rows)
    if least <= 1 or least * most <= many:
        return True
    allowed = many // least
    bits = 1
    while 1 << bits < 2 * many:
        bits += 1
    mask = (1 << bits) - 1
    shift = 32 - bits
    held = np.full(1 << bits, -1, np.int32)
    counts = np.zeros(1 << bits, np.int32)
    for row in rows:
        code = codes[row, column]
        if code == size - 1:
            continue
        place = ((np.int64(code) * _SPREAD_OUT) & _WORD) >> shift if shift > 0 else code & mask
        while held[place] != code and held[place] >= 0:
            place = (place + 1) & mask
        held[place] = code
        counts[place] += 1
        if counts[place] > allowed:
            return False
    return True


@kernel
def rows_by_person(
    codes: NDArray[np.int32], rows: NDArray[np.int32], column: int, size: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Rows of people who have several in the table, person after person, and where each begins.

    The last entry of the second array is the number of rows in the first. Cost: O(m) for m rows
    if there are at most 8 m codes, O(m log m) otherwise.
    """
    alone = size - 1
    found = 0
    for row in rows:
        found += codes[row, column] < alone
    ordered = np.empty(found, np.int32)
    if size <= SPREAD * len(rows):
        ends = np.zeros(size, np.int64)
        for row in rows:
            ends[codes[row, column]] += 1
        reached = 0
        for code in range(alone):
            reached += ends[code]
            ends[code] = reached - ends[code]
        for row in rows:
            code = codes[row, column]
            if code < alone:
                ordered[ends[code]] = row
                ends[code] += 1
    else:
        keys = np.empty(found, np.int64)
        place = 0
        for row in rows:
            if codes[row, column] < alone:
                keys[place] = (np.int64(codes[row, column]) << 31) | np.int64(row)
                place += 1
        sort_numbers(keys)
        for place in range(found):
            ordered[place] = keys[place] & 0x7FFFFFFF
    starts = np.empty(found + 1, np.int64)
    people = 0
    for place in range(found):
        if place == 0 or codes[ordered[place], column] != codes[ordered[place - 1], column]:
            starts[people] = place
            people += 1
    starts[people] = found
    return ordered, starts[: people + 1]


@kernel
def place_of(values: NDArray[np.int64], code: int) -> int:
    """Where a code stands among ascending ones."""
    low = 0
    high = len(values) - 1
    while low < high:
        middle = (low + high) // 2
        if values[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def distinct_spares(counts: NDArray[np.int64], least: int) -> int:
    """Rows that may be taken from a class, whichever they are, before values are too few.

    To leave fewer than ``least`` values, all rows of so many of them must go; fewest rows do that
    if the values are the rarest ones.
    """
    ascending = counts.copy()
    sort_numbers(ascending)
    taken = -1
    for place in range(len(counts) - least + 1):
        taken += ascending[place]
    return max(taken, 0)


@kernel
def recursive_spares(
    counts: NDArray[np.int64], rows: int, least: int, numerator: int, denominator: int
) -> int:
    """Rows that may be taken from a class, whichever they are, before r_1 < c (r_l + ...) can fail.

    Taking x rows leaves r_1 at most as large, and the sum of the l - 1 largest too, so that the
    rest loses at most x: r_1 < c (rest - x) is enough.
    """
    if len(counts) < least:
        return 0
    ascending = counts.copy()
    sort_numbers(ascending)
    rest = rows
    for place in range(least - 1):
        rest -= ascending[len(ascending) - 1 - place]
    needed = ascending[-1] * denominator // numerator + 1
    return int(max(rest - needed, 0))


@kernel
def entropy_spares(counts: NDArray[np.int64], rows: int, most: int, limit: float) -> int:
    """Rows, ``most`` or a part of it, that may be taken before an entropy can fall below a limit.

    With s = x / n the share that x rows of a class of n have, H the entropy of the class, H' that
    of the rest and h(s) that of the two shares, H <= h(s) + s log x + (1 - s) H', because x rows
    have at most x values. The bound on H' that follows becomes smaller the larger x is.
    """
    total = 0.0
    for count in counts:
        total += count * math.log(count)
    entropy = math.log(rows) - total / rows
    taken = min(most, rows - 1)
    while taken > 0:
        share = taken / rows
        two = -share * math.log(share) - (1 - share) * math.log(1 - share)
        if (entropy - two - share * math.log(taken)) / (1 - share) >= limit + 2 * _MARGIN:
            return taken
        taken //= 2
    return 0
