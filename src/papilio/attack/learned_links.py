"""Learned links: what someone who knows some links can conclude about others (Theorem 7).

Exact belief in a link after some links were learnt.

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

from papilio.attack.result import AttackResult
from papilio.data.bipartite import BipartiteGraph
from papilio.policy.policy import Policy
from papilio.privacy.safe_grouping import SafeGrouping
from papilio.query.graph.grouped import GroupedGraph, grouped_graph
from papilio.randomness import Randomness, sampling
from papilio.release.release import Release

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


NAME = "learned_links"
#: Attackers that are simulated for each number of links, most links they know, and most
#: placements that are followed for one of them.
_ATTACKERS, _MOST_LINKS, _MOST_PLACEMENTS = 20, 3, 5_000


@dataclass(frozen=True)
class Conclusion:
    """The strongest beliefs of simulated attackers.

    Attributes
    ----------
    learnt
        How many links each of them knows.
    untouched
        In a link between entities they learnt nothing about; ``None`` if it was too much work.
    touched
        In a further link of an entity they learnt something about; ``None`` likewise.
    bound
        What Theorem 7 allows for untouched ones.
    """

    learnt: int
    untouched: float | None
    touched: float | None
    bound: float


def learned_links(
    release: Release, original: BipartiteGraph, policy: Policy
) -> Iterator[AttackResult]:
    """Simulate attackers who know 1, 2 and 3 links, picked at random.

    Figures: ``learnt``; ``untouched`` and ``touched``, the strongest belief in a link between
    entities nothing was learnt about, and in a further link of an entity of a learnt one;
    ``bound``, 1/max(k - r, l - r), for the former. Beliefs are exact over all originals that fit;
    where that is too much work only the bound is given. An attacker who picks links with care may
    learn more of the touched entities, but never more than the bound of the others. Beliefs are
    measured and not people, so nobody is counted as exposed.
    """
    del original
    demanded: SafeGrouping
    (demanded,) = policy.family.requirements(policy)
    for each in conclusions(grouped_graph(release), demanded, sampling()):
        yield AttackResult(
            NAME, f"someone who knows {_links(each.learnt)}", _sentence(each), _figures(each)
        )


def conclusions(
    graph: GroupedGraph, demanded: SafeGrouping, randomness: Randomness
) -> tuple[Conclusion, ...]:
    """What attackers who know some links believe at most."""
    index = LinkIndex(graph)
    most = min(_MOST_LINKS, graph.edges)
    return tuple(_conclude(index, demanded, learnt, randomness) for learnt in range(1, most + 1))


def _conclude(
    index: LinkIndex, demanded: SafeGrouping, learnt: int, randomness: Randomness
) -> Conclusion:
    graph = index.graph
    untouched, touched = [0.0], [0.0]
    bound = demanded.posterior(learnt)
    try:
        for _ in range(_ATTACKERS):
            chosen = randomness.keys(learnt) % np.uint64(graph.edges)
            known = [
                (int(graph.left.ends[at]), int(graph.right.ends[at]))
                for at in np.unique(chosen).astype(np.int64)
            ]
            new, old = strongest_beliefs(index, known)
            untouched.append(new)
            touched.append(old)
    except TooManyError:
        return Conclusion(learnt, None, None, bound)
    return Conclusion(learnt, max(untouched), max(touched), bound)


def strongest_beliefs(index: LinkIndex, known: Sequence[Link]) -> tuple[float, float]:
    """Strongest belief in a link of untouched entities, and of a touched one, not learnt itself.

    Only pairs of groups with a touched entity are looked at, one untouched entity for each: in
    the others nothing has changed, and untouched entities of a group are all alike.
    """
    ways = placements(index, known, _MOST_PLACEMENTS)
    lefts, rights = {v for v, _ in known}, {w for _, w in known}
    untouched, touched = [0.0], [0.0]
    for pair in _pairs(index, lefts, rights):
        if pair in known:
            continue
        new = pair[0] not in lefts and pair[1] not in rights
        (untouched if new else touched).append(belief(index, ways, pair))
    return max(untouched), max(touched)


def _pairs(index: LinkIndex, lefts: set[int], rights: set[int]) -> Iterator[Link]:
    """Touched entities and one untouched one of each group, where a touched group is involved."""
    touched = {pair for v in lefts for pair in index.meeting[0].get(index.groups[0][v], ())}
    touched |= {pair for w in rights for pair in index.meeting[1].get(index.groups[1][w], ())}
    for i, j in touched:
        for v in _representatives(index, 0, i, lefts):
            for w in _representatives(index, 1, j, rights):
                yield v, w


def _representatives(index: LinkIndex, side: int, group: int, touched: set[int]) -> list[int]:
    members = index.members[side][group]
    fresh = [each for each in members if each not in touched]
    return [*(each for each in members if each in touched), *fresh[:1]]


def _figures(found: Conclusion) -> dict[str, int | float]:
    known = {"untouched": found.untouched, "touched": found.touched}
    return {
        "learnt": found.learnt,
        "bound": found.bound,
        **{name: value for name, value in known.items() if value is not None},
    }


def _sentence(found: Conclusion) -> str:
    allowed = f"at most {found.bound:.1%} by the policy"
    if found.untouched is None or found.touched is None:
        return (
            "In a link between people they learnt nothing about they can believe "
            f"{allowed}; the exact figure would take too long."
        )
    return (
        "In a link between people they learnt nothing about they would believe with "
        f"{found.untouched:.1%} ({allowed}); in a further link of somebody they learnt about, with "
        f"up to {found.touched:.1%}. {_ATTACKERS} of them were drawn, the same in every run."
    )


def _links(count: int) -> str:
    return "1 link" if count == 1 else f"{count} links"
