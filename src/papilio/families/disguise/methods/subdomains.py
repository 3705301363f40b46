"""What is published instead of values: for each group a multiset of subdomains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree


@dataclass(frozen=True, eq=False)
class Subdomains:
    """Subdomains of all groups, as nodes of a domain tree and how often each is used.

    Attributes
    ----------
    offsets
        Group -> where its subdomains start; one more entry at the end.
    nodes, counts
        The subdomains and how often each is used.
    """

    offsets: NDArray[np.int64]
    nodes: NDArray[np.int32]
    counts: NDArray[np.int64]

    @property
    def groups(self) -> int:
        """Number of groups."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Group -> number of subdomains, those of fake values included."""
        until = np.concatenate([[0], np.cumsum(self.counts)])
        sizes: NDArray[np.int64] = until[self.offsets[1:]] - until[self.offsets[:-1]]
        return sizes

    def of(self, group: int) -> dict[int, int]:
        """Subdomain -> how often a group uses it."""
        place = slice(self.offsets[group], self.offsets[group + 1])
        return dict(zip(self.nodes[place].tolist(), self.counts[place].tolist(), strict=True))

    def cost(self, tree: DomainTree) -> float:
        """Sum of the ranges of all subdomains (Problem 3.4.1)."""
        return float(tree.span[self.nodes] @ self.counts)


def together(groups: Sequence[dict[int, int]]) -> Subdomains:
    """Put the subdomains of single groups together, each a node -> how often it is used."""
    lengths = [len(group) for group in groups]
    return Subdomains(
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.array([node for group in groups for node in group], dtype=np.int32),
        np.array([many for group in groups for many in group.values()], dtype=np.int64),
    )


def from_sizes(tree: DomainTree, size: NDArray[np.int64]) -> dict[int, int]:
    """Subdomain -> how often it is used, from the number of subdomains in each subtree."""
    kept = size.copy()
    np.subtract.at(kept, tree.parent[1:], size[1:])
    used = np.flatnonzero(kept)
    return dict(zip(used.tolist(), kept[used].tolist(), strict=True))
