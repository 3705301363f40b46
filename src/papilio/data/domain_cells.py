"""The domain of a column as cells in order, the tree over them, and where values are in it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NoReturn

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.domain_tree import DomainTree, balanced, from_parents
from papilio.data.hierarchy.text import canonical_text
from papilio.data.hierarchy.tree import Hierarchy
from papilio.errors import DataError

#: Most cells of a domain.
MOST_CELLS = 200_000


def tree_over_values(values: pl.Series, arity: int = 2) -> DomainTree:
    """Build a balanced tree over the numbers that occur; the release then shows which do.

    Raises
    ------
    DataError
        If there are too many.
    """
    distinct = values.drop_nulls().unique().sort()
    if len(distinct) > MOST_CELLS:
        message = (
            f"{len(distinct)} different numbers are too many for a tree, which may have "
            f"{MOST_CELLS}; give the target a tree with lowest, highest and width"
        )
        _refuse(values.name, message, "too-many-cells")
    return balanced(distinct, distinct, arity)


def tree_over_labels(labels: list[str], arity: int = 2) -> DomainTree:
    """Build a balanced tree over labels in their order."""
    ordered = pl.Series(labels, dtype=pl.String)
    return balanced(ordered, ordered, arity)


def tree_over_range(
    values: pl.Series, lowest: float, highest: float, width: float | None, arity: int = 2
) -> DomainTree:
    """Build a balanced tree over cells of equal width.

    Of whole numbers a cell of width w holds w values, ``[0, 4]`` for 5. Of other numbers it
    reaches up to the next cell, to which its upper end belongs. The last cell ends at ``highest``.

    Raises
    ------
    DataError
        If the width does not fit the numbers, there would be too many cells, or whole numbers would
        have more than 64 bits.
    """
    whole = values.dtype.is_integer()
    if width is None and not whole:
        _refuse(values.name, "the tree needs a width for numbers that are not whole", "tree-width")
    start, stop, step = (Fraction(str(x)) for x in (lowest, highest, 1 if width is None else width))
    if whole and not start.denominator == stop.denominator == step.denominator == 1:
        message = "lowest, highest and width of whole numbers are whole"
        _refuse(values.name, message, "tree-width")
    if whole and (start < -(2**63) or stop >= 2**63):
        message = "lowest and highest of whole numbers lie between -2**63 and 2**63 - 1"
        _refuse(values.name, message, "tree-range")
    reach = stop - start + 1 if whole else stop - start
    count = max(1, math.ceil(reach / step))
    if count > MOST_CELLS:
        message = f"the tree would have {count} cells; at most {MOST_CELLS} are accepted"
        _refuse(values.name, message, "too-many-cells")
    lows = [start + cell * step for cell in range(count)]
    highs = [low - 1 if whole else low for low in lows[1:]] + [stop]
    kind = int if whole else float
    first, last = (pl.Series([kind(e) for e in each], dtype=values.dtype) for each in (lows, highs))
    return balanced(first, last, arity)


def declared_numbers(domain: Sequence[str], values: pl.Series) -> pl.Series:
    """Read the numbers that a policy declares as the domain of a numeric column.

    Raises
    ------
    DataError
        If they are not numbers in ascending order, or not whole while the column is.
    """
    numbers = _numbers(list(domain), values, "its domain")
    if values.dtype.is_integer() and not numbers.dtype.is_integer():
        _refuse(values.name, "its domain has numbers that are not whole", "domain-not-whole")
    return numbers.cast(values.dtype).alias(values.name)


def tree_of_hierarchy(hierarchy: Hierarchy, values: pl.Series) -> DomainTree:
    """Turn the owner's own hierarchy into subdomains; a node with one child is that child.

    Raises
    ------
    DataError
        If leaves of a numeric column are not numbers in ascending order: nodes would not be ranges.
    """
    leaves = [leaf for leaf in hierarchy.leaves if leaf is not None]
    numeric = values.dtype.is_numeric()
    bounds = _numbers(leaves, values, "its hierarchy") if numeric else pl.Series(leaves)
    kept: list[int] = []
    for node in range(len(hierarchy.labels)):
        above = kept[-1] if kept else -1
        extent = (hierarchy.first[node], hierarchy.last[node])
        if above < 0 or extent != (hierarchy.first[above], hierarchy.last[above]):
            kept.append(node)
    place = {node: number for number, node in enumerate(kept)}
    parent = [_kept_parent(hierarchy, node, place) for node in kept]
    first = [int(hierarchy.first[node]) for node in kept]
    last = [int(hierarchy.last[node]) for node in kept]
    return from_parents(parent, first, last, bounds, bounds)


def _kept_parent(hierarchy: Hierarchy, node: int, place: dict[int, int]) -> int:
    above = int(hierarchy.parent[node])
    while above >= 0 and above not in place:
        above = int(hierarchy.parent[above])
    return place.get(above, -1)


def _numbers(leaves: list[str], values: pl.Series, where: str) -> pl.Series:
    try:
        numbers = [Decimal(leaf) for leaf in leaves]
    except InvalidOperation:
        _refuse(values.name, f"a value of {where} is not a number", "leaf-not-numeric")
    if not all(number.is_finite() for number in numbers):
        _refuse(values.name, f"a value of {where} is not a number", "leaf-not-numeric")
    if any(low >= high for low, high in itertools.pairwise(numbers)):
        message = f"{where} does not list numbers in ascending order, so groups are not ranges"
        _refuse(values.name, message, "leaves-not-ordered")
    whole = all(number == number.to_integral_value() for number in numbers)
    kind = int if whole and values.dtype.is_integer() else float
    if kind is int and not all(-(2**63) <= number < 2**63 for number in numbers):
        _refuse(values.name, f"a number of {where} has more than 64 bits", "number-too-large")
    return pl.Series([kind(n) for n in numbers], dtype=pl.Int64 if kind is int else pl.Float64)


def locate(tree: DomainTree, values: pl.Series) -> NDArray[np.int32]:
    """Leaf that holds each value; -1 where there is none, and for NULL.

    Cost: one search in the leaves for each distinct value, and one pass over the rows.
    """
    distinct = values.drop_nulls().unique()
    if tree.lows.dtype.is_numeric():
        leaves = _locate_numbers(tree, distinct)
    else:
        ranks = {label: rank for rank, label in enumerate(tree.lows.to_list())}
        texts = canonical_text(distinct) if distinct.dtype != pl.String else distinct
        leaves = np.array([ranks.get(text, -1) for text in texts.to_list()], dtype=np.int32)
    if not len(distinct):
        return np.full(len(values), -1, dtype=np.int32)
    return values.replace_strict(
        distinct, pl.Series(leaves), default=-1, return_dtype=pl.Int32
    ).to_numpy()


def _locate_numbers(tree: DomainTree, distinct: pl.Series) -> NDArray[np.int32]:
    numbers, lows, highs = distinct.to_numpy(), tree.lows.to_numpy(), tree.highs.to_numpy()
    leaves = np.searchsorted(lows, numbers, side="right") - 1
    inside = (leaves >= 0) & (numbers <= highs[np.maximum(leaves, 0)])
    return np.where(inside, leaves, -1).astype(np.int32)


def _refuse(name: str, message: str, reason: str) -> NoReturn:
    raise DataError(f"column '{name}': {message}", reason=reason)
