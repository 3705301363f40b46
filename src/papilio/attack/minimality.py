"""Minimality: what the knowledge that as much as possible was pushed down gives away (D3.18).

A disguised release follows the target, but why it looks as it does depends on the values. Someone
who takes the values of a group for draws from the target and knows the method can ask which values
would have led to what is published, and believes something else than the target afterwards. This is
a limit of the scheme and not of a release; it is largest in small groups and for uneven weights.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from papilio.attack.result import AttackResult
from papilio.attack.target_posterior import TargetPosterior
from papilio.data.domain_tree import DomainTree
from papilio.data.table import Table
from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.release.target_tree import (
    PublishedTarget,
    claim_of,
    column_of,
    subdomains_of,
    targets_of,
)

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
    Only for exact targets: with fake values, tolerance or personal levels nothing is measured, and
    the result says so. Cost: for each group the nodes it uses times the square of its values.
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
        yield AttackResult(NAME, _ATTACKER, "Not tried: every group is too large.")
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
    seen: dict[tuple[bytes, bytes], tuple[float, int]] = {}
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
            moved.append(seen[key][0])
            depths.append(seen[key][1])
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
) -> float:
    posterior = TargetPosterior(target.target, size, randomised=randomised, depth=depth)
    chance = target.target.chance
    return max(abs(posterior.share(node) - float(chance[node])) for node in posterior.nodes)
