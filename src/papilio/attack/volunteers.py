"""Volunteers: what who joined which pool tells somebody who knows what everybody demanded."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import polars as pl

from papilio.attack.result import AttackResult, Exposed, people
from papilio.data.domain_tree import WeightedTree
from papilio.data.table import Role, Table
from papilio.policy.policy import Policy
from papilio.privacy.group_floor import GroupFloor, left_by_target
from papilio.privacy.personal import named_nodes
from papilio.release.release import Release
from papilio.release.target_tree import claim_of, column_of, subdomains_of, targets_of

NAME = "volunteers"
#: People of one group, its worlds, and ways to put people into pools in one world.
MOST_PEOPLE, MOST_WORLDS, MOST_WAYS = 40, 2000, 200
_ATTACKER = "knows the release, the method, and what everybody demanded"
#: People and subdomains of each pool: what the release shows of a world.
Seen: TypeAlias = frozenset[tuple[tuple[int, ...], tuple[tuple[int, int], ...]]]
#: Per person, the chance of each leaf.
Belief: TypeAlias = list[dict[int, Fraction]]


@dataclass(frozen=True, eq=False)
class Crowd:
    """People who are put into pools together, as somebody sees them who knows what they demand.

    Attributes
    ----------
    target
        The distribution.
    said
        What each of them demands, as text.
    floor
        What the release promises of its pools besides.
    blind
        Whether it promises that nobody joins a pool because of their value.
    """

    target: WeightedTree
    said: tuple[str | None, ...]
    floor: GroupFloor | None = None
    blind: bool = False
    _best: dict[Any, list[tuple[tuple[int, ...], ...]]] = field(default_factory=dict, repr=False)
    _meant: dict[str | None, list[int]] = field(default_factory=dict, repr=False)
    _priors: dict[int, Fraction] = field(default_factory=dict, repr=False)
    _cells: dict[Any, tuple[tuple[int, int], ...]] = field(default_factory=dict, repr=False)

    def demanded(self, person: int, leaf: int) -> int | None:
        """Node a person demands if this leaf is theirs; ``None`` if it does not hold the leaf."""
        text, tree = self.said[person], self.target.tree
        if text not in self._meant:
            self._meant[text] = named_nodes(tree, text).tolist()
        nodes = self._meant[text]
        node = nodes[leaf] if len(nodes) == tree.leaves else nodes[0]
        return node if tree.first[node] <= leaf <= tree.last[node] else None

    def least(self, person: int, leaf: int) -> int:
        """Node at or above which a person's pool must be if this leaf is theirs."""
        own = self.demanded(person, leaf)
        assert own is not None  # noqa: S101 - asked for leaves that it holds only
        node = self._raised(own)
        nodes = self._meant[self.said[person]]
        if not self.blind or (node == own == int(self.target.tree.leaf_node[leaf])):
            return node
        depth = self.target.tree.depth
        wanted = min(int(depth[self._raised(each)]) for each in set(nodes))
        return self._above(int(self.target.tree.leaf_node[leaf]), wanted)

    def _raised(self, node: int) -> int:
        floor, target = self.floor, self.target
        while floor is not None and floor.of_values and node > 0:
            if target.chance[node] > 0 and floor.holds_with(left_by_target(target, node)):
                break
            node = int(target.tree.parent[node])
        return node

    def _above(self, node: int, depth: int) -> int:
        tree = self.target.tree
        while tree.depth[node] > depth:
            node = int(tree.parent[node])
        return node

    def ways(self, values: Sequence[int]) -> list[tuple[tuple[int, ...], Fraction]]:
        """Pool of each person and its chance, over all ways that the method may take.

        It takes pools of the least sum of ranges; of several that are as good, and of people with
        the same value and demand, any with the same chance.
        """
        depth = [int(self.target.tree.depth[self.least(i, v)]) for i, v in enumerate(values)]
        leaves = sorted(set(values))
        groups = [
            sorted((depth[i], i) for i, v in enumerate(values) if v == leaf) for leaf in leaves
        ]
        kinds = tuple(
            (leaf, tuple(d for d, _ in each)) for leaf, each in zip(leaves, groups, strict=True)
        )
        if kinds not in self._best:
            self._best[kinds] = self._find(kinds)
        best = self._best[kinds]
        found: list[tuple[tuple[int, ...], Fraction]] = []
        for joined in best:
            dealt = [_deals(each, depths) for each, depths in zip(groups, joined, strict=True)]
            for chosen in product(*dealt):
                pools = [0] * len(values)
                for deal in chosen:
                    for person, at in deal:
                        pools[person] = self._above(
                            int(self.target.tree.leaf_node[values[person]]), at
                        )
                chance = Fraction(1, len(best) * math.prod(map(len, dealt)))
                found.append((tuple(pools), chance))
        return found

    def _find(
        self, kinds: tuple[tuple[int, tuple[int, ...]], ...]
    ) -> list[tuple[tuple[int, ...], ...]]:
        """Depths of pools at each leaf, for all best ways; strongest demands have highest pools."""
        if self.blind:
            return [tuple(depths for _, depths in kinds)]
        options = [_higher(depths) for _, depths in kinds]
        if math.prod(map(len, options)) > MOST_WAYS:
            raise TooMany
        least = math.inf
        best: list[tuple[tuple[int, ...], ...]] = []
        for joined in product(*options):
            cost = self._cost(kinds, joined)
            if cost < least - 1e-9 * max(1.0, abs(least)) or math.isinf(least):
                least, best = cost, []
            if cost <= least + 1e-9 * max(1.0, abs(least)) and not math.isinf(cost):
                best.append(joined)
        return best

    def _cost(self, kinds: Any, joined: Sequence[Sequence[int]]) -> float:
        pools: dict[int, list[int]] = {}
        for (leaf, _), depths in zip(kinds, joined, strict=True):
            for at in depths:
                node = self._above(int(self.target.tree.leaf_node[leaf]), at)
                pools.setdefault(node, []).append(leaf)
        if self.floor is not None and any(len(each) < self.floor.k for each in pools.values()):
            return math.inf
        span = self.target.tree.span
        return sum(
            float(span[node]) * many
            for pool, inside in pools.items()
            for node, many in self.cells(pool, inside)
        )

    def cells(self, pool: int, leaves: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """Subdomains of a pool with such values, and how often each is used (Algorithm 3)."""
        key = pool, tuple(sorted(leaves))
        if key not in self._cells:
            found: dict[int, int] = {}
            self._push(pool, len(leaves), leaves, found)
            self._cells[key] = tuple(sorted(found.items()))
        return self._cells[key]

    def _push(self, node: int, size: int, leaves: Sequence[int], found: dict[int, int]) -> None:
        tree, weight = self.target.tree, self.target.weight
        children = [child for child in tree.children(node) if weight[child] > 0]
        held = [sum(tree.first[c] <= leaf <= tree.last[c] for leaf in leaves) for c in children]
        total = int(sum(weight[child] for child in children))
        most = [size // total] if total else [0]
        lots = min(most + [n // int(weight[c]) for n, c in zip(held, children, strict=True)])
        if size > lots * total:
            found[node] = size - lots * total
        for child in children:
            if lots:
                self._push(child, lots * int(weight[child]), leaves, found)

    def seen(self, values: Sequence[int], pools: Sequence[int]) -> Seen:
        """What the release shows of a world."""
        inside: dict[int, list[int]] = {}
        for person, pool in enumerate(pools):
            inside.setdefault(pool, []).append(person)
        return frozenset(
            (tuple(who), self.cells(pool, [values[i] for i in who])) for pool, who in inside.items()
        )

    def belief(self, shown: Seen) -> Belief | None:
        """Chance of each value of each person, over all worlds that lead to what is seen.

        Values are independent draws from the target; ``None`` if no such world does.

        Raises
        ------
        TooMany
            If there are more worlds, or ways to put people into pools, than are tried.
        """
        if len(self.said) > MOST_PEOPLE:
            raise TooMany
        possible = self.possible(shown)
        if math.prod(map(len, possible)) > MOST_WORLDS:
            raise TooMany
        mass: list[dict[int, Fraction]] = [{} for _ in self.said]
        for values in product(*possible):
            chance = sum(
                (way for pools, way in self.ways(values) if self.seen(values, pools) == shown),
                Fraction(0),
            )
            if not chance:
                continue
            prior = math.prod((self._prior(leaf) for leaf in values), start=chance)
            for person, leaf in enumerate(values):
                mass[person][leaf] = mass[person].get(leaf, Fraction(0)) + prior
        total = sum(mass[0].values())
        if not total:
            return None
        return [{leaf: part / total for leaf, part in each.items()} for each in mass]

    def _prior(self, leaf: int) -> Fraction:
        if leaf not in self._priors:
            self._priors[leaf] = self._share(leaf)
        return self._priors[leaf]

    def _share(self, leaf: int) -> Fraction:
        tree, target = self.target.tree, self.target
        share, node = Fraction(1), int(tree.leaf_node[leaf])
        while node > 0:
            above = int(tree.parent[node])
            share *= Fraction(int(target.weight[node]), max(1, int(target.total[above])))
            node = above
        return share

    def possible(self, shown: Seen) -> list[list[int]]:
        """Leaves of each person that some cell of their pool and what they demand allow."""
        tree = self.target.tree
        found: list[list[int]] = [[] for _ in self.said]
        for who, cells in shown:
            leaves = {
                leaf for node, _ in cells for leaf in range(tree.first[node], tree.last[node] + 1)
            }
            for person in who:
                found[person] = [
                    leaf
                    for leaf in sorted(leaves)
                    if self._prior(leaf) and self.demanded(person, leaf) is not None
                ]
        return found

    def sure_if_blind(self, shown: Seen) -> list[bool] | None:
        """Whether each person's value is certain, in groups of any size; ``None`` if unknown.

        Where pools are told by demands alone, whoever shares a pool may have each other's values,
        and all values of a pool may be any one that its cells hold. So a value is certain only if
        the cells of the pool hold one value that the target gives a chance. Unknown are groups that
        are not blind, and those in which a demand rules out values that others of the pool have.
        """
        possible = self.possible(shown)
        alike = all(possible[i] == possible[who[0]] for who, _ in shown for i in who)
        return [len(leaves) == 1 for leaves in possible] if self.blind and alike else None

    def asks(self, person: int, leaves: Sequence[int]) -> bool:
        """Whether a person demands more than their own value, of those they may have."""
        tree = self.target.tree
        nodes = {self.demanded(person, leaf) for leaf in leaves} - {None}
        inside = [range(int(tree.first[n]), int(tree.last[n]) + 1) for n in nodes if n is not None]
        return any(sum(self._prior(leaf) > 0 for leaf in each) > 1 for each in inside)

    def shift(self, person: int, belief: Mapping[int, Fraction]) -> Fraction | None:
        """Largest difference from the target, inside of what the person demands.

        Of a level there may be several such nodes, one for each value thought possible; inside each
        the target was promised. ``None`` if the person demands no more than their own value.
        """
        tree, found = self.target.tree, []
        for node in {self.demanded(person, leaf) for leaf in belief}:
            if node is None:
                continue
            leaves = range(int(tree.first[node]), int(tree.last[node]) + 1)
            shares = [self._prior(leaf) for leaf in leaves]
            believed = [belief.get(leaf, Fraction(0)) for leaf in leaves]
            if sum(share > 0 for share in shares) > 1:
                mass, total = sum(believed), sum(shares)
                pairs = zip(believed, shares, strict=True)
                found.append(max(abs(mine / mass - share / total) for mine, share in pairs))
        return max(found, default=None)


class TooMany(Exception):  # noqa: N818 - no error, but a reason not to try
    """There are more worlds than are tried."""


def _higher(depths: Sequence[int]) -> list[tuple[int, ...]]:
    """Depths of pools for people with these demands, ascending; each at its demand or above."""
    rows: list[tuple[int, ...]] = [()]
    for demanded in depths:
        rows = [(*r, d) for r in rows for d in range(r[-1] if r else 0, demanded + 1)]
        if len(rows) > MOST_WAYS:
            raise TooMany
    return rows


def _deals(
    who: Sequence[tuple[int, int]], depths: Sequence[int]
) -> list[tuple[tuple[int, int], ...]]:
    """All ways to deal pools out to people of one leaf: those who demand alike are alike."""
    found: list[tuple[tuple[int, int], ...]] = [()]
    start = 0
    for demanded in sorted({d for d, _ in who}):
        same = [person for d, person in who if d == demanded]
        pools = depths[start : start + len(same)]
        start += len(same)
        orders = {tuple(zip(same, order, strict=True)) for order in _orders(tuple(pools))}
        found = [(*each, *order) for each in found for order in sorted(orders)]
    return found


def _orders(pools: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Different orders of pools."""
    if not pools:
        return {()}
    return {
        (pool, *rest)
        for pool in set(pools)
        for rest in _orders((*pools[: pools.index(pool)], *pools[pools.index(pool) + 1 :]))
    }


def volunteers(release: Release, original: Table, policy: Policy) -> Iterator[AttackResult]:
    """Compute what somebody believes who knows the method and what everybody demanded.

    With personal levels people are put into the pools that make the sum of ranges least, so whether
    somebody joined a wider pool than they demanded depends on their value (Zhang, chapter 5). The
    attacker takes values for independent draws from the target, and asks of every world, values of
    all people, how likely what the release shows is in it: Bayes, exactly.

    Figures: ``people`` who demand more than their own value and could be computed; ``left_out``,
    those who could not; ``certain``, people whose value is; ``unweighed``, people in groups of
    blind volunteers that are too large for beliefs, of whom it is known all the same whether they
    are certain; of the others ``largest_shift`` and ``mean_shift`` of a person's belief from the
    target inside what they demand.

    Notes
    -----
    Tried for groups of people with at most 2000 worlds that fit their cells; where several ways to
    put people into pools are as good, all of them are taken for equally likely, as the method takes
    them in groups of this size. Nothing is said of releases without personal levels.
    """
    claim = claim_of(release)
    if claim.claim != "personal-levels":
        return
    tally = _Tally()
    blind = claim.parameters.get("volunteers") == "blind"
    for crowd, shown in _crowds(release, original, policy, blind=blind):
        tally.add(crowd, shown)
    yield tally.result(column_of(release).name)


@dataclass
class _Tally:
    """What was found of the people of all groups."""

    shifts: list[float] = field(default_factory=list)
    certain: int = 0
    unweighed: int = 0
    left_out: int = 0

    def add(self, crowd: Crowd | None, shown: Seen | int) -> None:
        if crowd is None or isinstance(shown, int):
            self.left_out += shown if isinstance(shown, int) else 0
            return
        try:
            belief = crowd.belief(shown)
        except TooMany:
            belief = None
        if belief is None:
            self._add_blind(crowd, shown)
            return
        for person, mine in enumerate(belief):
            shift = crowd.shift(person, mine)
            if shift is not None:
                self.shifts.append(float(shift))
                self.certain += max(mine.values()) == 1

    def _add_blind(self, crowd: Crowd, shown: Seen) -> None:
        """Count who is certain in a group of which no belief was computed, if that is known."""
        sure = crowd.sure_if_blind(shown)
        if sure is None:
            self.left_out += len(crowd.said)
            return
        asking = [crowd.asks(i, leaves) for i, leaves in enumerate(crowd.possible(shown))]
        self.unweighed += sum(asking)
        self.certain += sum(a and s for a, s in zip(asking, sure, strict=True))

    def result(self, column: str) -> AttackResult:
        tried, without = len(self.shifts) + self.unweighed, ""
        if self.left_out:
            who = people(self.left_out, self.left_out + tried)
            without = f" Not tried: {who}, whose group fits too many worlds or cannot be told."
        if not tried:
            sentence = without.strip() or "Not tried: nobody demands more than their own value."
            return AttackResult(NAME, _ATTACKER, sentence)
        figures: dict[str, int | float] = {
            "people": tried,
            "left_out": self.left_out,
            "certain": self.certain,
            "unweighed": self.unweighed,
        }
        known = f"The {column} of {people(self.certain, tried)} who demanded more is certain"
        if not self.certain:
            known = f"Nobody's {column} is certain who demanded more"
        sentence = f"{known}."
        if self.shifts:
            figures["largest_shift"] = max(self.shifts)
            figures["mean_shift"] = sum(self.shifts) / len(self.shifts)
            far = f"{figures['largest_shift']:.3f}"
            sentence = f"{known}; what is believed is up to {far} off the target."
        if self.unweighed:
            sentence += f" Of {self.unweighed:,} of them in large groups only that was looked at."
        exposed = (Exposed(self.certain, tried, column),)
        return AttackResult(NAME, _ATTACKER, sentence + without, figures, exposed)


def _crowds(
    release: Release, original: Table, policy: Policy, *, blind: bool
) -> Iterator[tuple[Crowd | None, Seen | int]]:
    """Groups of people who were put into pools together, and what is seen of each.

    Whoever cannot be told from somebody who demands something else is left out with their group;
    then only the number of its people is given.
    """
    name = release.manifest.tables[0].name
    columns = [c.name for c in original.columns if c.role is Role.QUASI]
    group = next(c.published[0] for c in release.manifest.tables[0].columns if c.cells == "group")
    lines = release.frames[name].select(pl.col(columns).cast(pl.String), pl.col(group).alias("\0g"))
    said = original.demands if original.demands is not None else pl.Series([None] * original.height)
    texts = said.cast(pl.String).str.strip_chars().alias("\0said")
    asked = original.frame.select(pl.col(columns).cast(pl.String)).with_columns(texts)
    one = asked.group_by(columns).agg(
        pl.col("\0said").first(), pl.col("\0said").n_unique().alias("\0many")
    )
    lines = lines.join(one, on=columns, how="left", nulls_equal=True, maintain_order="left")
    ((_, target),) = policy.privacy.target.items()
    joined = target.mode == "per-class" and (policy.privacy.k or 1) > 1
    floor = _floor(release)
    for part in targets_of(release):
        inside = lines.filter(pl.col("\0g").is_between(part.first, part.last))
        whole = target.mode == "whole"
        for crowd in [inside] if whole else inside.partition_by(columns, maintain_order=True):
            if joined or crowd.get_column("\0many").max() != 1:
                yield None, crowd.height
                continue
            cells = subdomains_of(release, part)
            rows = crowd.with_row_index("\0i").group_by("\0g").agg(pl.col("\0i")).iter_rows()
            shown = frozenset(
                (tuple(sorted(who)), tuple(sorted(cells[number].items()))) for number, who in rows
            )
            demands = tuple(crowd.get_column("\0said").to_list())
            yield Crowd(part.target, demands, floor, blind), shown


def _floor(release: Release) -> GroupFloor | None:
    for claim in release.manifest.claims:
        if claim.claim == GroupFloor.name:
            return GroupFloor(**claim.parameters)
    return None
