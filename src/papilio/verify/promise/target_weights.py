"""The weights of a target over the cells of a domain, as the policy orders them.

Written from what the documentation says: what each cell weighs, and how weights become small whole
numbers. Rounded weights are not computed again but judged: they must be as near to what was asked
as any that the rule may choose, so that ties and the last bit of a number do not matter.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from papilio.verify.promise.target_cells import Cell, leaves_of
from papilio.verify.target_tree import TargetTree

if TYPE_CHECKING:
    from papilio.policy.target_policy import TargetPolicy

Weights = NDArray[Any]

#: Largest weight unless the policy names one.
_USUAL = 100
#: Difference of sums of shares that is none.
_NOTHING = 1e-9


def named_weights(target: TargetPolicy, cells: Sequence[Cell]) -> Weights:
    """Weights of the cells in a distribution that is told by its name."""
    count = len(cells)
    if target.distribution == "uniform":
        return np.ones(count, np.int64)
    if target.distribution == "zipf":
        exponent = 1.0 if target.exponent is None else target.exponent
        return np.array([rank**-exponent for rank in range(1, count + 1)], np.float64)
    return _normal(target, cells)


def _normal(target: TargetPolicy, cells: Sequence[Cell]) -> Weights:
    """Probability between the middles of the gaps to the neighbours, cut off at the ends."""
    numeric = not isinstance(cells[0][0], str)
    low = [float(cell[0]) if numeric else float(rank) for rank, cell in enumerate(cells)]
    high = [float(cell[1]) if numeric else float(rank) for rank, cell in enumerate(cells)]
    if len(cells) == 1:
        return np.ones(1)
    mean = (low[0] + high[-1]) / 2 if target.mean is None else target.mean
    std = (high[-1] - low[0]) / 4 if target.std is None else target.std
    middles = [(end + next_) / 2 for end, next_ in zip(high[:-1], low[1:], strict=True)]
    cuts = [low[0], *middles, high[-1]]
    scaled = [(cut - mean) / (std * math.sqrt(2)) for cut in cuts]
    return np.array([_between(a, b) for a, b in itertools.pairwise(scaled)])


def _between(a: float, b: float) -> float:
    """Twice the probability between two scaled points, from the tails, which keep far cells."""
    if a < 0 < b:
        return 2 - math.erfc(-a) - math.erfc(b)
    return abs(math.erfc(abs(a)) - math.erfc(abs(b)))


def weights_fault(tree: TargetTree, column: str, asked: Weights, largest: int | None) -> str | None:
    """Say whether published weights are not those that the policy asks for.

    Parameters
    ----------
    tree
        The published tree.
    column
        Name of the target in it.
    asked
        Leaf -> weight; they need not sum to anything.
    largest
        Bound on each weight; ``None`` keeps whole numbers as they are.
    """
    mass = _masses(tree, asked)
    published = tree.weights[column]
    inner = [node for node in range(tree.size) if tree.children[node]]
    if np.issubdtype(asked.dtype, np.integer):
        exact = {node: _reduced([int(mass[c]) for c in tree.children[node]]) for node in inner}
        most = max((max(weights) for weights in exact.values()), default=1)
        if largest is None or max(most, 1) <= largest:
            same = all(_own(tree, published, node) == exact[node] for node in inner)
            return None if same else "weights are not those of the target"
    bound = _USUAL if largest is None else largest
    near = all(
        _nearest(np.array(_own(tree, published, node)), mass[tree.children[node]], bound)
        for node in inner
    )
    return None if near else "weights are not as near to the target as they can be"


def _own(tree: TargetTree, published: Sequence[int], node: int) -> list[int]:
    return [published[child] for child in tree.children[node]]


def _masses(tree: TargetTree, asked: Weights) -> Weights:
    mass = np.zeros(tree.size, asked.dtype)
    mass[leaves_of(tree)] = asked
    for node in range(tree.size - 1, 0, -1):
        mass[tree.parent[node]] += mass[node]
    return mass


def _reduced(weights: Sequence[int]) -> list[int]:
    divisor = math.gcd(*weights)
    return [weight // divisor if divisor else 0 for weight in weights]


def _nearest(published: NDArray[np.int64], mass: Weights, bound: int) -> bool:
    """Whether no whole-number weights up to the bound have shares that are nearer."""
    if not mass.max() > 0:
        return not published.any()
    if ((published > 0) != (mass > 0)).any() or published.max() > bound:
        return False
    wanted = mass / mass.sum()
    tried = np.rint(np.outer(np.arange(1, bound + 1), mass / mass.max()))
    tried = np.where((mass > 0) & (tried == 0), 1, tried)
    shares = tried / tried.sum(axis=1, keepdims=True)
    best = np.abs(shares - wanted).sum(axis=1).min()
    return bool(np.abs(published / published.sum() - wanted).sum() <= best + _NOTHING)
