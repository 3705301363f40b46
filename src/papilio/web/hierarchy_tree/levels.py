"""How values look on each level of a tree, and what a row loses there."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from papilio.web.hierarchy_tree.edit_tree import EditTree

#: Values that are shown as examples.
EXAMPLES = 5


@dataclass(frozen=True)
class Level:
    """One level.

    Attributes
    ----------
    labels
        Labels of the examples.
    groups
        Number of different labels on it.
    loss
        How much the average row loses, from 0 to 1: (values covered - 1) / (all values - 1).
    """

    labels: tuple[str, ...]
    groups: int
    loss: float


def levels_of(tree: EditTree, examples: Sequence[str] = ()) -> tuple[Level, ...]:
    """All levels, that of the values first, that of the root last.

    Paths shorter than the longest keep their highest group below the root until the top level, as
    in :func:`papilio.data.hierarchy.tree.from_leaf_paths`, whose levels these are.

    Parameters
    ----------
    tree
        The tree.
    examples
        Values to show; left out, some from all over the tree, frequent ones first.
    """
    values = tree.values()
    paths = [tree.path(value) for value in values]
    height = max((len(path) for path in paths), default=2)
    padded = dict(zip(values, (_pad(path, height) for path in paths), strict=True))
    _raise(tree, padded, height)
    chosen = [each for each in examples if each in padded] or pick_examples(tree)
    weights = [max(0, tree.rows.get(value, 0)) for value in values]
    if not any(weights):
        weights = [1] * len(values)
    return tuple(
        Level(
            tuple(padded[each][level] for each in chosen),
            len({path[level] for path in padded.values()}),
            _loss([tree.counts[path[level]][0] for path in padded.values()], weights),
        )
        for level in range(height)
    )


def _pad(path: tuple[str, ...], height: int) -> list[str]:
    return [*path[:-1], *path[-2:-1] * (height - len(path)), *path[-1:]]


def _raise(tree: EditTree, padded: dict[str, list[str]], height: int) -> None:
    """Lift labels so that what one level joins the next does not part again."""
    depth = {label: number for number, label in enumerate(tree.groups())}
    depth |= {value: len(depth) + number for number, value in enumerate(padded)}
    for level in range(1, height):
        highest: dict[str, str] = {}
        for path in padded.values():
            known = highest.setdefault(path[level - 1], path[level])
            if depth[path[level]] < depth[known]:
                highest[path[level - 1]] = path[level]
        for path in padded.values():
            path[level] = highest[path[level - 1]]


def _loss(covered: Sequence[int], weights: Sequence[int]) -> float:
    others = len(covered) - 1
    if others < 1:
        return 0.0
    lost = sum((many - 1) * weight for many, weight in zip(covered, weights, strict=True))
    return lost / (others * sum(weights))


def pick_examples(tree: EditTree, most: int = EXAMPLES) -> tuple[str, ...]:
    """Values from all over the tree: the most frequent of as many stretches of it."""
    values = tree.values()
    if len(values) <= most:
        return values
    cuts = [round(number * len(values) / most) for number in range(most + 1)]
    stretches = [values[a:b] for a, b in itertools.pairwise(cuts)]
    return tuple(max(each, key=lambda value: tree.rows.get(value, 0)) for each in stretches)
