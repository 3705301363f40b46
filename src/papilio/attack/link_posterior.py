"""Exact belief in a link after some links were learnt.

Entities are called by the nodes that they truly are; within a group they are interchangeable, so
nothing is lost by that. Someone who learnt links places the entities at their ends on nodes so
that each learnt link is an edge; every placement is equally likely, since each leaves equally many
ways to place the others. Given a placement, an untouched entity is any free node of its group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from papilio.query.graph.grouped import GroupedGraph

#: A link: a left and a right node.
Link = tuple[int, int]

#: Where the touched entities of a side are: node of each.
Places = dict[int, int]


class TooManyError(Exception):
    """There are more placements than were allowed."""


@dataclass(frozen=True, eq=False)
class LinkIndex:
    """A graph by pairs of groups."""

    graph: GroupedGraph

    @cached_property
    def between(self) -> dict[Link, list[Link]]:
        """Edges between each pair of groups."""
        left, right = self.graph.left, self.graph.right
        found: dict[Link, list[Link]] = defaultdict(list)
        groups = zip(
            left.group_of_node[left.ends].tolist(),
            right.group_of_node[right.ends].tolist(),
            strict=True,
        )
        for pair, link in zip(
            groups, zip(left.ends.tolist(), right.ends.tolist(), strict=True), strict=True
        ):
            found[pair].append(link)
        return found

    @cached_property
    def groups(self) -> tuple[list[int], list[int]]:
        """Group of each left and of each right node."""
        return self.graph.left.group_of_node.tolist(), self.graph.right.group_of_node.tolist()

    @cached_property
    def meeting(self) -> tuple[dict[int, list[Link]], dict[int, list[Link]]]:
        """Pairs of groups with an edge between them, by their left and by their right group."""
        found: tuple[dict[int, list[Link]], dict[int, list[Link]]] = ({}, {})
        for pair in self.between:
            for side in (0, 1):
                found[side].setdefault(pair[side], []).append(pair)
        return found

    @cached_property
    def members(self) -> tuple[list[list[int]], list[list[int]]]:
        """Nodes of each left and of each right group."""
        return _members(self.groups[0]), _members(self.groups[1])


def _members(groups: list[int]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(max(groups) + 1)]
    for node, group in enumerate(groups):
        found[group].append(node)
    return found


def placements(index: LinkIndex, learnt: Sequence[Link], most: int) -> list[tuple[Places, Places]]:
    """Every placement of the touched entities that makes all learnt links edges.

    Raises
    ------
    TooManyError
        If there are more than ``most``.
    """
    found: list[tuple[Places, Places]] = []
    for each in _extend(index, learnt, {}, {}):
        if len(found) >= most:
            raise TooManyError
        found.append((dict(each[0]), dict(each[1])))
    return found


def _extend(
    index: LinkIndex, learnt: Sequence[Link], left: Places, right: Places
) -> Iterator[tuple[Places, Places]]:
    if not learnt:
        yield left, right
        return
    (v, w), *rest = learnt
    pair = (index.groups[0][v], index.groups[1][w])
    for x, y in index.between.get(pair, ()):
        if _fits(left, v, x) and _fits(right, w, y):
            yield from _extend(index, rest, {**left, v: x}, {**right, w: y})


def _fits(places: Places, entity: int, node: int) -> bool:
    if entity in places:
        return places[entity] == node
    return node not in places.values()


def belief(index: LinkIndex, ways: Sequence[tuple[Places, Places]], pair: Link) -> float:
    """Probability that a pair of entities is linked, over equally likely placements."""
    v, w = pair
    groups = (index.groups[0][v], index.groups[1][w])
    links = index.between.get(groups, [])
    sizes = (index.graph.left.sizes[groups[0]], index.graph.right.sizes[groups[1]])
    chances = [
        _given(links, sizes, pair, left, right, index.groups, groups) for left, right in ways
    ]
    return float(np.mean(chances))


def _given(
    links: list[Link],
    sizes: tuple[int, int],
    pair: Link,
    left: Places,
    right: Places,
    of_node: tuple[list[int], list[int]],
    groups: Link,
) -> float:
    """Probability given where the touched entities are."""
    free = []
    for side, (entity, places) in enumerate(zip(pair, (left, right), strict=True)):
        if entity in places:
            free.append(1)
        else:
            taken = sum(1 for node in places.values() if of_node[side][node] == groups[side])
            free.append(int(sizes[side]) - taken)
    hits = sum(1 for x, y in links if _could_be(left, pair[0], x) and _could_be(right, pair[1], y))
    return hits / (free[0] * free[1])


def _could_be(places: Places, entity: int, node: int) -> bool:
    return places[entity] == node if entity in places else node not in places.values()
