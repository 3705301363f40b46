"""Rows, subdomains and help table of a disguised column as a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.column import Column, ColumnType
from papilio.data.io.frames import Kind
from papilio.data.roles import Role
from papilio.data.table import Table
from papilio.data.types import as_text
from papilio.data.weighted_tree import WeightedTree
from papilio.families.classes import Classes
from papilio.families.disguise.methods.disguise import Disguised
from papilio.families.disguise.methods.help_table import disguised_help
from papilio.families.disguise.methods.moments import subdomain_moments
from papilio.families.disguise.methods.tree_text import FILE, tree_text, weight_name
from papilio.families.permutation.methods.help_table import AGGREGATES
from papilio.families.permutation.methods.publish import group_name, permuted_names
from papilio.kernels.shuffle import shuffle_classes
from papilio.policy.recipients import EVERYONE
from papilio.privacy.personal import PersonalLevels
from papilio.privacy.target_distribution import TargetDistribution
from papilio.randomness import Randomness
from papilio.release.as_it_was import as_it_was
from papilio.release.made import Made
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.release import Release


@dataclass(frozen=True, eq=False)
class _Shuffled:
    """All groups in their published order.

    Attributes
    ----------
    people
        Rows, group after group.
    nodes
        Subdomains, group after group.
    part
        Group -> its part.
    """

    people: Classes
    nodes: Classes
    part: NDArray[np.int64]


def disguised_release(
    table: Table,
    disguised: Disguised,
    requirement: TargetDistribution | PersonalLevels,
    *,
    randomness: Randomness,
    kind: Kind = Kind.POLARS,
    notes: tuple[str, ...] = (),
) -> Made:
    """Publish quasi-identifiers as they are, and subdomains of the sensitive column apart.

    As a permuted release, with intervals instead of values and more values than rows where there
    are fakes; numbers also have a help table. The tree and the weights of the targets are a file of
    the release. See "Disguised releases" in ``docs/release-format.md``.
    """
    sensitive = requirement.column
    group = group_name([column.name for column in table.columns])
    shuffled = _shuffle(disguised, randomness)
    (column,) = (each for each in table.columns if each.name == sensitive)
    frames = {
        table.name: _people(table, shuffled, sensitive, group),
        f"{table.name}_values": _values(disguised, shuffled, sensitive, group),
    }
    if column.type is ColumnType.NUMERIC:
        frames[f"{table.name}_help"] = _help(disguised, shuffled, group)
    manifest, files = disguised_manifest(
        table.name,
        table.columns,
        requirement,
        [(part.target, part.groups) for part in disguised.parts],
        (table.height, len(shuffled.nodes.rows)),
        seeded=randomness.seeded,
    )
    release = Release(manifest, frames, files, kind, notes=notes)
    return Made(release, {table.name: shuffled.people.rows})


def disguised_manifest(
    name: str,
    columns: Sequence[Column],
    requirement: TargetDistribution | PersonalLevels,
    parts: Sequence[tuple[WeightedTree, int]],
    rows: tuple[int, int],
    *,
    seeded: bool,
) -> tuple[Manifest, dict[str, str]]:
    """Describe the tables of a disguised release, and write the file with its tree.

    Parameters
    ----------
    name, columns
        The table.
    requirement
        What is claimed.
    parts
        Target and number of groups of each part, in the order in which groups are numbered.
    rows
        Number of people, and of subdomains.
    seeded
        Whether it can be repeated.
    """
    targets = _distinct([target for target, _ in parts])
    (sensitive,) = (each for each in columns if each.name == requirement.column)
    described = _described(columns, sensitive, group_name([each.name for each in columns]))
    heights = (*rows, rows[0])
    tables = [
        PublishedTable(table, its, height)
        for table, its, height in zip(permuted_names(name), described, heights, strict=True)
    ]
    numeric = sensitive.type is ColumnType.NUMERIC
    manifest = Manifest(
        kind="disguised",
        method="disguise",
        claims=(_claim(name, columns, requirement, parts, targets),),
        tables=tuple(tables if numeric else tables[:-1]),
        seeded=seeded,
    )
    return manifest, {FILE: tree_text(targets)}


def _distinct(targets: Sequence[WeightedTree]) -> list[WeightedTree]:
    found: dict[bytes, WeightedTree] = {}
    for target in targets:
        found.setdefault(target.weight.tobytes(), target)
    return list(found.values())


def _shuffle(disguised: Disguised, randomness: Randomness) -> _Shuffled:
    """Number groups at random inside each part, and shuffle people and subdomains by themselves."""
    rows = np.concatenate([part.rows for part in disguised.parts]).astype(np.int32)
    sizes = np.concatenate([np.diff(part.starts) for part in disguised.parts])
    nodes = np.concatenate([np.repeat(s.nodes, s.counts) for s in disguised.subdomains])
    cells = np.concatenate([s.sizes for s in disguised.subdomains])
    groups = np.array([part.groups for part in disguised.parts])
    first = np.concatenate([[0], np.cumsum(groups)])
    order = np.concatenate(
        [first[n] + randomness.permutation(int(many)) for n, many in enumerate(groups)]
    )
    people = shuffle_classes(rows, _starts(sizes), order, randomness.keys(len(rows)))
    values = shuffle_classes(
        nodes.astype(np.int32), _starts(cells), order, randomness.keys(len(nodes))
    )
    part = np.repeat(np.arange(len(groups)), groups)
    return _Shuffled(Classes(*people), Classes(*values), part)


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _people(table: Table, shuffled: _Shuffled, sensitive: str, group: str) -> pl.DataFrame:
    frame = as_text(table.frame.drop(sensitive)[shuffled.people.rows])
    return frame.with_columns(_numbers(shuffled.people, group))


def _numbers(groups: Classes, name: str) -> pl.Series:
    return pl.Series(name, groups.class_of_position.astype(np.int64) + 1)


def _ends(disguised: Disguised, shuffled: _Shuffled) -> tuple[pl.Series, pl.Series]:
    tree = disguised.parts[0].target.tree
    nodes = shuffled.nodes.rows
    return tree.lows.gather(tree.first[nodes]), tree.highs.gather(tree.last[nodes])


def _values(disguised: Disguised, shuffled: _Shuffled, name: str, group: str) -> pl.DataFrame:
    lows, highs = _ends(disguised, shuffled)
    numbers = _numbers(shuffled.nodes, group)
    return pl.DataFrame([numbers, lows.alias(f"{name}_min"), highs.alias(f"{name}_max")])


def _help(disguised: Disguised, shuffled: _Shuffled, group: str) -> pl.DataFrame:
    lows, highs = _ends(disguised, shuffled)
    mean, variance = (np.empty(len(lows)) for _ in range(2))
    part_of_cell = shuffled.part[shuffled.nodes.class_of_position]
    for number, part in enumerate(disguised.parts):
        inside = np.flatnonzero(part_of_cell == number)
        nodes = shuffled.nodes.rows[inside]
        middle, spread = subdomain_moments(part.target)
        mean[inside], variance[inside] = middle[nodes], spread[nodes]
    cells, rows = shuffled.nodes.sizes, shuffled.people.sizes
    return disguised_help(lows, highs, mean, variance, cells, rows, group)


def _described(
    columns: Sequence[Column], sensitive: Column, group: str
) -> tuple[tuple[PublishedColumn, ...], ...]:
    def number(name: str, cells: str) -> PublishedColumn:
        return PublishedColumn(name, Role.PLAIN.value, "numeric", cells, (name,))

    others = tuple(as_it_was(each) for each in columns if each.name != sensitive.name)
    ends = (f"{sensitive.name}_min", f"{sensitive.name}_max")
    kind = sensitive.type.value
    cell = PublishedColumn(sensitive.name, Role.SENSITIVE.value, kind, "range", ends)
    bounds = tuple(
        PublishedColumn(name, Role.SENSITIVE.value, "numeric", "bounds", published)
        for name, published in AGGREGATES.items()
    )
    helping = (number(group, "group"), number("hits", "hits"), *bounds)
    return (*others, number(group, "group")), (number(group, "group"), cell), helping


def _claim(
    name: str,
    columns: Sequence[Column],
    requirement: TargetDistribution | PersonalLevels,
    divided: Sequence[tuple[WeightedTree, int]],
    targets: Sequence[WeightedTree],
) -> Claim:
    quasi = tuple(column.name for column in columns if column.role is Role.QUASI)
    names = {t.weight.tobytes(): weight_name(n) for n, t in enumerate(targets)}
    parts: list[dict[str, Any]] = []
    until = 0
    for target, groups in divided:
        weights = names[target.weight.tobytes()]
        parts.append({"weights": weights, "groups": [until + 1, until + groups]})
        until += groups
    parameters = {**requirement.parameters(), "tree": FILE, "parts": parts}
    return Claim(requirement.name, name, EVERYONE, quasi, parameters)
