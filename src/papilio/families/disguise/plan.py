"""The plan of a disguise, and what it is made from: how many people there are of each kind.

A kind is told by the part, the leaf of the value and what people demand. Who counts does not
matter: a pass over files, or an engine with many workers.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree, WeightedTree, locate
from papilio.families.disguise.make import check_floor, manner_of
from papilio.families.disguise.methods.disguise import Manner, disguise_counts
from papilio.families.disguise.methods.domain_of import (
    Subdomains,
    check_missing,
    check_outside,
    together,
)
from papilio.families.disguise.methods.personal import USUAL_SECONDS, pool_counts
from papilio.families.disguise.methods.pools import NO_RULE, People, PoolRule, ancestors
from papilio.families.disguise.methods.publish import subdomain_moments
from papilio.families.disguise.methods.target_of import WeightFile, target_of
from papilio.policy.target_policy import TargetPolicy
from papilio.privacy.group_floor import GroupFloor
from papilio.privacy.personal import PersonalLevels, demanded_nodes
from papilio.privacy.target_distribution import TargetDistribution
from papilio.privacy.target_weights import WeightChange
from papilio.randomness import Randomness

#: Instead of the leaf: the value is outside of the domain, or missing.
_OUTSIDE, _MISSING = -1, -2
#: Number of people of a kind in counts.
PEOPLE = "rows"


@dataclass(frozen=True, eq=False)
class CountedPart:
    """Rows with one target, counted.

    Attributes
    ----------
    key
        What they have in the columns that tell parts apart, as text.
    target, change
        Their target, and what normalising did to it.
    leaves
        Leaf -> number of rows.
    codes, said, counts
        Number of rows with each leaf and what is said about it; one entry without personal levels.
    """

    key: tuple[str | None, ...]
    target: WeightedTree
    change: WeightChange
    leaves: NDArray[np.int64]
    codes: NDArray[np.int32]
    said: pl.Series
    counts: NDArray[np.int64]

    @property
    def hidden(self) -> int:
        """Number of rows whose value has no weight."""
        chance = self.target.chance[self.target.tree.leaf_node]
        return int(self.leaves[chance == 0].sum())


@dataclass(frozen=True, eq=False)
class Reading:
    """How a row is seen: its part, its leaf, and what its person says.

    Attributes
    ----------
    column
        The disguised column.
    by
        Columns that tell parts apart.
    personal
        Column that holds what people say, if there is one.
    tree
        The subdomains.
    """

    column: str
    by: tuple[str, ...]
    personal: str | None
    tree: DomainTree

    @property
    def keys(self) -> list[str]:
        """Names of what tells parts apart."""
        return [f"b{place}" for place in range(len(self.by))]

    @property
    def marks(self) -> list[str]:
        """Names of all that tells kinds of people apart."""
        return [*self.keys, "code", "said"]

    def read(self, typed: pl.DataFrame, said: pl.Series | None) -> pl.DataFrame:
        """Keys, ``code`` and ``said`` of rows with their types, and what their people say."""
        keys = typed.select(pl.col(self.by).cast(pl.String)) if self.by else pl.DataFrame()
        values = typed.get_column(self.column)
        codes = np.where(values.is_null().to_numpy(), _MISSING, locate(self.tree, values))
        texts = pl.Series([None] * typed.height, dtype=pl.String) if said is None else said
        more = [pl.Series("code", codes.astype(np.int32)), texts.alias("said")]
        return pl.DataFrame([*(s.alias(k) for s, k in zip(keys, self.keys, strict=True)), *more])


def count_kinds(seen: pl.DataFrame, reading: Reading) -> pl.DataFrame:
    """Count how many rows there are of each kind; see :meth:`Reading.read`."""
    return seen.group_by(reading.marks).len(PEOPLE).cast({PEOPLE: pl.Int64})


def parts_from(
    counted: pl.DataFrame, reading: Reading, said: TargetPolicy, file: WeightFile | None
) -> list[CountedPart]:
    """Find each part's target from the counts of all kinds of people.

    Parts stand in the order of their keys, as on one machine.

    Raises
    ------
    DataError
        If values are missing or outside of the domain.
    """
    for code, check in ((_MISSING, check_missing), (_OUTSIDE, check_outside)):
        check(reading.column, int(counted.filter(pl.col("code") == code).get_column(PEOPLE).sum()))
    ordered = counted.sort(reading.marks)
    parts = ordered.partition_by(reading.keys, maintain_order=True) if reading.keys else [ordered]
    return [_part(part, reading, said, file) for part in parts]


def _part(
    counted: pl.DataFrame, reading: Reading, said: TargetPolicy, file: WeightFile | None
) -> CountedPart:
    key = counted.select(reading.keys).row(0) if reading.keys else ()
    codes, counts = (counted.get_column(name).to_numpy() for name in ("code", PEOPLE))
    leaves = np.zeros(reading.tree.leaves, np.int64)
    np.add.at(leaves, codes, counts)
    named: Sequence[str] = () if file is None else file.keys.columns
    known = [value for name, value in zip(reading.by, key, strict=True) if name in named]
    target, change = target_of(said, reading.tree, leaves, file, known)
    name = reading.personal or ""
    return CountedPart(
        key, target, change, leaves, codes, counted.get_column("said").alias(name), counts
    )


#: Number of a kind of people.
KIND = "kind"


@dataclass(frozen=True, eq=False)
class Shares:
    """Which people of each kind belong to which group.

    See :mod:`papilio.families.engines.spark.seeds`.

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

    @property
    def cells(self) -> int:
        """Number of subdomains, equal ones counted as often as they are published."""
        return int(self.subdomains.counts.sum())

    def gap(self, tree: DomainTree) -> tuple[float, float] | None:
        """Sum of ranges and what none can be below, with personal levels."""
        return None if self.bound is None else (self.subdomains.cost(tree), self.bound)


