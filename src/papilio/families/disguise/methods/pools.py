"""People with levels of their own, counted: who demands what, and who joins which pool."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from papilio.data.domain_tree import WeightedTree
from papilio.kernels.push_down import push_down

#: Joined or demanded: leaf, depth -> number of people.
ByDepth = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class People:
    """One group of people and the subdomain each demands.

    Attributes
    ----------
    target
        The distribution.
    codes
        Leaf of each person's value.
    demanded
        Node each person names; it covers the person's leaf.
    counts
        How many people each entry stands for; left out, one.
    """

    target: WeightedTree
    codes: NDArray[np.int32]
    demanded: NDArray[np.int32]
    counts: NDArray[np.int64] | None = None

    @cached_property
    def need(self) -> ByDepth:
        """Leaf, depth -> people who demand the node at this depth above the leaf."""
        return self._table(self.target.tree.depth[self.demanded])

    def _table(self, depth: NDArray[np.int32]) -> ByDepth:
        tree = self.target.tree
        found = np.zeros((tree.leaves, tree.height + 1), dtype=np.int64)
        np.add.at(found, (self.codes, depth), 1 if self.counts is None else self.counts)
        return found

    def shares(
        self, joined: ByDepth
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Entry, depth of a pool above it, and how many of its people join that pool.

        At each leaf the strongest demands take the highest pools, as in :meth:`assign`; so an entry
        that stands for many people may have several pools.
        """
        wanted = self.target.tree.depth[self.demanded]
        order = np.lexsort((wanted, self.codes))
        counts = np.ones(len(order), np.int64) if self.counts is None else self.counts[order]
        # Both add up to the same number at each leaf: one can be laid over the other.
        of_entries, of_pools = np.cumsum(counts), np.cumsum(joined)
        ends = np.union1d(of_entries, of_pools)
        starts = np.concatenate([[0], ends[:-1]])
        some = ends > starts
        starts, sizes = starts[some], (ends - starts)[some]
        entry = order[np.searchsorted(of_entries, starts, side="right")]
        depth = np.searchsorted(of_pools, starts, side="right") % joined.shape[1]
        return entry, depth, sizes

    def assign(self, joined: ByDepth) -> NDArray[np.int32]:
        """Pool of each person: at each leaf the strongest demands take the highest pools."""
        tree = self.target.tree
        order = np.lexsort((tree.depth[self.demanded], self.codes))
        depth = np.empty(len(self.codes), dtype=np.int32)
        depths = np.arange(joined.shape[1], dtype=np.int32)
        depth[order] = np.concatenate([np.repeat(depths, row) for row in joined])
        return ancestors(self.target)[self.codes, depth]


def ancestors(target: WeightedTree) -> NDArray[np.int32]:
    """Leaf, depth -> node at this depth above the leaf; -1 below the leaf's own depth."""
    tree = target.tree
    found = np.full((tree.leaves, tree.height + 1), -1, dtype=np.int32)
    for leaf, node in enumerate(tree.leaf_node.tolist()):
        while node >= 0:
            found[leaf, tree.depth[node]] = node
            node = int(tree.parent[node])
    return found


def pool_costs(people: People, joined: ByDepth) -> float:
    """Sum of ranges if people join pools so: Algorithm 3 in each pool."""
    spans = people.target.tree.span
    pools = generalise_pools(people.target, joined)
    return float(sum(spans[node] * many for pool in pools.values() for node, many in pool.items()))


def generalise_pools(target: WeightedTree, joined: ByDepth) -> dict[int, dict[int, int]]:
    """Pool -> its subdomains and how often each is used; optimal for these pools (Theorem 5).

    Cost: for each depth the nodes of the tree.
    """
    tree = target.tree
    found: dict[int, dict[int, int]] = {}
    nodes, counts = np.empty(tree.nodes, np.int32), np.empty(tree.nodes, np.int64)
    for depth in range(joined.shape[1]):
        count = tree.sums(joined[:, depth])
        for pool in np.flatnonzero((tree.depth == depth) & (count > 0)).tolist():
            size = int(count[pool])
            used = push_down(
                count, size, pool, tree.end, target.weight, target.total, nodes, counts
            )
            pairs = zip(nodes[:used].tolist(), counts[:used].tolist(), strict=True)
            found[pool] = dict(pairs)
    return found
