"""MiRaCle: clusters of at least k people whose trees are generalised to the same tree.

Source: Nergiz, Clifton, Nergiz, MultiRelational k-Anonymity, ICDE 2007, section 4. The paper leaves
the skeleton open; two are here. *k-member* clustering (Byun et al., DASFAA 2007) compares everybody
with everybody. *Divide* first cuts people into groups of similar trees, as Mondrian cuts tables,
and clusters each group. People whose trees are equal to those of k - 1 others need no
generalisation and are left to themselves.

People are cut into groups by a fixed number of features of their trees. The root gives its codes.
Below it, of each table, the number of rows, and the codes of a few rows spread evenly over the list
in which they stand sorted; below these the same again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.link import Snowflake
from papilio.errors import InfeasibleError
from papilio.families.linked.methods.forest import Forest
from papilio.kernels.tree_clusters import k_member, stamp
from papilio.kernels.tree_cuts import COUNT, cut_people
from papilio.privacy.entity_k import EntityDiversity

Ints = NDArray[np.int64]
#: Rows of each table that are looked at below one row, by depth; one further down.
_SLOTS = (3, 2)
#: Features are not added beyond this number.
_MOST = 48


@dataclass(frozen=True, eq=False)
class Features:
    """Features of the distinct trees of people; see :mod:`papilio.kernels.tree_cuts`.

    Attributes
    ----------
    codes
        One line per node of the person table, from the first such node on.
    first_node
        Number of that node.
    kind, size, base, weight
        What each feature is.
    """

    codes: NDArray[np.int32]
    first_node: int
    kind: Ints
    size: Ints
    base: Ints
    weight: NDArray[np.float64]


def features_of(forest: Forest, snowflake: Snowflake) -> Features:
    """Look at the trees of all people."""
    first = int(forest.row_node[: forest.people].min())
    nodes = np.arange(first, len(forest.table))
    walk = _Walk(forest, snowflake)
    walk.visit(nodes, 0, 0, 1.0)
    meaning = np.array(walk.meaning, np.int64).reshape(-1, 3)
    kind, size, base = (np.ascontiguousarray(meaning[:, i]) for i in range(3))
    codes = np.column_stack(walk.codes) if walk.codes else np.zeros((len(nodes), 0), np.int32)
    weight = np.array(walk.weight, np.float64)
    return Features(np.ascontiguousarray(codes), first, kind, size, base, weight)


class _Walk:
    """Collects features, the ones nearest to the root first."""

    def __init__(self, forest: Forest, snowflake: Snowflake) -> None:
        self.forest, self.snowflake = forest, snowflake
        self.codes: list[NDArray[np.int32]] = []
        self.meaning: list[tuple[int, int, int]] = []
        self.weight: list[float] = []

    def visit(self, nodes: Ints, table: int, depth: int, weight: float) -> None:
        """Add the features of one row of each tree; ``nodes`` is -1 where there is none."""
        self._own(nodes, table, weight)
        for below in range(len(self.snowflake.tables)):
            if self.snowflake.above(below) == table and len(self.codes) < _MOST:
                self._below(nodes, below, depth, weight)

    def _own(self, nodes: Ints, table: int, weight: float) -> None:
        forest, labels = self.forest, self.forest.labels
        rows = forest.example[nodes] - forest.row_base[table]
        for place in range(labels.first[table + 1] - labels.first[table]):
            column = labels.first[table] + place
            codes = forest.tables[table].codes[np.where(nodes < 0, 0, rows), place]
            self._add(np.where(nodes < 0, -1, codes), column, weight)

    def _add(self, codes: NDArray[np.integer], column: int, weight: float) -> None:
        labels = self.forest.labels
        meaning = (labels.kind[column], labels.size[column], labels.base[column])
        self.codes.append(codes.astype(np.int32))
        self.meaning.append(tuple(map(int, meaning)))  # type: ignore[arg-type]
        self.weight.append(weight)

    def _below(self, nodes: Ints, table: int, depth: int, weight: float) -> None:
        first, counts = _lists(self.forest, nodes, table)
        mine = self.forest.table == table
        burden = float(self.forest.burden[mine].mean())
        self.codes.append(np.where(nodes < 0, -1, counts).astype(np.int32))
        self.meaning.append((COUNT, 0, 0))
        self.weight.append(weight * burden)
        slots = _SLOTS[depth] if depth < len(_SLOTS) else 1
        mean = float(counts[counts > 0].mean()) if (counts > 0).any() else 1.0
        share = max(mean / slots, 1.0) * weight
        for slot in range(slots):
            place = np.where(counts <= slots, slot, (2 * slot + 1) * counts // (2 * slots))
            there = place < counts
            child = np.where(there, first + place, 0)
            below = np.where(there, self.forest.child[child], -1)
            if there.any() and len(self.codes) < _MOST:
                self.visit(below, table, depth + 1, share)


def _lists(forest: Forest, nodes: Ints, table: int) -> tuple[Ints, Ints]:
    """Where the children of each node that belong to a table begin, and how many there are."""
    belongs = forest.table[forest.child] == table
    before = np.concatenate([[0], np.cumsum(belongs)])
    larger = np.concatenate([[0], np.cumsum(forest.table[forest.child] > table)])
    start, end = forest.start[nodes], forest.start[nodes + 1]
    start, end = np.where(nodes < 0, 0, start), np.where(nodes < 0, 0, end)
    # Children stand in descending order of their tables.
    return start + larger[end] - larger[start], before[end] - before[start]


Skeleton = Literal["k-member", "divide"]
#: Up to so many people all are compared with all.
FEW_PEOPLE = 1_000
#: Groups that are clustered have up to so many times k people.
_TIMES_K = 30


@dataclass(frozen=True, eq=False)
class Clusters:
    """People, cluster after cluster.

    Attributes
    ----------
    people
        Rows of the person table, each once.
    starts
        First position of each cluster in ``people``, then the number of people.
    """

    people: Ints
    starts: Ints

    @property
    def count(self) -> int:
        """Number of clusters."""
        return len(self.starts) - 1


@dataclass(frozen=True, eq=False)
class Stamped:
    """Which rows get the same label.

    Attributes
    ----------
    group
        Group of each row, numbered over all tables; -1 for rows that are removed. A group has one
        row of each member of its cluster.
    groups
        Number of groups.
    """

    group: Ints
    groups: int


def cluster(
    forest: Forest,
    snowflake: Snowflake,
    k: int,
    *,
    skeleton: Skeleton | None = None,
    local: bool = False,
) -> Clusters:
    """Divide people into clusters of at least k with similar trees.

    Parameters
    ----------
    forest, snowflake
        The trees of all people; at least k people.
    k
        Least size of a cluster.
    skeleton
        Left out: ``k-member`` for up to :data:`FEW_PEOPLE` people, else ``divide``.
    local
        Pair children greedily by their labels instead of at least cost.

    Notes
    -----
    Cost: with ``k-member``, a comparison for each pair of people; with ``divide``, n log n for the
    cuts and, per person, at most 30 k comparisons.
    """
    common, rare = _common(forest, k)
    chosen = skeleton or ("k-member" if len(rare) <= FEW_PEOPLE else "divide")
    if 0 < len(rare) < k:
        # Too few for a cluster of their own: with the nearest common trees they are enough.
        common, rare = [], np.concatenate([rare, *common]) if common else rare
    people, ends = _groups(forest, snowflake, rare, k, chosen)
    room = forest.room
    numbers = np.empty(len(people), np.int64)
    begin = found = 0
    for end in ends.tolist():
        mine, count = k_member(people[begin:end], k, local, room, *forest.arrays)
        numbers[begin:end] = mine + found
        begin, found = end, found + count
    return _sorted(people, numbers, common)


def stamp_clusters(forest: Forest, clusters: Clusters, *, local: bool = False) -> Stamped:
    """Give all members of each cluster the same tree."""
    people, starts = clusters.people, clusters.starts
    return Stamped(*stamp(people, starts, local, forest.room, *forest.arrays))


def _common(forest: Forest, k: int) -> tuple[list[Ints], Ints]:
    """People with a tree that k people have, tree by tree, and the others."""
    nodes = forest.row_node[: forest.people]
    order = np.argsort(nodes, kind="stable")
    starts = np.flatnonzero(np.diff(nodes[order], prepend=-1))
    runs = np.split(order, starts[1:])
    common = [run for run in runs if len(run) >= k]
    rare = [run for run in runs if len(run) < k]
    return common, np.concatenate(rare) if rare else np.empty(0, np.int64)


def _groups(
    forest: Forest, snowflake: Snowflake, rare: Ints, k: int, skeleton: Skeleton
) -> tuple[Ints, Ints]:
    if not len(rare):
        return rare, rare
    if skeleton == "k-member":
        return rare, np.array([len(rare)], np.int64)
    features = features_of(forest, snowflake)
    lines = forest.row_node[rare] - features.first_node
    places = np.arange(len(rare))
    ends = cut_people(
        features.codes[lines], places, k, _TIMES_K * k,
        features.kind, features.size, features.base, features.weight, forest.labels.values,
    )  # fmt: skip
    return rare[places], ends


def _sorted(people: Ints, numbers: Ints, common: list[Ints]) -> Clusters:
    order = np.argsort(numbers, kind="stable")
    parts = [people[order], *common]
    sizes = np.array([*np.bincount(numbers), *(len(run) for run in common)], np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Clusters(np.concatenate(parts).astype(np.int64), starts)


def diversify(
    forest: Forest,
    snowflake: Snowflake,
    clusters: Clusters,
    demands: Sequence[EntityDiversity],
    *,
    local: bool = False,
) -> Stamped:
    """Stamp clusters; those whose values are not diverse are joined with a neighbour, and again.

    Neighbouring clusters come from the same group of people, so they are alike. Joining helps
    because the requirement is monotone.

    Raises
    ------
    InfeasibleError
        If all people as one class do not meet a demand.

    Notes
    -----
    Cost: at each round at least half of the clusters at fault are gone; each round stamps anew.
    """
    while True:
        stamped = stamp_clusters(forest, clusters, local=local)
        short = _short(forest, snowflake, clusters, stamped, demands)
        if not short.any():
            return stamped
        if clusters.count == 1:
            raise _infeasible(forest, snowflake, stamped, demands)
        clusters = _joined(clusters, short)


def _joined(clusters: Clusters, short: NDArray[np.bool_]) -> Clusters:
    """Each cluster at fault joins the next; the last one, the one before."""
    joins = short.copy()
    joins[-1] = False
    if short[-1]:
        joins[-2] = True
    borders = np.concatenate([[True], ~joins])
    return Clusters(clusters.people, clusters.starts[borders])


def _short(
    forest: Forest,
    snowflake: Snowflake,
    clusters: Clusters,
    stamped: Stamped,
    demands: Sequence[EntityDiversity],
) -> NDArray[np.bool_]:
    short = np.zeros(clusters.count, bool)
    sizes = np.diff(clusters.starts)
    cluster_of = np.empty(forest.people, np.int64)
    cluster_of[clusters.people] = np.repeat(np.arange(clusters.count), sizes)
    for demand in demands:
        for group, counts in _counts(forest, snowflake, stamped, demand):
            if not demand.diversity.holds(counts):
                short[cluster_of[group]] = True
    return short


def _counts(
    forest: Forest, snowflake: Snowflake, stamped: Stamped, demand: EntityDiversity
) -> list[tuple[int, list[int]]]:
    """How often each value occurs in each group; a group is given by a person who has a row."""
    place = snowflake.place(demand.table)
    begin, end = forest.row_base[place], forest.row_base[place + 1]
    frame = pl.DataFrame(
        {
            "group": stamped.group[begin:end],
            "person": snowflake.person_of(place),
            "value": snowflake.tables[place].table.frame.get_column(demand.diversity.column),
        }
    ).filter(pl.col("group") >= 0)
    pairs = frame.group_by("group", "value").agg(pl.len().alias("n"), pl.first("person"))
    groups = pairs.group_by("group").agg(pl.col("n"), pl.first("person"))
    return list(zip(groups["person"].to_list(), groups["n"].to_list(), strict=True))


def _infeasible(
    forest: Forest, snowflake: Snowflake, stamped: Stamped, demands: Sequence[EntityDiversity]
) -> InfeasibleError:
    for demand in demands:
        for _, counts in _counts(forest, snowflake, stamped, demand):
            if not demand.diversity.holds(counts):
                column = f"{demand.table}.{demand.diversity.column}"
                return InfeasibleError(
                    f"column '{column}': {demand.diversity.name} cannot be met, not even by all "
                    "people as one class",
                    reason="not-diverse",
                    nearest=demand.diversity.nearest(counts),
                )
    raise AssertionError
