"""The public targets of a disguised release: which groups have which weighted tree."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from papilio.data.domain_tree import WeightedTree, from_parents
from papilio.errors import ReleaseError
from papilio.release.manifest import Claim, PublishedColumn
from papilio.release.release import Release

#: Claims of a disguised release that name a tree.
CLAIMS = ("target-distribution", "personal-levels")


@dataclass(frozen=True, eq=False)
class PublishedTarget:
    """Groups ``first`` to ``last`` of a release have one target.

    Attributes
    ----------
    first, last
        Numbers of groups, from 1.
    target
        The distribution.
    """

    first: int
    last: int
    target: WeightedTree


def claim_of(release: Release) -> Claim:
    """Claim of a disguised release about its column.

    Raises
    ------
    ReleaseError
        If there is none.
    """
    for claim in release.manifest.claims:
        if claim.claim in CLAIMS:
            return claim
    raise ReleaseError("the release claims nothing about a target", reason="no-target")


def column_of(release: Release) -> PublishedColumn:
    """How the disguised column is published."""
    name = claim_of(release).parameters["column"]
    (column,) = (each for each in release.manifest.tables[1].columns if each.name == name)
    return column


def targets_of(release: Release) -> tuple[PublishedTarget, ...]:
    """Read the tree of a release and the weights of each part of its groups.

    Raises
    ------
    ReleaseError
        If the file of the tree does not hold one.
    """
    try:
        return _targets(release)
    except (
        ValueError,
        TypeError,
        LookupError,
        OverflowError,
        csv.Error,
        pl.exceptions.PolarsError,
    ):
        raise ReleaseError(
            "the file with the tree of targets cannot be read; see papilio verify",
            reason="unreadable-tree",
        ) from None


def _targets(release: Release) -> tuple[PublishedTarget, ...]:
    parameters = claim_of(release).parameters
    lines = list(csv.DictReader(io.StringIO(release.hierarchies[parameters["tree"]], newline="")))
    parent = [int(line["parent"] or -1) for line in lines]
    if any(not (-1 < above < node if node else above == -1) for node, above in enumerate(parent)):
        raise ValueError("nodes do not stand below their parents")
    inner = set(parent)
    leaves = [number for number in range(len(lines)) if number not in inner]
    kind = release.frames[release.manifest.tables[1].name].get_column(
        column_of(release).published[0]
    )
    lows, highs = (
        pl.Series([lines[leaf][end] for leaf in leaves]).cast(kind.dtype) for end in ("min", "max")
    )
    first = np.searchsorted(leaves, range(len(lines)))
    last = _last(parent, leaves)
    tree = from_parents(parent, first.tolist(), last, lows, highs)
    return tuple(
        PublishedTarget(
            part["groups"][0],
            part["groups"][1],
            WeightedTree(tree, np.array([int(line[part["weights"]]) for line in lines])),
        )
        for part in parameters["parts"]
    )


def _last(parent: list[int], leaves: list[int]) -> list[int]:
    """Last leaf below each node."""
    last = [-1] * len(parent)
    for rank, leaf in enumerate(leaves):
        last[leaf] = rank
    for node in range(len(parent) - 1, 0, -1):
        last[parent[node]] = max(last[parent[node]], last[node])
    return last


def subdomains_of(release: Release, target: PublishedTarget) -> dict[int, dict[int, int]]:
    """Group -> its subdomains, as nodes of the tree, and how often it uses each."""
    tree = target.target.tree
    values = release.frames[release.manifest.tables[1].name]
    (group,) = (c.published[0] for c in release.manifest.tables[1].columns if c.cells == "group")
    ends = column_of(release).published
    lows, highs = tree.lows.to_list(), tree.highs.to_list()
    node_of: dict[Any, int] = {
        (lows[int(tree.first[node])], highs[int(tree.last[node])]): node
        for node in range(tree.nodes)
    }
    inside = values.filter(pl.col(group).is_between(target.first, target.last))
    counted = inside.group_by(group, *ends).len()
    found: dict[int, dict[int, int]] = {}
    for number, low, high, many in counted.iter_rows():
        found.setdefault(number, {})[node_of[low, high]] = many
    return dict(sorted(found.items()))
