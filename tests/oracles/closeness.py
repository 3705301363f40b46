"""Earth Mover's Distances of t-closeness, slow and exact. Imports nothing of Papilio.

Distributions are lists of fractions over the same domain. Li, Li, Venkatasubramanian, ICDE 2007.
"""

from collections import Counter
from fractions import Fraction


def shares(values, domain):
    counts = Counter(values)
    return [Fraction(counts[each], len(values)) for each in domain]


def equal(p, q):
    """Section 4.2, equal distance: half the sum of the differences."""
    return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


def ordered(p, q):
    """Section 4.1: sum of the absolute values of the running differences, over m - 1."""
    if len(p) < 2:
        return Fraction(0)
    running, total = Fraction(0), Fraction(0)
    for a, b in zip(p, q, strict=True):
        running += a - b
        total += abs(running)
    return total / (len(p) - 1)


def hierarchical(p, q, paths):
    """Section 4.2, hierarchical: each node pays for what is evened out at it, times its height.

    ``paths[i]`` lists the nodes above the i-th value, from its parent to the root.
    """
    heights = node_heights(paths)
    root = paths[0][-1]
    extra = Counter()
    children = {}
    for leaf, path in enumerate(paths):
        nodes = [("leaf", leaf), *path]
        for node in nodes:
            extra[node] += p[leaf] - q[leaf]
        for below, above in zip(nodes, path, strict=False):
            children.setdefault(above, set()).add(below)
    cost = Fraction(0)
    for node, below in children.items():
        surplus = sum(extra[child] for child in below if extra[child] > 0)
        lack = -sum(extra[child] for child in below if extra[child] < 0)
        cost += heights[node] * min(surplus, lack)
    return cost / heights[root]


def node_heights(paths):
    """Steps from each inner node down to its deepest leaf."""
    heights = {}
    for path in paths:
        for steps, node in enumerate(path, start=1):
            heights[node] = max(heights.get(node, 0), steps)
    return heights


def tree_ground(paths):
    """Distance of any two values: height of the lowest common node over that of the root."""
    heights = node_heights(paths)
    root = paths[0][-1]

    def distance(i, j):
        if i == j:
            return Fraction(0)
        common = next(node for node in paths[i] if node in paths[j])
        return Fraction(heights[common], heights[root])

    return [[distance(i, j) for j in range(len(paths))] for i in range(len(paths))]


def line_ground(size):
    return [[Fraction(abs(i - j), max(size - 1, 1)) for j in range(size)] for i in range(size)]


def equal_ground(size):
    return [[Fraction(int(i != j)) for j in range(size)] for i in range(size)]
