"""Disguise the distribution of one column, group by group."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from papilio.data.weighted_tree import WeightedTree
from papilio.families.disguise.methods.approximate import push_with_shift
from papilio.families.disguise.methods.fake_values import with_fake_values
from papilio.families.disguise.methods.personal import USUAL_SECONDS, pool_people
from papilio.families.disguise.methods.pools import People
from papilio.families.disguise.methods.randomised import push_by_chance
from papilio.families.disguise.methods.subdomains import Subdomains, from_sizes, together
from papilio.families.disguise.methods.target import follow_counts, follow_target
from papilio.randomness import Randomness


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
    seconds
        Time for personal levels.
    """

    shift: Fraction = Fraction(0)
    fakes: Fraction = Fraction(0)
    randomised: bool = False
    seconds: float = USUAL_SECONDS


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
    return from_sizes(target.tree, sizes), until


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
    made = with_fake_values(leaves, target, limit)
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
    demanded: NDArray[np.int32],
    randomness: Randomness,
    seconds: float = USUAL_SECONDS,
) -> Disguised:
    """Divide every group into pools that respect what each person demands.

    Parameters
    ----------
    parts, codes
        As for :func:`disguise`.
    demanded
        Node of the domain tree that each row's person names.
    randomness
        Decides who of people with the same value and demand joins which pool.
    seconds
        Time limit for all groups together.
    """
    until = time.monotonic() + seconds
    left = sum(part.groups for part in parts)
    made, subdomains, bound = [], [], 0.0
    for part in parts:
        pools: list[NDArray[np.int32]] = []
        found: list[dict[int, int]] = []
        for number in range(part.groups):
            rows = part.group(number)
            rows = rows[randomness.permutation(len(rows))]
            share = max(0.1, (until - time.monotonic()) / max(1, min(left, 4)))
            pooled = pool_people(People(part.target, codes[rows], demanded[rows]), share)
            left -= 1
            bound += pooled.bound
            for pool, nodes in pooled.subdomains.items():
                pools.append(rows[pooled.pool == pool])
                found.append(nodes)
        starts = np.concatenate([[0], np.cumsum([len(pool) for pool in pools])]).astype(np.int64)
        made.append(Part(part.target, np.concatenate(pools), starts))
        subdomains.append(together(found))
    return Disguised(tuple(made), tuple(subdomains), bound=bound)
