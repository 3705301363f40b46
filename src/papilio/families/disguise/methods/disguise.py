"""Disguise the distribution of one column, group by group."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import WeightedTree
from papilio.errors import InfeasibleError
from papilio.families.disguise.methods.domain_of import Subdomains, from_sizes, together
from papilio.families.disguise.methods.fake_values import MOST_ENTRIES, with_fake_values
from papilio.families.disguise.methods.personal import USUAL_SECONDS, pool_people
from papilio.families.disguise.methods.pools import NO_RULE, People, PoolRule
from papilio.families.disguise.methods.target_of import follow_counts, follow_target
from papilio.privacy.calibrated_push import MOST_VALUES, push_chances
from papilio.privacy.group_floor import GroupFloor, left_by_cells
from papilio.privacy.personal import demanded_nodes
from papilio.randomness import Randomness


def push_by_chance(
    count: NDArray[np.int64], target: WeightedTree, randomness: Randomness
) -> NDArray[np.int64]:
    """Push values down by :func:`~papilio.privacy.calibrated_push.push_chances` at every node.

    The result is P-private and some assignment of the values fits it, as with the maximal
    allocation; ranges are wider. For someone who takes values for independent draws from the
    target, the split at the root is exactly what the target says, given how much was pushed there.
    At other nodes the same holds given the number of values below the node, which is not
    published; so in trees of more than one level some of the effect remains: a half to a fifth
    where weights were uneven, all of it where they are even, since chance then changes nothing.
    Nodes with other than two children of weight above 0 push as much as they can.

    Parameters
    ----------
    count
        Node -> values below it.
    target
        The distribution.
    randomness
        Chooses.

    Raises
    ------
    InfeasibleError
        If the group has too many values for the chances to be computed.

    Notes
    -----
    Cost: the square of the number of values for each node that gets something.
    """
    if count[0] > MOST_VALUES:
        raise InfeasibleError(
            f"a group has {int(count[0])} rows, too many for a randomised allocation",
            reason="group-too-large",
            nearest=f"at most {MOST_VALUES} rows in a group, or allocation: maximal, are accepted",
        )
    tree = target.tree
    size = np.zeros(tree.nodes, dtype=np.int64)
    size[0] = count[0]
    draws = randomness.keys(tree.nodes) / 2.0**64
    for node in range(tree.nodes):
        total = int(target.total[node])
        if size[node] == 0 or total == 0:
            continue
        children = tree.children(node)
        weights = target.weight[children]
        most = min(
            int(size[node]) // total,
            *(int(count[c]) // int(w) for c, w in zip(children, weights, strict=True) if w),
        )
        if len(children) == 2 and weights.min() > 0 and most > 0:
            chances = push_chances(
                int(count[node]), int(size[node]) // total, int(weights[0]), int(weights[1])
            )
            until = np.cumsum(chances[count[children[0]]])
            most = min(most, int(np.searchsorted(until, draws[node], side="right")))
        size[children] = most * weights
    return size


def push_with_shift(
    count: NDArray[np.int64], target: WeightedTree, shift: Fraction
) -> NDArray[np.int64]:
    """Push values down where the share of each child may differ from the target's by ``shift``.

    At each node the largest number of values goes down of which some division among the children
    keeps every share within the tolerance and fits the values there are. That number is not reached
    by the ratio nearest to the data, as section 3.6 of Zhang has it, but by the one with
    the largest achievable push (papers D3.17); shares are those among the children of the node
    (papers D3.16). For two children no smaller push costs less, whatever happens below; which of
    several divisions of the same number is taken is a rule, the one nearest to the data, which on
    1499 small inputs cost more than the best of all divisions in one.

    Parameters
    ----------
    count
        Node -> values below it.
    target
        The distribution.
    shift
        Largest difference of a share.

    Returns
    -------
    numpy.ndarray
        Node -> number of subdomains in its subtree.

    Notes
    -----
    Whole numbers throughout. Cost: the nodes that get something, times the steps down to a number
    that can be divided, at most the sum of the weights and typically 1 / shift.
    """
    size = np.zeros(target.tree.nodes, dtype=np.int64)
    size[0] = count[0]
    for node in range(target.tree.nodes):
        total = int(target.total[node])
        if size[node] == 0 or total == 0:
            continue
        children = target.tree.children(node)
        shares = [Fraction(int(w), total) for w in target.weight[children]]
        size[children] = divide(count[children].tolist(), int(size[node]), shares, shift)
    return size


def divide(
    counts: Sequence[int], most: int, shares: Sequence[Fraction], shift: Fraction
) -> list[int]:
    """Largest admissible division of at most ``most`` values among children, nearest to the data.

    Parameters
    ----------
    counts
        Values below each child.
    most
        Bound on the sum.
    shares
        The target's share of each child.
    shift
        Largest difference of a share.
    """
    low = [max(share - shift, Fraction(0)) for share in shares]
    high = [min(share + shift, Fraction(1)) for share in shares]
    pushed = min(most, _largest(counts, low, high))
    while pushed > 0:
        least = [-(-pushed * part.numerator // part.denominator) for part in low]
        room = [
            min(n, pushed * part.numerator // part.denominator)
            for n, part in zip(counts, high, strict=True)
        ]
        fits = all(a <= b for a, b in zip(least, room, strict=True))
        if fits and sum(least) <= pushed <= sum(room):
            return _nearest_division(counts, pushed, least, room)
        pushed -= 1
    return [0] * len(counts)


def _largest(counts: Sequence[int], low: Sequence[Fraction], high: Sequence[Fraction]) -> int:
    """Bound on what can be pushed, shares and counts taken for real numbers."""
    bounds = [n // part for n, part in zip(counts, low, strict=True) if part > 0]
    most = min([sum(counts), *bounds])
    below, above = 0, most
    while below < above:
        middle = (below + above + 1) // 2
        room = sum(min(Fraction(n), part * middle) for n, part in zip(counts, high, strict=True))
        below, above = (middle, above) if room >= middle else (below, middle - 1)
    return below


def _nearest_division(
    counts: Sequence[int], pushed: int, least: Sequence[int], room: Sequence[int]
) -> list[int]:
    """Division in proportion to the counts, as far as the bounds let it be."""
    everything = sum(counts)
    division = [
        min(max(pushed * n // everything, low), high)
        for n, low, high in zip(counts, least, room, strict=True)
    ]
    missing = pushed - sum(division)
    for child in sorted(range(len(counts)), key=lambda c: -counts[c]):
        step = min(missing, room[child] - division[child])
        step = max(step, least[child] - division[child]) if missing < 0 else step
        division[child] += step
        missing -= step
    return division


@dataclass(frozen=True, eq=False)
class Part:
    """Rows that have one target.

    Attributes
    ----------
    target
        The distribution.
    rows
        Row numbers, group after group.
    starts
        Group -> first of its rows; one more entry at the end.
    """

    target: WeightedTree
    rows: NDArray[np.int32]
    starts: NDArray[np.int64]

    @property
    def groups(self) -> int:
        """Number of groups."""
        return len(self.starts) - 1

    def group(self, number: int) -> NDArray[np.int32]:
        """Rows of a group."""
        return self.rows[self.starts[number] : self.starts[number + 1]]


@dataclass(frozen=True)
class Manner:
    """How the targets are to be followed.

    Attributes
    ----------
    shift
        Tolerance of shares among siblings.
    fakes
        Most fake values, as a share of a group's rows.
    randomised
        Whether pushes are drawn by chance.
    floor
        What the cells of every group must leave; a group of which the tolerance would leave less
        follows its target exactly.
    seconds
        Time for personal levels.
    entries
        Entries of the tables that fake values are searched in.
    """

    shift: Fraction = Fraction(0)
    fakes: Fraction = Fraction(0)
    randomised: bool = False
    floor: GroupFloor | None = None
    seconds: float = USUAL_SECONDS
    entries: int = MOST_ENTRIES


@dataclass(frozen=True, eq=False)
class Disguised:
    """Groups of rows and the subdomains published for each.

    Attributes
    ----------
    parts
        Rows and groups of each target; with personal levels a group is a pool.
    subdomains
        Subdomains of the groups of each part.
    bound
        With personal levels, what no solution can be below; else ``None``.
    searched
        Smallest number of fake values up to which a group was searched though more were allowed;
        ``None`` if all were searched completely.
    """

    parts: tuple[Part, ...]
    subdomains: tuple[Subdomains, ...]
    bound: float | None = None
    searched: int | None = None

    @property
    def cost(self) -> float:
        """Sum of the ranges of all published subdomains."""
        pairs = zip(self.parts, self.subdomains, strict=True)
        return sum(found.cost(part.target.tree) for part, found in pairs)

    @property
    def fakes(self) -> int:
        """Number of fake values."""
        rows = sum(len(part.rows) for part in self.parts)
        return int(sum(found.counts.sum() for found in self.subdomains)) - rows


def disguise(
    parts: Sequence[Part], codes: NDArray[np.int32], manner: Manner, randomness: Randomness
) -> Disguised:
    """Generalise the values of every group so that its subdomains follow its target.

    Parameters
    ----------
    parts
        Rows, their groups and targets.
    codes
        Leaf of each row.
    manner
        Tolerance, fake values, allocation.
    randomness
        For a randomised allocation.

    Notes
    -----
    Guarantees: each group's multiset of subdomains is P-private for a P whose shares among siblings
    differ from the target's by at most the shift; some one-to-one assignment of the rows' values to
    subdomains fits; at most the given share of subdomains belongs to nobody. Cost: one pass over
    the rows with neither shift nor fake values; see the files of both for theirs.
    """
    found, searched = [], []
    for part in parts:
        if not (manner.shift or manner.fakes or manner.randomised):
            found.append(follow_target(codes[part.rows], part.starts, part.target))
            continue
        groups = []
        for number in range(part.groups):
            leaves = np.bincount(codes[part.group(number)], minlength=part.target.tree.leaves)
            used, until = disguise_counts(leaves, part.target, manner, randomness)
            groups.append(used)
            searched += [] if until is None else [until]
        found.append(together(groups))
    return Disguised(tuple(parts), tuple(found), searched=min(searched, default=None))


def disguise_counts(
    leaves: NDArray[np.int64], target: WeightedTree, manner: Manner, randomness: Randomness
) -> tuple[dict[int, int], int | None]:
    """Generalise one group that is told by the number of values of each leaf.

    Parameters
    ----------
    leaves
        Leaf -> number of values.
    target, manner, randomness
        As for :func:`disguise`.

    Returns
    -------
    tuple
        Subdomain -> how often it is used; and up to where fake values were searched, if more were
        allowed.
    """
    if not (manner.shift or manner.fakes or manner.randomised):
        return follow_counts(leaves, target), None
    sizes, until = _sizes(leaves, target, manner, randomness)
    used = from_sizes(target.tree, sizes)
    floor = manner.floor
    if floor is None or not manner.shift or floor.holds_with(left_by_cells(target, used)):
        return used, until
    return disguise_counts(leaves, target, replace(manner, shift=Fraction(0)), randomness)


def _sizes(
    leaves: NDArray[np.int64], target: WeightedTree, manner: Manner, randomness: Randomness
) -> tuple[NDArray[np.int64], int | None]:
    """Subdomains in each subtree, and up to where fake values were searched if not completely."""
    count = target.tree.sums(leaves)
    if manner.randomised:
        return push_by_chance(count, target, randomness), None
    if not manner.fakes:
        return push_with_shift(count, target, manner.shift), None
    if manner.shift:
        target = _shifted(target, push_with_shift(count, target, manner.shift))
    limit = int(manner.fakes * int(count[0]))
    made = with_fake_values(leaves, target, limit, manner.entries)
    return made.size, made.searched if made.searched < limit else None


def _shifted(target: WeightedTree, size: NDArray[np.int64]) -> WeightedTree:
    """Target whose siblings weigh what was pushed to them; where nothing was, as before."""
    tree, weight = target.tree, target.weight.copy()
    pushed = np.zeros(tree.nodes, dtype=np.int64)
    np.add.at(pushed, tree.parent[1:], size[1:])
    for node in np.flatnonzero(pushed).tolist():
        children = tree.children(node)
        weight[children] = size[children] // np.gcd.reduce(size[children])
    return WeightedTree(tree, weight)


def disguise_personally(
    parts: Sequence[Part],
    codes: NDArray[np.int32],
    said: pl.Series,
    randomness: Randomness,
    seconds: float = USUAL_SECONDS,
    rule: PoolRule = NO_RULE,
) -> Disguised:
    """Divide every group into pools that respect what each person demands.

    Parameters
    ----------
    parts, codes
        As for :func:`disguise`.
    said
        What each row's person demands.
    randomness
        Decides who of people with the same value and demand joins which pool.
    seconds
        Time limit for all groups together.
    rule
        What pools must leave, and who may join one.
    """
    until = time.monotonic() + seconds
    demanded = demanded_nodes(parts[0].target.tree, codes, said)
    left = sum(part.groups for part in parts)
    made, subdomains, bound = [], [], 0.0
    for part in parts:
        pools: list[NDArray[np.int32]] = []
        found: list[dict[int, int]] = []
        for number in range(part.groups):
            rows = part.group(number)
            rows = rows[randomness.permutation(len(rows))]
            share = max(0.1, (until - time.monotonic()) / max(1, min(left, 4)))
            crowd = People(part.target, codes[rows], demanded[rows])
            pooled = pool_people(rule.raised(crowd, said[rows]), share, rule, randomness)
            left -= 1
            bound += pooled.bound
            for pool, nodes in pooled.subdomains.items():
                pools.append(rows[pooled.pool == pool])
                found.append(nodes)
        starts = np.concatenate([[0], np.cumsum([len(pool) for pool in pools])]).astype(np.int64)
        made.append(Part(part.target, np.concatenate(pools), starts))
        subdomains.append(together(found))
    known = None if rule.blind else bound
    return Disguised(tuple(made), tuple(subdomains), bound=known)
