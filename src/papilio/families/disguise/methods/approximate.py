"""Tolerance: at every node the admissible ratio that pushes most values down (section 3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from papilio.data.weighted_tree import WeightedTree


def push_with_shift(
    count: NDArray[np.int64], target: WeightedTree, shift: Fraction
) -> NDArray[np.int64]:
    """Push values down where the share of each child may differ from the target's by ``shift``.

    At each node the largest number of values goes down of which some division among the children
    keeps every share within the tolerance and fits the values there are. That number is not reached
    by the ratio nearest to the data, as section 3.6 of Zhang has it, but by the one with
    the largest achievable push (papers D3.17); shares are those among the children of the node
    (papers D3.16). For two children no smaller push costs less, whatever happens below; which of
    several divisions of the same number is taken is a rule, the one nearest to the data, which on
    1499 small inputs cost more than the best of all divisions in one.

    Parameters
    ----------
    count
        Node -> values below it.
    target
        The distribution.
    shift
        Largest difference of a share.

    Returns
    -------
    numpy.ndarray
        Node -> number of subdomains in its subtree.

    Notes
    -----
    Whole numbers throughout. Cost: the nodes that get something, times the steps down to a number
    that can be divided, at most the sum of the weights and typically 1 / shift.
    """
    size = np.zeros(target.tree.nodes, dtype=np.int64)
    size[0] = count[0]
    for node in range(target.tree.nodes):
        total = int(target.total[node])
        if size[node] == 0 or total == 0:
            continue
        children = target.tree.children(node)
        shares = [Fraction(int(w), total) for w in target.weight[children]]
        size[children] = divide(count[children].tolist(), int(size[node]), shares, shift)
    return size


def divide(
    counts: Sequence[int], most: int, shares: Sequence[Fraction], shift: Fraction
) -> list[int]:
    """Largest admissible division of at most ``most`` values among children, nearest to the data.

    Parameters
    ----------
    counts
        Values below each child.
    most
        Bound on the sum.
    shares
        The target's share of each child.
    shift
        Largest difference of a share.
    """
    low = [max(share - shift, Fraction(0)) for share in shares]
    high = [min(share + shift, Fraction(1)) for share in shares]
    pushed = min(most, _largest(counts, low, high))
    while pushed > 0:
        least = [-(-pushed * part.numerator // part.denominator) for part in low]
        room = [
            min(n, pushed * part.numerator // part.denominator)
            for n, part in zip(counts, high, strict=True)
        ]
        fits = all(a <= b for a, b in zip(least, room, strict=True))
        if fits and sum(least) <= pushed <= sum(room):
            return _nearest_division(counts, pushed, least, room)
        pushed -= 1
    return [0] * len(counts)


def _largest(counts: Sequence[int], low: Sequence[Fraction], high: Sequence[Fraction]) -> int:
    """Bound on what can be pushed, shares and counts taken for real numbers."""
    bounds = [n // part for n, part in zip(counts, low, strict=True) if part > 0]
    most = min([sum(counts), *bounds])
    below, above = 0, most
    while below < above:
        middle = (below + above + 1) // 2
        room = sum(min(Fraction(n), part * middle) for n, part in zip(counts, high, strict=True))
        below, above = (middle, above) if room >= middle else (below, middle - 1)
    return below


def _nearest_division(
    counts: Sequence[int], pushed: int, least: Sequence[int], room: Sequence[int]
) -> list[int]:
    """Division in proportion to the counts, as far as the bounds let it be."""
    everything = sum(counts)
    division = [
        min(max(pushed * n // everything, low), high)
        for n, low, high in zip(counts, least, room, strict=True)
    ]
    missing = pushed - sum(division)
    for child in sorted(range(len(counts)), key=lambda c: -counts[c]):
        step = min(missing, room[child] - division[child])
        step = max(step, least[child] - division[child]) if missing < 0 else step
        division[child] += step
        missing -= step
    return division
