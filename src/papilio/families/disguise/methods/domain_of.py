"""From what a policy says of a column to its subdomains, and the leaf of each row."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import (
    DomainTree,
    WeightedTree,
    declared_numbers,
    locate,
    tree_of_hierarchy,
    tree_over_labels,
    tree_over_range,
    tree_over_values,
)
from papilio.data.hierarchy.build import build
from papilio.data.table import Column, ColumnType
from papilio.errors import DataError
from papilio.policy.target_policy import TreePolicy
from papilio.privacy.ke_anonymity import check_summable

#: Name of the file in a release.
FILE = "target_tree.csv"


def tree_text(targets: Sequence[WeightedTree]) -> str:
    """Write one line per node: number, parent, smallest and largest value, weights of each target.

    The root has number 0 and no parent. All targets have the same tree.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [weight_name(number) for number in range(len(targets))]
    writer.writerow(["node", "parent", "min", "max", *names])
    tree = targets[0].tree
    lows, highs = tree.lows.to_list(), tree.highs.to_list()
    for node in range(tree.nodes):
        above = int(tree.parent[node])
        ends = lows[int(tree.first[node])], highs[int(tree.last[node])]
        weights = [int(target.weight[node]) for target in targets]
        writer.writerow([node, "" if above < 0 else above, *ends, *weights])
    return text.getvalue()


def weight_name(number: int) -> str:
    """Name of the column with the weights of a target."""
    return f"weight_{number + 1}"


@dataclass(frozen=True, eq=False)
class Subdomains:
    """Subdomains of all groups, as nodes of a domain tree and how often each is used.

    Attributes
    ----------
    offsets
        Group -> where its subdomains start; one more entry at the end.
    nodes, counts
        The subdomains and how often each is used.
    """

    offsets: NDArray[np.int64]
    nodes: NDArray[np.int32]
    counts: NDArray[np.int64]

    @property
    def groups(self) -> int:
        """Number of groups."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Group -> number of subdomains, those of fake values included."""
        until = np.concatenate([[0], np.cumsum(self.counts)])
        sizes: NDArray[np.int64] = until[self.offsets[1:]] - until[self.offsets[:-1]]
        return sizes

    def of(self, group: int) -> dict[int, int]:
        """Subdomain -> how often a group uses it."""
        place = slice(self.offsets[group], self.offsets[group + 1])
        return dict(zip(self.nodes[place].tolist(), self.counts[place].tolist(), strict=True))

    def cost(self, tree: DomainTree) -> float:
        """Sum of the ranges of all subdomains (Problem 3.4.1)."""
        return float(tree.span[self.nodes] @ self.counts)


def together(groups: Sequence[dict[int, int]]) -> Subdomains:
    """Put the subdomains of single groups together, each a node -> how often it is used."""
    lengths = [len(group) for group in groups]
    return Subdomains(
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.array([node for group in groups for node in group], dtype=np.int32),
        np.array([many for group in groups for many in group.values()], dtype=np.int64),
    )


def from_sizes(tree: DomainTree, size: NDArray[np.int64]) -> dict[int, int]:
    """Subdomain -> how often it is used, from the number of subdomains in each subtree."""
    kept = size.copy()
    np.subtract.at(kept, tree.parent[1:], size[1:])
    used = np.flatnonzero(kept)
    return dict(zip(used.tolist(), kept[used].tolist(), strict=True))


def domain_of(
    column: Column,
    values: pl.Series,
    said: TreePolicy | None,
    also: pl.Series | None = None,
) -> tuple[DomainTree, NDArray[np.int32]]:
    """Build the subdomains of a column and find the leaf of each of its values.

    The tree is what the policy says under ``tree``, else the column's own hierarchy, else a
    balanced binary tree over the column's domain, which may list numbers or labels, or, for numbers
    without one, over the values that occur.

    Parameters
    ----------
    column, values
        The column.
    said
        What the policy says of the tree.
    also
        Further values that the target speaks of; they belong to a domain of values that occur.

    Raises
    ------
    DataError
        If the column has missing values, is neither numeric nor ordered, or has values outside.
    """
    check_missing(column.name, values.null_count())
    tree = tree_of(column, values, said, also)
    codes = locate(tree, values)
    check_outside(column.name, int((codes < 0).sum()))
    return tree, codes


def check_missing(name: str, rows: int) -> None:
    """Refuse a column of which so many rows are NULL, unless none is."""
    if rows:
        raise DataError(
            f"column '{name}': {rows} missing values, which no target speaks of; leave "
            "these rows out of the source or give them a value",
            reason="null-in-target",
        )


def check_outside(name: str, rows: int) -> None:
    """Refuse a column of which so many rows are outside of the domain, unless none is."""
    if rows:
        raise DataError(
            f"column '{name}': {rows} rows have a value outside of the domain; widen it",
            reason="value-outside-domain",
        )


def is_over_range(column: Column, said: TreePolicy | None) -> bool:
    """Whether the tree is about a range that the policy gives, whatever values occur."""
    ranged = said is not None and said.lowest is not None and said.highest is not None
    return column.hierarchy is None and column.type is ColumnType.NUMERIC and ranged


def tree_of(
    column: Column, values: pl.Series, said: TreePolicy | None, also: pl.Series | None = None
) -> DomainTree:
    """Build the subdomains of a column; values that occur several times need not be there twice.

    Parameters and errors are those of :func:`domain_of`.
    """
    tree = _tree_of(column, values, said, also)
    if tree.lows.dtype.is_numeric():
        check_summable(column.name, tree.lows.to_numpy())
        check_summable(column.name, tree.highs.to_numpy())
    return tree


def _tree_of(
    column: Column, values: pl.Series, said: TreePolicy | None, also: pl.Series | None
) -> DomainTree:
    arity = 2 if said is None else said.arity
    if column.hierarchy is not None:
        hierarchy = build(column.hierarchy, values, column.type, column.name)
        return tree_of_hierarchy(hierarchy, values)
    if column.type is ColumnType.NUMERIC:
        return _tree_over_numbers(column, values, said, also)
    if column.type is ColumnType.CATEGORY and column.domain is not None:
        return tree_over_labels(list(column.domain), arity)
    raise DataError(
        f"column '{column.name}': a target needs numbers, or labels in order: give the column a "
        "domain, smallest first, or a hierarchy",
        reason="not-ordered",
    )


def _tree_over_numbers(
    column: Column, values: pl.Series, said: TreePolicy | None, also: pl.Series | None
) -> DomainTree:
    arity = 2 if said is None else said.arity
    if column.domain is not None:
        return tree_over_values(declared_numbers(column.domain, values), arity)
    if said is not None and said.lowest is not None and said.highest is not None:
        return tree_over_range(values, said.lowest, said.highest, said.width, arity)
    return tree_over_values(values if also is None else _both(values, also), arity)


def _both(values: pl.Series, also: pl.Series) -> pl.Series:
    kind = values.dtype if values.dtype == also.dtype else pl.Float64()
    return pl.concat([values.cast(kind), also.cast(kind).alias(values.name)])
