"""Fake values: the best number of them up to a limit, and what is published then (Algorithm 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.data.domain_tree import WeightedTree
from papilio.kernels.fake_values import choose_sizes, fill_tables, reach, table_shapes

#: Steps that the search may take in one group; about ten seconds.
MOST_STEPS = 10_000_000_000
#: Entries that the tables of one group may have; about one gigabyte.
MOST_ENTRIES = 120_000_000


@dataclass(frozen=True, eq=False)
class WithFakes:
    """Result of a search for fake values.

    Attributes
    ----------
    size
        Node -> number of subdomains in its subtree; the root has rows and fake values.
    fakes
        Number of fake values.
    cost
        Sum of the ranges.
    costs
        Number of fake values -> least sum of ranges with exactly so many.
    searched
        Largest number of fake values that was tried; smaller than the limit where that would take
        too long.
    """

    size: NDArray[np.int64]
    fakes: int
    cost: float
    costs: NDArray[np.float64]
    searched: int


def with_fake_values(
    leaf_counts: NDArray[np.int64],
    target: WeightedTree,
    limit: int,
    entries: int = MOST_ENTRIES,
) -> WithFakes:
    """Find the number of fake values, at most ``limit``, for which the sum of ranges is least.

    Of several numbers with the same sum the smallest is taken. The published multiset holds one
    subdomain for each value, real or fake, and is P-private (Zhang, Problem 3.5.1).

    Parameters
    ----------
    leaf_counts
        Leaf -> number of values of the group.
    target
        The distribution.
    limit
        Most fake values.
    entries
        Entries of eight bytes that the tables of the search may have; fewer fake values are tried
        if they would have more.

    Notes
    -----
    Algorithm 4 with the corrections of papers D3.3 to D3.5, for any number of children. State and
    bounds: a node, the number of subdomains in its subtree, which lies between what is pushed
    without fake values and what is pushed if every node had ``limit`` of them, and the number of
    fake values, at most the number of subdomains. With the cost B(j) of pushing j lots, all sizes u
    share one running minimum over j, so a state costs O(limit) only once per j. Cost: at most
    O(limit^2 * sum over nodes of subdomains / sum of weights).
    """
    count = target.tree.sums(leaf_counts)
    while True:
        search = _Search.plan(count, target, limit)
        if search.fits(entries):
            return search.run()
        limit //= 2


@dataclass(frozen=True, eq=False)
class _Search:
    """One group, one limit: the shapes of the tables."""

    count: NDArray[np.int64]
    target: WeightedTree
    limit: int
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    place: NDArray[np.int64]

    @classmethod
    def plan(cls, count: NDArray[np.int64], target: WeightedTree, limit: int) -> _Search:
        tree = target.tree
        low, _ = reach(count, 0, tree.end, target.weight, target.total)
        high, high_size = reach(count, limit, tree.end, target.weight, target.total)
        shapes = table_shapes(limit, tree.parent, low, high, high_size)
        return cls(count, target, limit, low, high, *shapes)

    def fits(self, entries: int) -> bool:
        """Whether the search takes a reasonable time and memory; without fake values it does."""
        steps = float(((self.high - self.low + 1) * self.columns.astype(float) ** 2).sum())
        small = steps <= MOST_STEPS and self.place[-1] <= entries
        return self.limit == 0 or small

    def run(self) -> WithFakes:
        tree, target = self.target.tree, self.target
        children = np.bincount(tree.parent[1:], minlength=1).max(initial=1)
        joined = np.empty((int(children) + 1, self.limit + 1))
        shape = (self.low, self.high, self.rows, self.columns, self.place)
        arrays = (tree.end, target.weight, target.total, tree.span)
        table = fill_tables(self.count, tree.parent, *arrays, *shape, joined)
        wide = int(self.columns[0])
        costs = table[: (self.limit + 1) * wide].reshape(-1, wide)
        numbers = np.arange(self.limit + 1)
        by_number = costs[numbers, np.minimum(numbers, wide - 1)]
        fakes = int(np.argmin(by_number))
        size = choose_sizes(fakes, self.count, *arrays, *shape, table, joined)
        return WithFakes(size, fakes, float(by_number[fakes]), by_number, self.limit)
