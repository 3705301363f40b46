"""What someone who knows how values were pushed down a tree believes of them afterwards."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from papilio.data.weighted_tree import WeightedTree
from papilio.privacy.calibrated_push import push_chances

_Vector = NDArray[np.float64]


class TargetPosterior:
    """Expected share of each subdomain, given what one group publishes.

    Prior: the group's values are independent draws from the target, so numbers of values below the
    children of a node are multinomial. Seen: how many subdomains are inside each node. The method
    is known: at every node the number of lots pushed is the largest that fits, or was drawn by
    chance. So lots j at node N tell that every child C holds at least j w_C values and, if more
    lots would have been possible, that not every one holds (j + 1) w_C.

    With f_N(g) the likelihood of what is seen below N if N holds g values, Poisson weights make f
    of a node the convolution of its children's, cut off at what is known; a pass down the tree
    gives the expected number of values below each node. Exact up to rounding.

    Parameters
    ----------
    target
        The distribution.
    size
        Node -> subdomains inside it.
    randomised
        Whether pushes were drawn by chance.
    depth
        How deep the attacker looks; what is published below is not used.
    """

    def __init__(
        self,
        target: WeightedTree,
        size: NDArray[np.int64],
        *,
        randomised: bool = False,
        depth: int | None = None,
    ) -> None:
        self._target, self._size, self._randomised = target, size, randomised
        self._values = int(size[0])
        self._depth = target.tree.height if depth is None else depth
        self._likelihood: dict[int, _Vector] = {}
        self._outside: dict[int, _Vector] = {}
        self._look_up(0)
        at_root = np.zeros(self._values + 1)
        at_root[self._values] = 1.0
        self._outside[0] = at_root
        self._look_down(0)

    def share(self, node: int) -> float:
        """Expected share of the group's values that are below a node the attacker looks at."""
        belief = self._likelihood[node] * self._outside[node]
        return float(belief @ np.arange(self._values + 1) / belief.sum() / self._values)

    @property
    def nodes(self) -> list[int]:
        """Nodes the attacker looks at."""
        return sorted(self._likelihood)

    def _opened(self, node: int) -> list[int]:
        """Children through which something is learnt."""
        tree, target = self._target.tree, self._target
        deep = int(tree.depth[node]) >= self._depth
        if deep or self._size[node] == 0 or target.total[node] == 0:
            return []
        return [child for child in tree.children(node) if target.weight[child] > 0]

    def _look_up(self, node: int) -> None:
        children = self._opened(node)
        if not children:
            self._likelihood[node] = _poisson(
                self._values * float(self._target.chance[node]), self._values
            )
            return
        for child in children:
            self._look_up(child)
        self._likelihood[node] = self._join(node, children)

    def _lots(self, node: int, children: Sequence[int]) -> tuple[int, int]:
        """Lots that were pushed, and the most that could have been if values had been there."""
        pushed = int(self._size[children[0]]) // int(self._target.weight[children[0]])
        return pushed, int(self._size[node]) // int(self._target.total[node])

    def _join(self, node: int, children: Sequence[int]) -> _Vector:
        if self._by_chance(node, children):
            chances = self._chances(node, children)
            left, right = (self._likelihood[child] for child in children)
            found = np.zeros(self._values + 1)
            for total in range(self._values + 1):
                found[total] = (left[: total + 1] * right[total::-1]) @ chances[total]
            return found
        lots, most = self._lots(node, children)
        found = _convolve([self._cut(child, lots) for child in children])
        if lots < most:
            found = found - _convolve([self._cut(child, lots + 1) for child in children])
        return np.maximum(found, 0.0)

    def _cut(self, child: int, lots: int) -> _Vector:
        """Likelihood of a child that holds values for at least so many lots."""
        least = min(lots * int(self._target.weight[child]), self._values + 1)
        cut = self._likelihood[child].copy()
        cut[:least] = 0.0
        return cut

    def _by_chance(self, node: int, children: Sequence[int]) -> bool:
        full = len(children) == len(self._target.tree.children(node)) == 2
        return self._randomised and full

    def _chances(self, node: int, children: Sequence[int]) -> list[_Vector]:
        """Number of values below the node -> chance of the lots seen, for each split of them."""
        lots, most = self._lots(node, children)
        weights = [int(self._target.weight[child]) for child in children]
        # Only the root's number of values is certain; elsewhere every number is possible.
        least = self._values if node == 0 else int(self._size[node])
        found = []
        for total in range(self._values + 1):
            if total < least:
                found.append(np.zeros(total + 1))
                continue
            found.append(push_chances(total, most, weights[0], weights[1])[:, lots])
        return found

    def _look_down(self, node: int) -> None:
        children = self._opened(node)
        for place, child in enumerate(children):
            others = [other for other in children if other != child]
            self._outside[child] = self._seen_from(node, children, place, others)
        for child in children:
            self._look_down(child)

    def _seen_from(
        self, node: int, children: Sequence[int], place: int, others: Sequence[int]
    ) -> _Vector:
        """Likelihood of everything outside of a child, by the number of values below it."""
        outside = self._outside[node]
        if self._by_chance(node, children):
            return self._seen_by_chance(node, children, place, others[0])
        lots, most = self._lots(node, children)
        found = np.zeros(self._values + 1)
        for extra in range(2 if lots < most else 1):
            nothing = np.eye(1, self._values + 1)[0]
            rest = _convolve([nothing, *(self._cut(other, lots + extra) for other in others)])
            least = min((lots + extra) * int(self._target.weight[children[place]]), len(found))
            seen = np.array([outside[g:] @ rest[: len(rest) - g] for g in range(len(rest))])
            seen[:least] = 0.0
            found += seen if extra == 0 else -seen
        return np.maximum(found, 0.0)

    def _seen_by_chance(
        self, node: int, children: Sequence[int], place: int, other: int
    ) -> _Vector:
        chances, outside = self._chances(node, children), self._outside[node]
        rest = self._likelihood[other]
        found = np.zeros(self._values + 1)
        for total in np.flatnonzero(outside):
            splits = chances[total] if place == 0 else chances[total][::-1]
            found[: total + 1] += outside[total] * splits * rest[total::-1]
        return found


def _poisson(mean: float, most: int) -> _Vector:
    if mean == 0:
        nothing: _Vector = np.eye(1, most + 1)[0]
        return nothing
    logs = np.array(
        [number * math.log(mean) - math.lgamma(number + 1) for number in range(most + 1)]
    )
    weights: _Vector = np.exp(logs - mean)
    return weights


def _convolve(vectors: Sequence[_Vector]) -> _Vector:
    found = vectors[0]
    for vector in vectors[1:]:
        found = np.convolve(found, vector)[: len(found)]
    return found
