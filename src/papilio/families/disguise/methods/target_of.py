"""From what a policy says of a target to weighted trees, one for each part of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree, WeightedTree, locate
from papilio.data.io.confine import confined
from papilio.data.io.read import header, read
from papilio.data.source import FileSource
from papilio.data.table import Column, ColumnType
from papilio.data.types import convert
from papilio.errors import DataError
from papilio.families.disguise.methods.domain_of import Subdomains
from papilio.kernels.push_down import push_down, push_groups
from papilio.policy.target_policy import TargetPolicy
from papilio.privacy.target_weights import (
    USUAL_LARGEST,
    WeightChange,
    normal_weights,
    normalise_weights,
    uniform_weights,
    zipf_weights,
)


def follow_target(
    codes: NDArray[np.int32], starts: NDArray[np.int64], target: WeightedTree
) -> Subdomains:
    """Generalise the values of each group to subdomains whose multiset is P-private.

    At every node as many values as possible go to the children, in the ratio of their weights; the
    rest stay at the node (Zhang, Algorithm 3). Of all multisets of nodes that follow the
    target exactly and that some one-to-one assignment of the values fits, the result has the least
    sum of ranges (Theorem 5, in the reading of papers D3.1 and D3.2: subdomains are nodes). With
    arbitrary segments as subdomains a smaller sum may exist.

    Parameters
    ----------
    codes
        Leaf of each row, group by group.
    starts
        Group -> first of its rows; one more entry at the end.
    target
        The distribution.

    Notes
    -----
    Cost: one pass over the rows, and the nodes of the tree for each group that has as many rows.

    Does not protect against an attacker who knows that allocations are maximal: see
    :mod:`papilio.families.disguise.methods.disguise` and :mod:`papilio.attack.minimality`.
    """
    tree = target.tree
    return Subdomains(
        *push_groups(
            codes, starts, tree.parent, tree.end, tree.leaf_node, target.weight, target.total
        )
    )


def follow_counts(leaves: NDArray[np.int64], target: WeightedTree) -> dict[int, int]:
    """Generalise one group that is told by the number of values of each leaf.

    Subdomain -> how often it is used; the same as :func:`follow_target`. Cost: one pass over the
    nodes.
    """
    tree = target.tree
    nodes, counts = np.empty(tree.nodes, np.int32), np.empty(tree.nodes, np.int64)
    below = tree.sums(leaves)
    found = push_down(below, int(below[0]), 0, tree.end, target.weight, target.total, nodes, counts)
    return dict(zip(nodes[:found].tolist(), counts[:found].tolist(), strict=True))


_Weights = NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WeightFile:
    """Weights of values, as a file gives them.

    Attributes
    ----------
    path
        The file, for messages.
    values, weights
        One entry per line; NULL weights are not there.
    keys
        Columns that tell to which part a line belongs, as text; none if lines are about all parts.
    """

    path: Path
    values: pl.Series
    weights: pl.Series
    keys: pl.DataFrame


def read_weights(
    said: TargetPolicy,
    about: Column,
    base: Path,
    allowed: tuple[Path, ...] | None,
) -> WeightFile | None:
    """Read the file of a target, if it has one: values and weights, or a column to be counted.

    Of two columns that are not named, the one called like the column that the target is about holds
    its values, wherever it stands; else the first does.

    Raises
    ------
    DataError
        If the file lacks a column, a weight is missing or negative, or it lies outside of
        ``base`` and ``allowed``, where ``None`` allows any place.
    """
    if said.file is None:
        return None
    confined(said.file, base, allowed)
    source = FileSource(base / said.file, allowed=None if allowed is None else (base, *allowed))
    names = header(source)
    keys = [name for name in said.by if name in names]
    others = [name for name in names if name not in keys]
    column, weight = _columns_of(said, about.name, others, source.path)
    wanted = [column, *([] if weight is None else [weight]), *keys]
    missing = [name for name in wanted if name not in names]
    if missing:
        raise DataError(f"{source.path} has no column '{missing[0]}'", reason="missing-column")
    raw = read(source, dict.fromkeys(wanted))
    values = convert(raw.frame.get_column(column), about.type, raw.typed)
    weights = _weights_of(raw.frame, weight, raw.typed, source.path)
    return WeightFile(source.path, values, weights, raw.frame.select(keys).cast(pl.String))


def _columns_of(
    said: TargetPolicy, about: str, names: list[str], path: Path
) -> tuple[str, str | None]:
    """Columns of values and of weights, among those by which parts are not told."""
    if said.column is not None:
        return said.column, said.weight
    if len(names) == 2:
        return (names[1], names[0]) if names[1] == about else (names[0], names[1])
    raise DataError(
        f"{path} has {len(names)} columns that tell no part; a file of a target has two, values "
        "and weights, or 'column' says which holds values",
        reason="no-weights",
    )


def _weights_of(frame: pl.DataFrame, name: str | None, typed: bool, path: Path) -> pl.Series:
    if name is None:
        return pl.Series(np.ones(frame.height, dtype=np.int64))
    weights = convert(frame.get_column(name), ColumnType.NUMERIC, typed)
    wrong = int((weights.is_null() | (weights < 0)).sum())
    if wrong:
        raise DataError(
            f"{path}: {wrong} weights are missing or negative; numbers of at least 0 are accepted",
            reason="bad-weight",
        )
    return weights


def target_of(
    said: TargetPolicy,
    tree: DomainTree,
    leaves: NDArray[np.int64],
    file: WeightFile | None,
    part: Sequence[str | None] = (),
) -> tuple[WeightedTree, WeightChange]:
    """Weighted tree of one part of the rows.

    Parameters
    ----------
    said
        The policy.
    tree
        The subdomains.
    leaves
        Leaf -> number of the part's rows, for ``same``.
    file
        The weights, if the policy names a file.
    part
        What the part's rows have in the columns by which parts are told, as text.
    """
    largest = said.largest_weight
    if largest is None and said.distribution != "same":
        largest = USUAL_LARGEST
    weights: _Weights
    match said.distribution:
        case "same":
            weights = leaves
        case "uniform":
            weights = uniform_weights(tree)
        case "normal":
            weights = normal_weights(tree, said.mean, said.std)
        case "zipf":
            weights = zipf_weights(tree, 1.0 if said.exponent is None else said.exponent)
        case None:
            weights = _filed(tree, file, part)
    return normalise_weights(tree, weights, largest)


def _filed(tree: DomainTree, file: WeightFile | None, part: Sequence[str | None]) -> _Weights:
    if file is None:
        raise DataError("a target without distribution and file", reason="no-target")
    values, weights = file.values, file.weights
    if file.keys.width:
        mine = np.ones(len(values), dtype=bool)
        for name, value in zip(file.keys.columns, part, strict=True):
            mine &= file.keys.select(pl.col(name).eq_missing(pl.lit(value))).to_series().to_numpy()
        values, weights = values.filter(pl.Series(mine)), weights.filter(pl.Series(mine))
    leaves = locate(tree, values)
    strange = int((leaves < 0).sum())
    if strange:
        raise DataError(
            f"{file.path}: {strange} values are outside of the domain; widen the target's tree or "
            "leave them out",
            reason="value-outside-domain",
        )
    summed = np.bincount(leaves, weights.to_numpy(), minlength=tree.leaves)
    if not summed.sum() > 0:
        raise DataError(
            f"{file.path}: the weights of a part of the rows are all 0; a target needs one above 0",
            reason="no-weight",
        )
    return summed.astype(np.int64) if weights.dtype.is_integer() else summed