def plan_disguise(
    parts: Sequence[CountedPart],
    requirement: TargetDistribution | PersonalLevels,
    randomness: Randomness,
    memory: int | None = None,
    floor: GroupFloor | None = None,
) -> DisguisePlan:
    """Plan one group per part, or pools where people demand something for themselves.

    What every group must leave is checked by :func:`check_counted` before. ``memory`` is how many
    bytes a search for fake values may fill; left out, a gigabyte.
    """
    if isinstance(requirement, TargetDistribution):
        manner = manner_of(requirement, floor)
        if memory is not None:
            manner = replace(manner, entries=min(manner.entries, memory // 8))
        return plan_parts(parts, manner, randomness)
    return plan_pools(parts, randomness, rule=PoolRule(floor, requirement.blind))


def check_counted(
    floor: GroupFloor | None, said: TargetPolicy, parts: Sequence[CountedPart]
) -> None:
    """Refuse what :func:`papilio.families.disguise.make.check_floor` refuses, from counts."""
    check_floor(floor, said, [(part.target, int(part.leaves.sum())) for part in parts])


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
    parts: Sequence[CountedPart],
    randomness: Randomness,
    seconds: float = USUAL_SECONDS,
    rule: PoolRule = NO_RULE,
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
        pooled.append(_pool(part, max(0.1, share), randomness, rule))
    groups = [len(each.people) for each in pooled]
    return DisguisePlan(
        tuple(groups),
        np.concatenate([each.people for each in pooled]),
        together([used for each in pooled for used in each.subdomains]),
        _numbered(pooled, groups, [len(part.codes) for part in parts]),
        bound=None if rule.blind else sum(each.bound for each in pooled),
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


def _pool(part: CountedPart, seconds: float, randomness: Randomness, rule: PoolRule) -> _Pools:
    """Divide the people of one part into pools, which are numbered at random."""
    tree = part.target.tree
    demanded = demanded_nodes(tree, part.codes, part.said, part.counts)
    crowd = rule.raised(People(part.target, part.codes, demanded, part.counts), part.said)
    found = pool_counts(crowd, seconds, rule, randomness)
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


def farthest(tree: DomainTree) -> int:
    """Largest absolute value of a domain of whole numbers; 0 of others."""
    if tree.lows.dtype != pl.Int64:
        return 0
    return max(abs(int(tree.lows[0])), abs(int(tree.highs[-1])))


def kinds_of(parts: Sequence[CountedPart], reading: Reading, plan: DisguisePlan) -> pl.DataFrame:
    """What tells the kinds of people apart that a plan deals out, and the number of each.

    Without shares a kind is a part; else it is a part, a leaf and a demand.
    """
    if plan.shares is None:
        told = _told([part.key for part in parts], reading.keys)
        return pl.DataFrame([*told, pl.Series(KIND, np.arange(len(parts)))])
    frames = [
        pl.DataFrame(
            [
                *_told([part.key] * len(part.codes), reading.keys),
                pl.Series("code", part.codes, dtype=pl.Int32),
                part.said.alias("said"),
            ]
        )
        for part in parts
    ]
    known = pl.concat(frames)
    return known.with_columns(pl.Series(KIND, np.arange(known.height)))


def number_kinds(seen: pl.DataFrame, known: pl.DataFrame) -> pl.Series:
    """Kind of each row, NULL if it is none; see :meth:`Reading.read` and :func:`kinds_of`."""
    marks = [name for name in known.columns if name != KIND]
    if not marks:
        return pl.Series(KIND, np.zeros(seen.height, np.int64))
    joined = seen.join(known, on=marks, how="left", nulls_equal=True, maintain_order="left")
    return joined.get_column(KIND)


def _told(keys: Sequence[tuple[str | None, ...]], names: Sequence[str]) -> list[pl.Series]:
    return [
        pl.Series(name, [key[place] for key in keys], dtype=pl.String)
        for place, name in enumerate(names)
    ]


class Measure:
    """Ends, mean and variance of the subdomains of groups.

    Parameters
    ----------
    tree
        The subdomains.
    parts, groups
        The parts, and the number of groups of each.
    """

    def __init__(
        self, tree: DomainTree, parts: Sequence[CountedPart], groups: Sequence[int]
    ) -> None:
        self._tree = tree
        self._last: NDArray[np.int64] = np.cumsum(groups)
        moments = [subdomain_moments(part.target) for part in parts]
        self._mean, self._variance = (np.stack(each) for each in zip(*moments, strict=True))

    def __call__(self, groups: pl.Series, nodes: pl.Series) -> tuple[pl.Series, ...]:
        """Low and high end, mean and variance of some subdomains of groups, counted from 1."""
        places = nodes.to_numpy()
        part = np.searchsorted(self._last, groups.to_numpy())
        mean, variance = self._mean[part, places], self._variance[part, places]
        return (*ends_of(self._tree, places), pl.Series(mean), pl.Series(variance))


def ends_of(tree: DomainTree, nodes: NDArray[np.integer[Any]]) -> tuple[pl.Series, pl.Series]:
    """Smallest and largest value of some subdomains."""
    return tree.lows.gather(tree.first[nodes]), tree.highs.gather(tree.last[nodes])
