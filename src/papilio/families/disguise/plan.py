"""The plan of a disguise from counts: which subdomains each group publishes, and who is in it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.families.disguise.methods.disguise import Manner, disguise_counts
from papilio.families.disguise.methods.personal import USUAL_SECONDS, pool_counts
from papilio.families.disguise.methods.pools import People, ancestors
from papilio.families.disguise.methods.subdomains import Subdomains, together
from papilio.families.disguise.spark_counts import CountedPart
from papilio.privacy.personal import demanded_nodes
from papilio.randomness import Randomness


@dataclass(frozen=True, eq=False)
class Shares:
    """Which people of each kind belong to which group; see :mod:`papilio.workflow.spark.shares`.

    Attributes
    ----------
    like
        Number of the kind: entries of all parts, one after the other.
    group, first, copies
        The group, from 1, and its stretch.
    """

    like: NDArray[np.int64]
    group: NDArray[np.int64]
    first: NDArray[np.int64]
    copies: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class DisguisePlan:
    """Groups and their subdomains.

    Attributes
    ----------
    groups
        Number of groups of each part; they are numbered part after part.
    people
        Number of people of each group.
    subdomains
        Subdomains of all groups, in their order.
    shares
        Who is in which group, if that is not told by the part alone.
    searched
        As of :class:`~papilio.families.disguise.methods.disguise.Disguised`.
    bound
        What no solution can be below, with personal levels.
    """

    groups: tuple[int, ...]
    people: NDArray[np.int64]
    subdomains: Subdomains
    shares: Shares | None = None
    searched: int | None = None
    bound: float | None = None


def plan_parts(
    parts: Sequence[CountedPart], manner: Manner, randomness: Randomness
) -> DisguisePlan:
    """Plan one group per part."""
    made = [disguise_counts(p.leaves, p.target, manner, randomness) for p in parts]
    searched = [until for _, until in made if until is not None]
    return DisguisePlan(
        (1,) * len(parts),
        np.array([part.leaves.sum() for part in parts]),
        together([used for used, _ in made]),
        searched=min(searched, default=None),
    )


def plan_pools(
    parts: Sequence[CountedPart], randomness: Randomness, seconds: float = USUAL_SECONDS
) -> DisguisePlan:
    """Plan pools that respect what each person demands.

    As :func:`papilio.families.disguise.methods.disguise.disguise_personally`, from counts.

    Raises
    ------
    DataError
        If people demand what is not in the tree, or does not hold their value.
    """
    until = time.monotonic() + seconds
    pooled = []
    for place, part in enumerate(parts):
        share = (until - time.monotonic()) / min(len(parts) - place, 4)
        pooled.append(_pool(part, max(0.1, share), randomness))
    groups = [len(each.people) for each in pooled]
    return DisguisePlan(
        tuple(groups),
        np.concatenate([each.people for each in pooled]),
        together([used for each in pooled for used in each.subdomains]),
        _numbered(pooled, groups, [len(part.codes) for part in parts]),
        bound=sum(each.bound for each in pooled),
    )


@dataclass(frozen=True, eq=False)
class _Pools:
    """Pools of one part, in the order of their numbers.

    Attributes
    ----------
    subdomains, people
        Subdomains and number of people of each pool.
    shares
        Entries of the part, number of the pool among those of the part, and stretches.
    bound
        What no division can be below.
    """

    subdomains: list[dict[int, int]]
    people: NDArray[np.int64]
    shares: Shares
    bound: float


def _pool(part: CountedPart, seconds: float, randomness: Randomness) -> _Pools:
    """Divide the people of one part into pools, which are numbered at random."""
    tree = part.target.tree
    demanded = demanded_nodes(tree, part.codes, part.said, part.counts)
    crowd = People(part.target, part.codes, demanded, part.counts)
    found = pool_counts(crowd, seconds)
    pools = np.array(list(found.subdomains))[randomness.permutation(len(found.subdomains))]
    number = np.empty(tree.nodes, np.int64)
    number[pools] = np.arange(len(pools))
    entry, depth, copies = crowd.shares(found.joined)
    group = number[ancestors(part.target)[part.codes[entry], depth]]
    people = np.bincount(group, copies, len(pools)).astype(np.int64)
    shares = Shares(entry, group, *_stretches(entry, copies))
    return _Pools([found.subdomains[n] for n in pools.tolist()], people, shares, found.bound)


def _numbered(pooled: Sequence[_Pools], groups: Sequence[int], kinds: Sequence[int]) -> Shares:
    """Shares of all parts, kinds and groups numbered part after part."""
    before_kind = np.cumsum([0, *kinds[:-1]])
    before_group = np.cumsum([0, *groups[:-1]])
    every = [each.shares for each in pooled]
    return Shares(
        np.concatenate([each.like + n for each, n in zip(every, before_kind, strict=True)]),
        np.concatenate([each.group + n + 1 for each, n in zip(every, before_group, strict=True)]),
        np.concatenate([each.first for each in every]),
        np.concatenate([each.copies for each in every]),
    )


def _stretches(
    entry: NDArray[np.int64], copies: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First of each share among those of its entry; shares of an entry stand together."""
    before = np.cumsum(copies) - copies
    begins = np.concatenate([[True], entry[1:] != entry[:-1]])
    start = before[begins][np.cumsum(begins) - 1]
    return before - start, copies
