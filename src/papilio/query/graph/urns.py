"""Questions with an attribute on one side only: from each group, so many are drawn at random.

A group of n nodes hides n entities. If c of them could count, each with a value, and d places of
the group do count, then the h that count are a random subset: h of the c values, h hypergeometric.
Either the c are entities that an attribute selects and the d are nodes that the structure selects,
or the other way round. Bounds are tight, mean and variance exact (docs/papers.md):

=====  ============================================================================================
COUNT  sum of h; h from max(0, c + d - n) to min(c, d), mean c d / n
SUM    the h smallest or largest values; mean d/n sum(v), variance d (n - d)/(n - 1) S², where S² is
       the variance of the n values, those that cannot count being 0
AVG    the largest t for which some drawing has sum(v - t) >= 0
MAX    P(MAX <= x) = product over groups of C(n - #(v > x), d) / C(n, d)
=====  ============================================================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from papilio.query.answer import Bounds
from papilio.query.graph.grouped import Floats, GroupedSide, Ints, Mask, bounds, whole


@dataclass(frozen=True, eq=False)
class Urns:
    """What may count, by group.

    Attributes
    ----------
    size, draws
        Of each group: n and d.
    values, group
        The values that may count, ascending within each group, and their groups, ascending.
    """

    size: Ints
    draws: Ints
    values: Floats
    group: Ints

    @cached_property
    def count(self) -> Ints:
        """Number of values in each group: c."""
        return np.bincount(self.group, minlength=len(self.size))

    @property
    def least(self) -> Ints:
        """Fewest that count in each group."""
        least: Ints = np.maximum(0, self.count + self.draws - self.size)
        return least

    @property
    def most(self) -> Ints:
        """Most that count in each group."""
        return np.minimum(self.count, self.draws)

    @cached_property
    def rank(self) -> Ints:
        """Place of each value within its group, from 0."""
        first = np.concatenate([[0], np.cumsum(self.count)[:-1]])
        rank: Ints = np.arange(len(self.values)) - first[self.group]
        return rank


def entity_urns(side: GroupedSide, entities: Mask, nodes: Mask, values: Floats) -> Urns:
    """Values of the chosen entities; the chosen nodes are the places that count."""
    return _urns(side, side.nodes_per_group(nodes), values, side.group_of_entity, entities)


def node_urns(side: GroupedSide, entities: Mask, nodes: Mask, values: Floats) -> Urns:
    """Values of the chosen nodes; the chosen entities are the places that count."""
    return _urns(side, side.entities_per_group(entities), values, side.group_of_node, nodes)


def _urns(side: GroupedSide, draws: Ints, values: Floats, groups: Ints, chosen: Mask) -> Urns:
    order = np.lexsort((values[chosen], groups[chosen]))
    return Urns(side.sizes, draws, values[chosen][order], groups[chosen][order])


def count_drawn(urns: Urns) -> Bounds:
    """COUNT of what is drawn."""
    n, c, d = urns.size, urns.count, urns.draws
    variance = c * d * (n - c) * (n - d) / (n.astype(float) ** 2 * np.maximum(n - 1, 1))
    return bounds(
        int(urns.least.sum()), int(urns.most.sum()), float((c * d / n).sum()), float(variance.sum())
    )


def sum_drawn(urns: Urns) -> Bounds:
    """SUM of what is drawn; nothing drawn is 0."""
    share = urns.draws / urns.size
    totals = np.bincount(urns.group, urns.values, minlength=len(urns.size))
    squares = np.bincount(urns.group, urns.values**2, minlength=len(urns.size))
    spread = np.maximum(squares / urns.size - (totals / urns.size) ** 2, 0)
    variance = urns.draws * (urns.size - urns.draws) / np.maximum(urns.size - 1, 1) * spread
    low, high = -_largest_sum(_negated(urns)), _largest_sum(urns)
    integer = whole(urns.values)
    return bounds(low, high, float((share * totals).sum()), float(variance.sum()), integer=integer)


def average_drawn(urns: Urns) -> Bounds:
    """AVG of what is drawn, if anything is."""
    if not urns.most.sum():
        return Bounds.known(None)
    low, high = -_largest_average(_negated(urns)), _largest_average(urns)
    count = int(urns.most.sum())
    if (urns.least == urns.most).all():
        total = sum_drawn(urns)
        assert isinstance(total.estimate, int | float) and total.std is not None  # noqa: S101,PT018
        return bounds(low, high, total.estimate / count, (total.std / count) ** 2)
    return bounds(low, high, None, None)


def largest_drawn(urns: Urns) -> Bounds:
    """MAX of what is drawn, if anything is; with its exact distribution."""
    if not urns.most.sum():
        return Bounds.known(None)
    possible = urns.most[urns.group] > 0
    high = float(urns.values[possible].max())
    sure = (urns.least[urns.group] > 0) & (urns.rank == urns.least[urns.group] - 1)
    low = float(urns.values[sure].max() if sure.any() else urns.values[possible].min())
    mean, variance = _moments_of_largest(urns)
    return bounds(low, high, mean, variance, integer=whole(urns.values))


def smallest_drawn(urns: Urns) -> Bounds:
    """MIN of what is drawn, if anything is."""
    return negative(largest_drawn(_negated(urns)))


def negative(of: Bounds) -> Bounds:
    """Bounds of minus the answer."""
    turned = [None if each is None else -each for each in (of.hi, of.lo, of.estimate)]  # type: ignore[operator]
    return Bounds(turned[0], turned[1], turned[2], of.std, of.exact)


def _negated(urns: Urns) -> Urns:
    order = np.lexsort((-urns.values, urns.group))
    return Urns(urns.size, urns.draws, -urns.values[order], urns.group[order])


def _largest_sum(urns: Urns) -> float:
    """Largest sum of what may be drawn; negative values only if forced.

    Rounded once, so that equal sums are equal whatever the order.
    """
    from_above = urns.count[urns.group] - 1 - urns.rank
    forced = from_above < urns.least[urns.group]
    allowed = from_above < urns.most[urns.group]
    return math.fsum(urns.values[forced | (allowed & (urns.values > 0))])


def _largest_average(urns: Urns) -> float:
    """Largest average, by Dinkelbach's iteration: t becomes the average of the best drawing."""
    possible = urns.most[urns.group] > 0
    t = float(urns.values[possible].min())
    from_above = urns.count[urns.group] - 1 - urns.rank
    forced = from_above < urns.least[urns.group]
    allowed = from_above < urns.most[urns.group]
    while True:
        chosen = forced | (allowed & (urns.values > t))
        if not chosen.any():
            return t
        better = math.fsum(urns.values[chosen]) / int(chosen.sum())
        if better <= t:
            return t
        t = better


