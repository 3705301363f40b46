"""Chances of orders of lines by writing all orders out; slow and obvious."""

from fractions import Fraction
from itertools import permutations, product


def orders(block, key):
    """All orders of the keys inside their blocks; equal keys stay different lines."""
    parts = {}
    for number, value in zip(block, key, strict=True):
        parts.setdefault(number, []).append(value)
    for chosen in product(*(list(permutations(part)) for part in parts.values())):
        yield [value for part in chosen for value in part]


def wrong_pairs(block, key):
    """Pairs of one block of which the first is larger."""
    lines = range(len(key))
    return sum(
        1 for i in lines for j in lines if i < j and block[i] == block[j] and key[i] > key[j]
    )


def trend(block, key):
    """Share of all orders that are as far from the middle, on either side."""
    found = [wrong_pairs(block, order) for order in orders(block, key)]
    middle = Fraction(max(found) + min(found), 2)
    here = abs(wrong_pairs(block, key) - middle)
    return Fraction(sum(abs(each - middle) >= here for each in found), len(found))
