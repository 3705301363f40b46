"""Whether groups of a disguised release can hold the people who are in them.

A value has no line of its own: in each group some assignment of values to subdomains that hold them
must exist. Subdomains are nodes of one tree, so this can be counted (Hall's theorem on a laminar
family), exactly, because who is in which group is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.verify import sql
from papilio.verify.disguised_layout import Claimed
from papilio.verify.disguised_truth import demand
from papilio.verify.opened import WORK, Opened
from papilio.verify.target_distribution import BlindPools, load_pools
from papilio.verify.target_tree import TargetTree
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.values import coded

#: Tables of the original; that of a release made of one table is called :data:`ORIGINAL`.
Originals: TypeAlias = Mapping[str, pl.DataFrame]
#: A blank in it keeps it apart from linked tables.
ORIGINAL = "the original"
#: One column, ``person``: whose row each row of :data:`ORIGINAL` is, where people have several.
PEOPLE = "people"
_Ints = NDArray[np.integer[Any]]
_NUMBERS = {sql.WHOLE: int, "DOUBLE": float}
GROUPS = "truthfulness of groups"
FITS = "every person's value fits a subdomain of their group of its own"


@dataclass(frozen=True, eq=False)
class Held:
    """People of groups; those that are alike may be counted together.

    Attributes
    ----------
    groups, leaves
        Group, and leaf of the value, of each kind of people; -1 where no leaf holds the value.
    counts
        How many people there are of each kind.
    said
        What they demand for themselves; ``None`` if nobody knows.
    """

    groups: _Ints
    leaves: _Ints
    counts: _Ints
    said: pl.Series | None = None

    @property
    def people(self) -> int:
        """Number of all people."""
        return int(self.counts.sum())


@dataclass(frozen=True, eq=False)
class _Subdomains:
    """Nodes of the tree that hold a subdomain of a group, or have one below.

    Attributes
    ----------
    keys
        ``group * size + node``, ascending.
    inside
        How many subdomains of the group are the node or below it.
    """

    keys: _Ints
    inside: _Ints


def leaves_of(tree: TargetTree, column: pl.Series, kind: str) -> _Ints:
    """Leaf of each row's value; -1 if no leaf holds it.

    A value that ends one leaf and begins the next belongs to the next. ``kind`` is that of
    :func:`papilio.verify.disguised_layout.end_kind`.
    """
    leaves = [node for node in range(tree.size) if not tree.children[node]]
    values = coded(column)
    if kind == sql.TEXT:
        texts = {tree.low[leaf]: leaf for leaf in leaves}
        nodes = [texts.get(text, -1) for text in values.distinct.cast(pl.String).to_list()]
        return np.asarray(np.array([*nodes, -1], np.int64)[values.codes])
    low, high = (
        np.array([_NUMBERS[kind](ends[leaf]) for leaf in leaves]) for ends in (tree.low, tree.high)
    )
    distinct = values.distinct.to_numpy()
    # Depth first, leaves stand in ascending order.
    place = np.searchsorted(low, distinct, side="right") - 1
    held = (place >= 0) & (distinct <= high[place])
    found = np.append(np.where(held, np.array(leaves)[place], -1), -1)
    return np.asarray(found[values.codes], np.int64)


def check_fits(opened: Opened, tree: TargetTree, held: Held) -> Finding:
    """Check that every person's value has a subdomain of its own in their group.

    :func:`papilio.verify.disguised_layout.load_subdomains` goes before. Cost: linear in the kinds
    of people and the nodes of groups, times the depth of the tree.
    """
    strange = int(held.counts[held.leaves < 0].sum())
    short = strange or _unmatched(tree, _subdomains(opened, tree), held)
    measured = f"{short} values do not" if short else f"all {held.people} do"
    return finding(GROUPS, FITS, measured, not short)


def check_levels(opened: Opened, claimed: Claimed, held: Held) -> Finding:
    """Check that every person is in a group whose pool holds all they demand."""
    claim, demanded = "personal levels", "every person is in a pool that holds what they demand"
    if held.said is None:
        measured = "the original has no column of levels"
        return Finding(claim, demanded, measured, Status.NOT_CHECKED)
    load_pools(opened, claimed)
    group, pool = opened.arrays(
        f"SELECT CAST(g AS BIGINT) AS g, CAST(pool AS BIGINT) AS pool FROM {WORK}.pools"
    )
    pools = np.full(int(held.groups.max(initial=0)) + 1, -1, np.int64)
    pools[np.asarray(group, np.int64)] = np.asarray(pool, np.int64)
    wanted, last = _wanted(claimed.tree, held.said, held.leaves), _last(claimed.tree)
    mine = pools[held.groups]
    if claimed.blind:
        demanded += ", and in none because of their value"
        blind = _blind(claimed, held)
        wanted = np.where(blind == mine, wanted, -1)
    holds = (mine >= 0) & (mine <= wanted) & (wanted <= last[mine])
    served = int(held.counts[holds].sum())
    measured = f"{served} of {held.people} people are"
    return finding(claim, demanded, measured, served == held.people)


def _subdomains(opened: Opened, tree: TargetTree) -> _Subdomains:
    group, node, inside = opened.arrays(
        f"SELECT CAST(g AS BIGINT) AS g, CAST(node AS BIGINT) AS node, CAST(s AS BIGINT) AS s "
        f"FROM {WORK}.inside ORDER BY g, node"
    )
    keys = np.asarray(group, np.int64) * tree.size + np.asarray(node, np.int64)
    return _Subdomains(keys, np.asarray(inside, np.int64))


def _unmatched(tree: TargetTree, subdomains: _Subdomains, people: Held) -> int:
    """Values for which their group has no subdomain left.

    Going up the tree, the subdomains inside a node for which there is no value are those that were
    missing below or, if that is more, its subdomains without values; at the root there must be just
    as many as there are fake values.
    """
    keys, inside = subdomains.keys, subdomains.inside
    parent = np.array(tree.parent)
    held, astray = _held(parent, keys, people)
    nodes = keys % tree.size
    depth = _depths(tree)[nodes]
    missing = np.zeros(len(keys), np.int64)
    for level in range(int(depth.max(initial=0)), 0, -1):
        here = np.flatnonzero(depth == level)
        above = np.searchsorted(keys, keys[here] - nodes[here] + parent[nodes[here]])
        np.add.at(missing, above, np.maximum(missing[here], inside[here] - held[here]))
    roots = np.flatnonzero(depth == 0)
    spare = inside[roots] - held[roots]
    return astray + int(np.maximum(np.maximum(missing[roots], spare) - spare, 0).sum())


def _held(parent: _Ints, keys: _Ints, people: Held) -> tuple[_Ints, int]:
    """Values of the group at or below each node, and values of groups without a subdomain."""
    held, astray = np.zeros(len(keys), np.int64), 0
    waiting, which = np.unique(people.groups * len(parent) + people.leaves, return_inverse=True)
    count = np.zeros(len(waiting), np.int64)
    np.add.at(count, which, people.counts)
    while len(waiting):
        place = np.minimum(np.searchsorted(keys, waiting), len(keys) - 1)
        known = keys[place] == waiting
        np.add.at(held, place[known], count[known])
        nodes = waiting % len(parent)
        astray += int(count[(nodes == 0) & ~known].sum())
        further = nodes > 0
        waiting = (waiting - nodes + parent[nodes])[further]
        count = count[further]
    return held, astray


def _depths(tree: TargetTree) -> _Ints:
    depth = np.zeros(tree.size, np.int64)
    for node in range(1, tree.size):
        depth[node] = depth[tree.parent[node]] + 1
    return depth


def _wanted(tree: TargetTree, said: pl.Series, leaves: _Ints) -> _Ints:
    """Node that each person names; -1 if it is not understood."""
    texts = coded(said)
    known = [*texts.distinct.to_list(), None]
    pairs, which = np.unique(leaves * len(known) + texts.codes, return_inverse=True)
    nodes = [demand(tree, int(pair) // len(known), known[int(pair) % len(known)]) for pair in pairs]
    return np.array([-1 if node is None else node for node in nodes], np.int64)[which]


def _blind(claimed: Claimed, held: Held) -> _Ints:
    """Pool of each person that follows from what they demand; -1 if that is not understood."""
    told = BlindPools(claimed, partial(demand, claimed.tree))
    ends = np.array([part.last for part in claimed.parts])
    places = np.array([part.place for part in claimed.parts])[np.searchsorted(ends, held.groups)]
    texts = [] if held.said is None else held.said.cast(pl.String).to_list()
    known: dict[tuple[int, int, str | None], int | None] = {}
    found = np.full(len(places), -1, np.int64)
    keys = zip(places.tolist(), held.leaves.tolist(), texts, strict=True)
    for row, key in enumerate(keys):
        if key not in known:
            known[key] = told.pool(*key)
        pool = known[key]
        found[row] = -1 if pool is None else pool
    return found


def _last(tree: TargetTree) -> _Ints:
    """Last node at or below each node; nodes are numbered depth first."""
    last = np.arange(tree.size)
    for node in range(tree.size - 1, 0, -1):
        above = tree.parent[node]
        last[above] = max(last[above], last[node])
    return last
