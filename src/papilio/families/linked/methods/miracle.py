"""MiRaCle: clusters of at least k people whose trees are generalised to the same tree.

Source: Nergiz, Clifton, Nergiz, MultiRelational k-Anonymity, ICDE 2007, section 4. The paper leaves
the skeleton open; two are here. *k-member* clustering (Byun et al., DASFAA 2007) compares everybody
with everybody. *Divide* first cuts people into groups of similar trees, as Mondrian cuts tables,
and clusters each group. People whose trees are equal to those of k - 1 others need no
generalisation and are left to themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from papilio.data.snowflake import Snowflake
from papilio.families.linked.methods.features import features_of
from papilio.families.linked.methods.forest import Forest
from papilio.kernels.tree_clusters import k_member
from papilio.kernels.tree_cuts import cut_people
from papilio.kernels.tree_stamp import stamp

Ints = NDArray[np.int64]
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
