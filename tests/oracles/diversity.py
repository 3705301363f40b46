"""The three kinds of l-diversity, slow and exact. Imports nothing of Papilio.

A class is the list of its sensitive values; ``None`` is a value like any other.
"""

from collections import Counter
from fractions import Fraction


def distinct(values, least):
    return len(set(values)) >= least


def compare_entropy(values, least):
    """-1, 0 or 1 as the entropy of the values is below, equal to or above log least.

    - sum c/n log(c/n) >= log l says the same as n^n >= l^n * product of c^c, in whole numbers.
    """
    counts = Counter(values).values()
    n = sum(counts)
    left, right = Fraction(n) ** n, Fraction(least) ** n
    for count in counts:
        right *= Fraction(count) ** count
    return (left > right) - (left < right)


def entropy(values, least):
    return compare_entropy(values, least) >= 0


def recursive(values, c, least):
    ordered = sorted(Counter(values).values(), reverse=True)
    if len(ordered) < least:
        return False
    return ordered[0] < c * sum(ordered[least - 1 :])
