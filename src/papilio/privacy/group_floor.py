"""A floor beside a target: what every group must leave open whatever the target says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from papilio.data.domain_tree import WeightedTree
from papilio.privacy.decimals import Number, exact, plain


@dataclass(frozen=True)
class GroupFloor:
    """Every group has k people, and its cells leave l values that span e.

    A value is left if the published shares of the group give it one above 0: some cell of the
    group holds it, and the target does not rule it out inside that cell.

    Contract
    --------
    Guarantees
        Nobody can be told apart from fewer than k - 1 others by the group. Someone who reads the
        cells of a person's group, or the target that it follows, is left with at least l values,
        the largest at least e above the smallest. With l = 2 no value is certain.
    Monotone
        A union of groups with the same target meets it if one of them does.
    Assumes about the attacker
        Knows quasi-identifiers and the release.
    Does not protect against
        Guessing a value that the target makes likely: the share of each is the target's. Knowing
        the values of others of the group, or the method.

    Attributes
    ----------
    column
        The sensitive column.
    k
        Fewest people of a group; fake values are none.
    l
        Fewest values left.
    e
        Least difference of the largest and the smallest of them; of numbers only.
    """

    name: ClassVar[str] = "group-floor"
    column: str
    k: int = 1
    l: int = 1  # noqa: E741 - its name in the literature
    e: Number = 0

    def parameters(self) -> dict[str, Any]:
        """What is demanded, as a release's manifest states it."""
        return {"column": self.column, "k": self.k, "l": self.l, "e": plain(exact(self.e, "e"))}

    @property
    def of_values(self) -> bool:
        """Whether it says something about values, not only about people."""
        return self.l > 1 or exact(self.e, "e") > 0

    def holds_with(self, left: Left) -> bool:
        """Whether so many values that span so much are enough."""
        return left.values >= self.l and left.span >= float(exact(self.e, "e"))


@dataclass(frozen=True)
class Left:
    """Values that some cells leave: how many, and largest minus smallest (0 of labels)."""

    values: int
    span: float


def left_by_target(target: WeightedTree, node: int = 0) -> Left:
    """What is left by cells that follow the target given a node of the tree.

    They leave what the target gives a share above 0 inside the node, whatever was pushed down;
    where it gives the node nothing at all, every value inside.
    """
    tree = target.tree
    inside = np.arange(tree.first[node], tree.last[node] + 1)
    some = target.chance[tree.leaf_node[inside]] > 0
    return _left(target, inside[some] if some.any() else inside)


def left_by_cells(target: WeightedTree, cells: Iterable[int]) -> Left:
    """What is left by any cells. Cost: the nodes below them."""
    tree = target.tree
    shown = np.zeros(tree.leaves, dtype=bool)
    waiting = list(cells)
    while waiting:
        node = waiting.pop()
        children = tree.children(node)
        told = [child for child in children if target.weight[child] > 0]
        shown[tree.first[node]] |= not children
        waiting += told or children
    return _left(target, np.flatnonzero(shown))


def _left(target: WeightedTree, leaves: NDArray[np.int64]) -> Left:
    tree = target.tree
    if not len(leaves):
        return Left(0, 0.0)
    if not tree.lows.dtype.is_numeric():
        return Left(len(leaves), 0.0)
    low, high = tree.lows[int(leaves[0])], tree.highs[int(leaves[-1])]
    return Left(len(leaves), float(high - low))
