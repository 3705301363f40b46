"""Minimality: what the knowledge that as much as possible was pushed down gives away (D3.18).

A disguised release follows the target, but why it looks as it does depends on the values. Someone
who takes the values of a group for draws from the target and knows the method can ask which values
would have led to what is published, and believes something else than the target afterwards. This is
a limit of the scheme and not of a release; it is largest in small groups and for uneven weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from papilio.attack.result import AttackResult
from papilio.data.domain_tree import DomainTree, WeightedTree
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.privacy.calibrated_push import push_chances
from papilio.release.release import Release
from papilio.release.target_tree import (
    PublishedTarget,
    claim_of,
    column_of,
    subdomains_of,
    targets_of,
)

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

    def share(self, node: int) -> float | None:
        """Expected share of the group's values that are below a node the attacker looks at.

        ``None`` if what is seen is so unlikely that no number of this machine says how much.
        """
        belief = _scaled(self._likelihood[node]) * _scaled(self._outside[node])
        if not belief.any():
            return None
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
            return _scaled(found)
        lots, most = self._lots(node, children)
        all_more, some_not = self._held(children, lots)
        return _scaled(some_not if lots < most else some_not + all_more)

    def _held(self, children: Sequence[int], lots: int) -> tuple[_Vector, _Vector]:
        """Likelihood of children that hold so many lots: all of them more, and some of them not.

        The two are added up apart, because the second is often far too small to be found as a
        difference of numbers of this machine.
        """
        all_more, some_not = np.eye(1, self._values + 1)[0], np.zeros(self._values + 1)
        for child in children:
            just, more = self._just_and_more(child, lots)
            some_not = _convolve(some_not, just + more) + _convolve(all_more, just)
            all_more = _convolve(all_more, more)
        return all_more, some_not

    def _just_and_more(self, child: int, lots: int) -> tuple[_Vector, _Vector]:
        """Likelihood of a child that holds values for just so many lots, and for more."""
        weight = int(self._target.weight[child])
        just, more = self._likelihood[child].copy(), self._likelihood[child].copy()
        just[: lots * weight] = 0.0
        just[(lots + 1) * weight :] = 0.0
        more[: (lots + 1) * weight] = 0.0
        return just, more

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
        weight = int(self._target.weight[children[place]])
        all_more, some_not = self._held(others, lots)
        either = all_more + some_not
        found = _tail_sums(outside, some_not if lots < most else either)
        just = slice(lots * weight, (lots + 1) * weight)
        found[just] = _tail_sums(outside, either)[just]
        found[: lots * weight] = 0.0
        return _scaled(found)

    def _seen_by_chance(
        self, node: int, children: Sequence[int], place: int, other: int
    ) -> _Vector:
        chances, outside = self._chances(node, children), self._outside[node]
        rest = self._likelihood[other]
        found = np.zeros(self._values + 1)
        for total in np.flatnonzero(outside):
            splits = chances[total] if place == 0 else chances[total][::-1]
            found[: total + 1] += outside[total] * splits * rest[total::-1]
        return _scaled(found)


def _poisson(mean: float, most: int) -> _Vector:
    if mean == 0:
        nothing: _Vector = np.eye(1, most + 1)[0]
        return nothing
    logs = np.array(
        [number * math.log(mean) - math.lgamma(number + 1) for number in range(most + 1)]
    )
    weights: _Vector = np.exp(logs - mean)
    return weights


def _convolve(first: _Vector, second: _Vector) -> _Vector:
    found: _Vector = np.convolve(first, second)[: len(first)]
    return found


def _tail_sums(outside: _Vector, rest: _Vector) -> _Vector:
    """By number g: the sum of outside[g + r] · rest[r] over all r."""
    found: _Vector = np.convolve(outside, rest[::-1])[len(rest) - 1 :]
    return found


def _scaled(likelihood: _Vector) -> _Vector:
    """The same up to a factor, which beliefs do not depend on; far from what is too small."""
    largest = likelihood.max(initial=0.0)
    return likelihood / largest if largest > 0 else likelihood


NAME = "minimality"
_ATTACKER = (
    "knows the release and the method, and takes the values of a group for draws from the target"
)
#: Steps of one group's computation, and of all groups together.
_STEPS, _ALL_STEPS = 200_000_000, 1_000_000_000
#: Values up to which chances are computed below the root.
_FEW = 60


def minimality(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Measure how far the attacker's belief moves away from the target, group by group.

    Belief: the expected share of each subdomain at the depths that can be computed, exactly. The
    distance is the largest difference of a share from the target's.

    Notes
    -----
    It tells what is believed of the shares of a group and not of how many people something is
    certain, so nobody is counted as exposed. Only for exact targets: with fake values, tolerance or
    personal levels nothing is measured, and the result says so. Cost: for each group the nodes it
    uses times the square of its values.
    """
    del original, policy
    parameters = claim_of(release).parameters
    if parameters.get("shift") or parameters.get("fakes") or "shift" not in parameters:
        sentence = "Not tried: the release has tolerance, fake values or personal levels."
        yield AttackResult(NAME, _ATTACKER, sentence)
        return
    randomised = parameters.get("allocation") == "randomised"
    moved, depths, left_out = _measure(release, randomised=randomised)
    if not moved:
        sentence = "Not tried: every group is too large, or too unlike its target."
        yield AttackResult(NAME, _ATTACKER, sentence)
        return
    largest, mean = max(moved), sum(moved) / len(moved)
    sentence = (
        f"They believe shares of {column_of(release).name} that are up to {largest:.3f} off the "
        f"target; on average over the groups measured: {mean:.3f}."
    )
    figures: dict[str, int | float] = {
        "groups": len(moved),
        "groups_too_large": left_out,
        "largest_shift": largest,
        "mean_shift": mean,
        "least_depth": min(depths),
    }
    yield AttackResult(NAME, _ATTACKER, sentence, figures)


