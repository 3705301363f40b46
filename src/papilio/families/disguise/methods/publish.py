"""Rows, subdomains and help table of a disguised column as a release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import WeightedTree
from papilio.data.io.frames import Kind
from papilio.data.table import Column, ColumnType, Role, Table
from papilio.data.types import as_text
from papilio.families.classes import Classes
from papilio.families.disguise.methods.disguise import Disguised
from papilio.families.disguise.methods.domain_of import FILE, tree_text, weight_name
from papilio.families.grouped.help_table import AGGREGATES, group_name, help_table, permuted_names
from papilio.kernels.draw_groups import shuffle_classes
from papilio.policy.recipients import EVERYONE
from papilio.privacy.group_floor import GroupFloor
from papilio.privacy.personal import PersonalLevels
from papilio.privacy.target_distribution import TargetDistribution
from papilio.privacy.target_weights import cell_bounds
from papilio.randomness import Randomness
from papilio.release.made import Made
from papilio.release.manifest import Claim, Manifest, PublishedColumn, PublishedTable
from papilio.release.read_table import as_it_was
from papilio.release.release import Release


def subdomain_moments(
    target: WeightedTree,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and variance of each node.

    A cell of whole numbers is uniform over them, another cell over its width. Children count by
    their weights; where all weigh 0, by their numbers of leaves. Cost: one pass over the nodes.
    """
    tree = target.tree
    low, high = cell_bounds(tree)
    wide = high - low
    steps = 1.0 if tree.lows.dtype.is_integer() else 0.0
    mean, square = np.zeros(tree.nodes), np.zeros(tree.nodes)
    middle = (low + high) / 2
    mean[tree.leaf_node] = middle
    square[tree.leaf_node] = (wide + steps) ** 2 / 12 - steps / 12
    size = (tree.last - tree.first + 1).astype(np.float64)
    # Squares are taken from the middle of the domain, so that little is lost by rounding.
    centre = (low[0] + high[-1]) / 2
    mean[tree.leaf_node] -= centre
    square[tree.leaf_node] += mean[tree.leaf_node] ** 2
    for node in range(tree.nodes - 1, 0, -1):
        above = tree.parent[node]
        total = target.total[above]
        share = target.weight[node] / total if total else size[node] / size[above]
        mean[above] += share * mean[node]
        square[above] += share * square[node]
    return mean + centre, np.maximum(square - mean**2, 0.0)


def disguised_help(
    lows: pl.Series,
    highs: pl.Series,
    mean: NDArray[np.float64],
    variance: NDArray[np.float64],
    cells: NDArray[np.int64],
    rows: NDArray[np.int64],
    group: str,
) -> pl.DataFrame:
    """Compute the help table of groups that publish subdomains.

    Bounds are those of a permuted release whose cells are intervals; there may be more cells than
    rows. Mean and variance of a sum are those of a value that follows the target inside its
    subdomain (docs/papers.md): h mu and h S2 (N - h) / (N - 1) + (h / N) sum of v_i.

    Parameters
    ----------
    lows, highs
        Ends of each subdomain, group after group.
    mean, variance
        Mean and variance inside each subdomain.
    cells, rows
        Number of subdomains and of rows of each group.
    group
        Name of the column with the number of the group.
    """
    table = help_table(lows, highs, variance, cells, rows, group)
    which = np.repeat(np.arange(len(cells)), cells)
    centre = np.bincount(which, mean) / cells
    spread = np.bincount(which, (mean - centre[which]) ** 2) / cells
    inside = np.bincount(which, variance) / cells
    hits = table.get_column("hits").to_numpy()
    size, of = np.repeat(cells, rows), np.repeat(np.arange(len(rows)), rows)
    drawn = spread[of] * (size - hits) / np.maximum(size - 1, 1)
    return table.with_columns(
        pl.Series("sum_mean", hits * centre[of]),
        pl.Series("sum_var", hits * (drawn + inside[of])),
    )


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
    floor: GroupFloor | None = None,
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
        floor,
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
    floor: GroupFloor | None = None,
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
    floor
        What is claimed of every group besides.
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
        claims=tuple(_claims(name, columns, requirement, parts, targets, floor)),
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


def _claims(
    name: str,
    columns: Sequence[Column],
    requirement: TargetDistribution | PersonalLevels,
    divided: Sequence[tuple[WeightedTree, int]],
    targets: Sequence[WeightedTree],
    floor: GroupFloor | None,
) -> Iterator[Claim]:
    quasi = tuple(column.name for column in columns if column.role is Role.QUASI)
    names = {t.weight.tobytes(): weight_name(n) for n, t in enumerate(targets)}
    parts: list[dict[str, Any]] = []
    until = 0
    for target, groups in divided:
        weights = names[target.weight.tobytes()]
        parts.append({"weights": weights, "groups": [until + 1, until + groups]})
        until += groups
    parameters = {**requirement.parameters(), "tree": FILE, "parts": parts}
    yield Claim(requirement.name, name, EVERYONE, quasi, parameters)
    if floor is not None:
        yield Claim(floor.name, name, EVERYONE, quasi, floor.parameters())
