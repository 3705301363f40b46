"""The three kinds of l-diversity, slow and exact. Imports nothing of Papilio.

A class is the list of its sensitive values; ``None`` is a value like any other.
"""

from collections import Counter
from fractions import Fraction


def distinct(values, l):
    return len(set(values)) >= l


def compare_entropy(values, l):
    """-1, 0 or 1 as the entropy of the values is below, equal to or above log l.

    - sum c/n log(c/n) >= log l says the same as n^n >= l^n * product of c^c, in whole numbers.
    """
    counts = Counter(values).values()
    n = sum(counts)
    left, right = Fraction(n) ** n, Fraction(l) ** n
    for count in counts:
        right *= Fraction(count) ** count
    return (left > right) - (left < right)


def entropy(values, l):
    return compare_entropy(values, l) >= 0


def recursive(values, c, l):
    ordered = sorted(Counter(values).values(), reverse=True)
    if len(ordered) < l:
        return False
    return ordered[0] < c * sum(ordered[l - 1 :])
