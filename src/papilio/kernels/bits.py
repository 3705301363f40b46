"""Bits of machine words, which hold small sets of codes."""

from __future__ import annotations

import numpy as np

from papilio.kernels.jit import kernel

#: Set attributes with at most this many values are kept as the bits of a word.
WORD = 64


@kernel
def count_bits(word: int | np.uint64) -> int:
    """Number of ones in a word. The compiler knows this loop and makes it one instruction."""
    count = 0
    rest = np.uint64(word)
    while rest:
        rest &= rest - np.uint64(1)
        count += 1
    return count


@kernel
def lowest_and_highest_bit(word: int | np.uint64) -> tuple[int, int]:
    """Positions of the lowest and the highest one of a word that is not zero."""
    rest = np.uint64(word)
    one = np.uint64(1)
    lowest = 0
    while not (rest >> np.uint64(lowest)) & one:
        lowest += 1
    highest = 63
    while not (rest >> np.uint64(highest)) & one:
        highest -= 1
    return lowest, highest