def _moments_of_largest(urns: Urns) -> tuple[float, float]:
    """Mean and variance of the maximum, given that there is one.

    Going up through the values, a group's factor C(n - m, d) / C(n, d) changes when one of its m
    larger values is passed; logarithms of the factors that are not 0 are added up.
    """
    order = np.argsort(urns.values, kind="stable")
    values, groups = urns.values[order], urns.group[order]
    # Above the value of rank r there are count - 1 - r others; ties are settled by the order.
    above = (urns.count[urns.group] - urns.rank)[order]
    before = _log_miss(urns, groups, above)
    after = _log_miss(urns, groups, above - 1)
    start = _log_miss(urns, np.arange(len(urns.size)), urns.count)
    zeros = int(np.isneginf(start).sum()) - np.cumsum(
        np.isneginf(before).astype(int) - np.isneginf(after).astype(int)
    )
    finite = np.where(np.isneginf(start), 0, start).sum() + np.cumsum(
        np.where(np.isneginf(after), 0, after) - np.where(np.isneginf(before), 0, before)
    )
    below = np.where(zeros > 0, 0.0, np.exp(np.minimum(finite, 0)))
    none = 0.0 if np.isneginf(start).any() else float(np.exp(start.sum()))
    chance = np.diff(np.concatenate([[none], below])).clip(0)
    total = chance.sum()
    mean = float(chance @ values / total)
    return mean, float(chance @ (values - mean) ** 2 / total)


def _log_miss(urns: Urns, groups: Ints, marked: Ints) -> Floats:
    """Log of C(n - m, d) / C(n, d): none of m marked ones is among d drawn of n."""
    from scipy.special import gammaln

    n, d = urns.size[groups].astype(float), urns.draws[groups].astype(float)
    possible = n - marked >= d
    m = np.where(possible, marked, 0)
    log = gammaln(n - m + 1) - gammaln(n - m - d + 1) - gammaln(n + 1) + gammaln(n - d + 1)
    return np.where(possible, log, -np.inf)
