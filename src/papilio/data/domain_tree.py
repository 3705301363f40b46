"""The tree over the domain of a numeric or ordered column, whose nodes are its subdomains."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.errors import InternalError


@dataclass(frozen=True, eq=False)
class DomainTree:
    """Subdomains of a column: a rooted tree whose leaves are cells of the domain, in order.

    Nodes are numbered depth first, so a node covers a run of leaves and its subtree is a run of
    nodes. Every inner node has at least two children: a subdomain is one node, and the interval of
    a node tells which (Zhang, section 3.3.1; subdomains are nodes, papers D3.1).

    Attributes
    ----------
    parent
        Node -> parent; the root, node 0, has -1.
    end
        Node -> one more than the last node of its subtree; ``node + 1`` for a leaf.
    first, last
        Node -> first and last leaf it covers.
    lows, highs
        Leaf -> smallest and largest value it stands for, ascending. The two are equal where a leaf
        is one value; labels of ordered categories are always equal.
    """

    parent: NDArray[np.int32]
    end: NDArray[np.int32]
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    lows: pl.Series
    highs: pl.Series

    def __post_init__(self) -> None:
        inner = self.end > np.arange(len(self.end)) + 1
        children = np.bincount(self.parent[1:], minlength=len(self.parent))
        if (children[inner] < 2).any() or len(self.lows) != int(self.last[0]) + 1:
            raise InternalError("a node has one child or a leaf no bounds", reason="domain-tree")

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.parent)

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return len(self.lows)

    @cached_property
    def leaf_node(self) -> NDArray[np.int32]:
        """Leaf -> its node."""
        return np.flatnonzero(self.end == np.arange(self.nodes) + 1).astype(np.int32)

    @cached_property
    def depth(self) -> NDArray[np.int32]:
        """Node -> number of nodes above it."""
        depth = np.zeros(self.nodes, dtype=np.int32)
        for node in range(1, self.nodes):
            depth[node] = depth[self.parent[node]] + 1
        return depth

    @property
    def height(self) -> int:
        """Largest number of steps from a leaf to the root."""
        return int(self.depth.max())

    @cached_property
    def span(self) -> NDArray[np.float64]:
        """Node -> range: largest minus smallest value; steps in the order for labels."""
        if not self.lows.dtype.is_numeric():
            return (self.last - self.first).astype(np.float64)
        low, high = self.lows.to_numpy(), self.highs.to_numpy()
        spans: NDArray[np.float64] = (high[self.last] - low[self.first]).astype(np.float64)
        return spans

    def children(self, node: int) -> list[int]:
        """Children of a node, in order."""
        found, child = [], node + 1
        while child < self.end[node]:
            found.append(child)
            child = int(self.end[child])
        return found

    def sums(self, of_leaves: NDArray[np.int64]) -> NDArray[np.int64]:
        """Node -> sum over the leaves below it. Cost: one pass."""
        until = np.concatenate([[0], np.cumsum(of_leaves)])
        sums: NDArray[np.int64] = until[self.last + 1] - until[self.first]
        return sums


def balanced(lows: pl.Series, highs: pl.Series, arity: int = 2) -> DomainTree:
    """Build a balanced tree over cells in the given order.

    A node over n cells has min(arity, n) children, whose sizes differ by one at most, larger ones
    first; with arity 2 they hold ceil(n / 2) and floor(n / 2) cells. Cost: the number of nodes.
    """
    parent: list[int] = []
    first: list[int] = []
    last: list[int] = []
    waiting = [(-1, 0, len(lows))]
    while waiting:
        above, start, stop = waiting.pop()
        node, size = len(parent), stop - start
        parent.append(above)
        first.append(start)
        last.append(stop - 1)
        if size > 1:
            cuts = _cuts(size, min(arity, size))
            pairs = itertools.pairwise(cuts)
            waiting += [(node, start + a, start + b) for a, b in reversed(list(pairs))]
    return from_parents(parent, first, last, lows, highs)


def from_parents(
    parent: Sequence[int],
    first: Sequence[int],
    last: Sequence[int],
    lows: pl.Series,
    highs: pl.Series,
) -> DomainTree:
    """Put together a tree whose nodes are numbered depth first; find where subtrees end."""
    end = np.arange(1, len(parent) + 1, dtype=np.int32)
    for node in range(len(parent) - 1, 0, -1):
        end[parent[node]] = max(end[parent[node]], end[node])
    nodes, starts, stops = (np.asarray(each, dtype=np.int32) for each in (parent, first, last))
    return DomainTree(nodes, end, starts, stops, lows, highs)


def _cuts(size: int, parts: int) -> list[int]:
    each, more = divmod(size, parts)
    return [part * each + min(part, more) for part in range(parts + 1)]
