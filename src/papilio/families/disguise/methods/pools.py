"""People with levels of their own, counted: who demands what, and who joins which pool."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree, WeightedTree
from papilio.kernels.push_down import push_down
from papilio.privacy.group_floor import GroupFloor, left_by_target
from papilio.privacy.personal import named_nodes

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


@dataclass(frozen=True)
class PoolRule:
    """What pools must leave, and who may join one.

    Attributes
    ----------
    floor
        Every pool has so many people and leaves such values.
    blind
        Whether nobody joins a wider pool because of their value.
    """

    floor: GroupFloor | None = None
    blind: bool = False

    def raised(self, people: People, said: pl.Series) -> People:
        """People who demand the lowest node above their own demand that leaves enough.

        If it is to say nothing about their values, those who say the same are raised to the same
        depth, whatever leaf they are on; ``said`` is what each of them says. Who says 0 gives their
        value away and stays, unless the floor wants more.
        """
        if self.blind:
            texts = said.cast(pl.String).str.strip_chars()
            depths = {text: self._depth(people, text) for text in texts.unique().to_list()}
            depth = np.array([depths[text] for text in texts.to_list()], dtype=np.int32)
            own = people.target.tree.depth[people.demanded]
            depth = np.where(depth < 0, own, depth)
            return replace(people, demanded=ancestors(people.target)[people.codes, depth])
        if self.floor is None or not self.floor.of_values:
            return people
        known = {n: self._lowest(people.target, n) for n in np.unique(people.demanded).tolist()}
        raised = np.array([known[node] for node in people.demanded.tolist()], dtype=np.int32)
        return replace(people, demanded=raised)

    def _depth(self, people: People, text: str | None) -> int:
        """Depth of the pools of all who say something; -1 for that of their own demand."""
        target, tree = people.target, people.target.tree
        nodes = named_nodes(tree, text)
        gives_away = bool((nodes == tree.leaf_node).all()) if len(nodes) == tree.leaves else False
        if gives_away and not (self.floor is not None and self.floor.of_values):
            return -1
        return min(int(tree.depth[self._lowest(target, n)]) for n in np.unique(nodes).tolist())

    def _lowest(self, target: WeightedTree, node: int) -> int:
        """Lowest node from a node upwards that leaves enough."""
        floor, parent = self.floor, target.tree.parent
        while floor is not None and node > 0:
            if target.chance[node] > 0 and floor.holds_with(left_by_target(target, node)):
                break
            node = int(parent[node])
        return node

    def allows(self, target: WeightedTree, joined: ByDepth) -> bool:
        """Whether all pools have enough people."""
        if self.floor is None or self.floor.k <= 1:
            return True
        tree = target.tree
        for depth in range(joined.shape[1]):
            count = tree.sums(joined[:, depth])[tree.depth == depth]
            if ((count > 0) & (count < self.floor.k)).any():
                return False
        return True

    def filled(self, target: WeightedTree, joined: ByDepth) -> ByDepth:
        """Put the people of pools that are too small into the pool above.

        Where too few are left at the root, the smallest other pools join them. Everybody's pool
        only gets wider. Cost: for each depth the nodes of the tree.
        """
        least = 1 if self.floor is None else self.floor.k
        tree, joined = target.tree, joined.copy()
        if least <= 1:
            return joined
        for depth in range(joined.shape[1] - 1, 0, -1):
            count = tree.sums(joined[:, depth])
            small = (tree.depth == depth) & (count > 0) & (count < least)
            for pool in np.flatnonzero(small).tolist():
                _lift(tree, joined, pool, depth - 1)
        while 0 < joined[:, 0].sum() < least and joined[:, 1:].any():
            sizes = {
                pool: int(joined[tree.first[pool] : tree.last[pool] + 1, tree.depth[pool]].sum())
                for pool in range(1, tree.nodes)
            }
            some = [pool for pool, size in sizes.items() if size]
            _lift(tree, joined, min(some, key=lambda pool: (sizes[pool], pool)), 0)
        return joined


#: Pools may be of anybody, and leave anything.
NO_RULE = PoolRule()


def _lift(tree: DomainTree, joined: ByDepth, pool: int, depth: int) -> None:
    """Move the people of a pool to the one at a depth above it."""
    inside, own = slice(tree.first[pool], tree.last[pool] + 1), int(tree.depth[pool])
    joined[inside, depth] += joined[inside, own]
    joined[inside, own] = 0


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