def _measure(release: Release, *, randomised: bool) -> tuple[list[float], list[int], int]:
    """Largest shift and depth of each group that can be computed, and how many cannot."""
    moved: list[float] = []
    depths: list[int] = []
    left_out, steps = 0, 0
    seen: dict[tuple[bytes, bytes], tuple[float | None, int]] = {}
    for target in targets_of(release):
        for nodes in subdomains_of(release, target).values():
            size = _sizes(target.target.tree, nodes)
            depth = _depth(target, size, randomised=randomised)
            cost = _cost(target.target.tree, size, depth)
            key = (target.target.weight.tobytes(), size.tobytes())
            if key not in seen:
                if depth == 0 or steps + cost > _ALL_STEPS:
                    left_out += 1
                    continue
                steps += cost
                seen[key] = _shift(target, size, depth, randomised=randomised), depth
            shift, deep = seen[key]
            if shift is None:
                left_out += 1
                continue
            moved.append(shift)
            depths.append(deep)
    return moved, depths, left_out


def _sizes(tree: DomainTree, nodes: dict[int, int]) -> NDArray[np.int64]:
    """Node -> subdomains inside it."""
    size = np.zeros(tree.nodes, dtype=np.int64)
    for node, many in nodes.items():
        while node >= 0:
            size[node] += many
            node = int(tree.parent[node])
    return size


def _cost(tree: DomainTree, size: NDArray[np.int64], depth: int) -> int:
    looked_at = int(((size > 0) & (tree.depth <= depth)).sum())
    return looked_at * int(size[0]) ** 2


def _depth(
    target: PublishedTarget,
    size: NDArray[np.int64],
    *,
    randomised: bool,
) -> int:
    """How deep a group can be computed; 0 if not at all."""
    tree = target.target.tree
    deepest = 1 if randomised and size[0] > _FEW else max(1, tree.height)
    for depth in range(deepest, 0, -1):
        if _cost(tree, size, depth) <= _STEPS:
            return depth
    return 0


def _shift(
    target: PublishedTarget,
    size: NDArray[np.int64],
    depth: int,
    *,
    randomised: bool,
) -> float | None:
    """The largest difference of a share from the target's, if all of them can be computed."""
    posterior = TargetPosterior(target.target, size, randomised=randomised, depth=depth)
    shares = {node: posterior.share(node) for node in posterior.nodes}
    known = {node: share for node, share in shares.items() if share is not None}
    if len(known) < len(shares):
        return None
    return max(abs(share - float(target.target.chance[node])) for node, share in known.items())
