"""What there is to know about a disguised release beside its original."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import WeightedTree, locate
from papilio.data.table import Table
from papilio.data.types import as_text
from papilio.errors import ReleaseError
from papilio.families.disguise.methods.target_of import follow_target
from papilio.measure.losses import (
    published_shares,
    range_loss,
    target_shares,
    total_variation,
)
from papilio.privacy.target_weights import USUAL_LARGEST, normalise_weights
from papilio.release.manifest import PublishedColumn
from papilio.release.release import Release
from papilio.release.target_tree import PublishedTarget, column_of, subdomains_of, targets_of

#: Most bars of a distribution, and most groups in the picture of losses.
_BARS, _POINTS = 32, 300
#: Steps from the data's own distribution to the target.
_STEPS = 8

_Shares = NDArray[np.float64]


@dataclass(frozen=True)
class Bin:
    """Shares of one stretch of the domain in the source, the target and the release."""

    label: str
    source: float
    target: float
    published: float


@dataclass(frozen=True)
class Point:
    """How far a target is from the data, and what following it loses."""

    distance: float
    loss: float


@dataclass(frozen=True, kw_only=True)
class DisguisedFacts:
    """Figures of a disguised release.

    Attributes
    ----------
    name, columns
        The table, and the columns of people and values as they are published.
    sensitive
        The disguised column.
    rows, groups, fakes
        Number of people, groups and fake values.
    parts
        Number of parts that have a target of their own.
    exact
        Share of the published cells that are a single leaf of the tree.
    loss
        Average range of a cell as a share of the domain.
    distance, published_distance
        How far source and published distribution are from the target, over the whole table.
    bins
        The three distributions.
    depths
        Depth in the tree -> number of published cells.
    points
        Groups; empty if who is in which group is not certain.
    curve
        From the data's own distribution to the target, for the whole table as one group.
    """

    name: str
    columns: tuple[PublishedColumn, ...]
    sensitive: str
    rows: int
    groups: int
    fakes: int
    parts: int
    exact: float
    loss: float
    distance: float
    published_distance: float
    bins: tuple[Bin, ...]
    depths: tuple[int, ...]
    points: tuple[Point, ...]
    curve: tuple[Point, ...]


#: Number of a group -> its target, and how often each node of the tree is published.
_Groups: TypeAlias = dict[int, tuple[WeightedTree, dict[int, int]]]


def range_share(release: Release) -> float:
    """Average range of a published cell as a share of the domain."""
    return _average_range(_groups_of(release, targets_of(release)))


def disguised_facts(release: Release, original: Table) -> DisguisedFacts:
    """Measure a disguised release beside its original.

    Raises
    ------
    ReleaseError
        If the original has values outside of the release's domain.
    """
    targets, column = targets_of(release), column_of(release)
    tree = targets[0].target.tree
    codes = locate(tree, original.frame.get_column(column.name))
    if (codes < 0).any():
        raise ReleaseError(
            "the original has values outside of the release's domain; give the policy the release "
            "was made with",
            reason="another-policy",
        )
    groups = _groups_of(release, targets)
    numbers = _numbers_of_people(release)
    source = np.bincount(codes, minlength=tree.leaves) / len(codes)
    target = _mixed(
        [target_shares(each.target) for each in targets],
        [int(((numbers >= each.first) & (numbers <= each.last)).sum()) for each in targets],
    )
    joined = [_together(groups, each.first, each.last) for each in targets]
    published = _mixed(
        [published_shares(each.target, nodes) for each, nodes in zip(targets, joined, strict=True)],
        [sum(nodes.values()) for nodes in joined],
    )
    used = sum(many for _, nodes in groups.values() for many in nodes.values())
    leaves = sum(
        many for t, nodes in groups.values() for node, many in nodes.items() if _is_leaf(t, node)
    )
    return DisguisedFacts(
        name=original.name,
        columns=tuple(
            each
            for table in release.manifest.tables[:2]
            for each in table.columns
            if each.cells != "group"
        ),
        sensitive=column.name,
        rows=len(codes),
        groups=len(groups),
        fakes=used - len(codes),
        parts=len(targets),
        exact=leaves / used,
        loss=_average_range(groups),
        distance=total_variation(source, target),
        published_distance=total_variation(published, target),
        bins=_bins(targets[0].target, source, target, published),
        depths=_depths(groups),
        points=_points(release, original, codes, groups),
        curve=_curve(targets[0].target, codes, target),
    )


def _groups_of(release: Release, targets: Sequence[PublishedTarget]) -> _Groups:
    return {
        number: (each.target, nodes)
        for each in targets
        for number, nodes in subdomains_of(release, each).items()
    }


def _average_range(groups: _Groups) -> float:
    used = sum(sum(nodes.values()) for _, nodes in groups.values())
    return sum(range_loss(t, nodes) * sum(nodes.values()) for t, nodes in groups.values()) / used


def _numbers_of_people(release: Release) -> NDArray[np.int64]:
    table = release.manifest.tables[0]
    (group,) = (column.published[0] for column in table.columns if column.cells == "group")
    return release.frames[table.name].get_column(group).to_numpy()


def _mixed(shares: Sequence[_Shares], sizes: Sequence[int]) -> _Shares:
    """Distribution of all parts together, each counting by its size."""
    mixed = np.zeros(len(shares[0]))
    for share, size in zip(shares, sizes, strict=True):
        mixed += share * (size / sum(sizes))
    return mixed


def _together(groups: _Groups, first: int, last: int) -> dict[int, int]:
    """Subdomains of groups that have one target, and how often they use each."""
    nodes: Counter[int] = Counter()
    for number in range(first, last + 1):
        nodes.update(groups[number][1])
    return dict(nodes)


def _is_leaf(target: WeightedTree, node: int) -> bool:
    return bool(target.tree.end[node] == node + 1)


def _depths(groups: _Groups) -> tuple[int, ...]:
    tree = next(iter(groups.values()))[0].tree
    depths = np.zeros(tree.height + 1, dtype=np.int64)
    for _, nodes in groups.values():
        for node, many in nodes.items():
            depths[tree.depth[node]] += many
    return tuple(depths.tolist())


def _bins(
    target: WeightedTree, source: _Shares, wanted: _Shares, published: _Shares
) -> tuple[Bin, ...]:
    """Stretches of the domain of about equal numbers of leaves."""
    tree = target.tree
    lows, highs = tree.lows.to_list(), tree.highs.to_list()
    cuts = np.unique(np.linspace(0, tree.leaves, min(_BARS, tree.leaves) + 1).astype(int))
    bins = []
    for start, stop in itertools.pairwise(cuts):
        low, high = lows[start], highs[stop - 1]
        label = str(low) if low == high else f"{low} – {high}"
        shares = (float(each[start:stop].sum()) for each in (source, wanted, published))
        bins.append(Bin(label, *shares))
    return tuple(bins)


def _points(
    release: Release,
    original: Table,
    codes: NDArray[np.int32],
    groups: _Groups,
) -> tuple[Point, ...]:
    """One point per group, if quasi-identifiers tell who is in which."""
    numbers = _groups_of_rows(release, original)
    if numbers is None:
        return ()
    points = []
    for number, (target, nodes) in list(groups.items())[:_POINTS]:
        inside = codes[numbers == number]
        source = np.bincount(inside, minlength=target.tree.leaves) / len(inside)
        distance = total_variation(source, target_shares(target))
        points.append(Point(distance, range_loss(target, nodes)))
    return tuple(points)


def _groups_of_rows(release: Release, original: Table) -> NDArray[np.int64] | None:
    """Group of each original row; ``None`` where equal people are in several groups."""
    table = release.manifest.tables[0]
    (group,) = (column.published[0] for column in table.columns if column.cells == "group")
    names = [column.name for column in table.columns if column.cells != "group"]
    people = as_text(release.frames[table.name]).unique()
    if people.select(names).is_duplicated().any():
        return None
    texts = pl.col(names).cast(pl.String)
    rows = as_text(original.frame.select(names)).with_columns(texts)
    joined = rows.join(
        people.with_columns(texts), names, "left", nulls_equal=True, maintain_order="left"
    )
    found = joined.get_column(group)
    return None if found.null_count() else found.to_numpy()


def _curve(target: WeightedTree, codes: NDArray[np.int32], wanted: _Shares) -> tuple[Point, ...]:
    """What targets between the data's own distribution and the target would lose, in one group."""
    tree = target.tree
    source = np.bincount(codes, minlength=tree.leaves) / len(codes)
    points = []
    for step in range(_STEPS + 1):
        mixed = source + (wanted - source) * step / _STEPS
        made, _ = normalise_weights(tree, mixed, USUAL_LARGEST)
        nodes = follow_target(codes, np.array([0, len(codes)]), made).of(0)
        distance = total_variation(source, target_shares(made))
        points.append(Point(distance, range_loss(made, nodes)))
    return tuple(points)
