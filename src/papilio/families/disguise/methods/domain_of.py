"""From what a policy says of a column to its subdomains, and the leaf of each row."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.column import Column, ColumnType
from papilio.data.domain_cells import (
    declared_numbers,
    locate,
    tree_of_hierarchy,
    tree_over_labels,
    tree_over_range,
    tree_over_values,
)
from papilio.data.domain_tree import DomainTree
from papilio.data.hierarchy.build import build
from papilio.errors import DataError
from papilio.policy.target_policy import TreePolicy
from papilio.privacy.summable import check_summable


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
