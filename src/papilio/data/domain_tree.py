"""The domain of a column: its cells in order, and the tree over them whose nodes are subdomains."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cached_property
from typing import NoReturn

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.hierarchy.paths import canonical_text
from papilio.data.hierarchy.tree import Hierarchy
from papilio.errors import DataError, InternalError


@dataclass(frozen=True, eq=False)
class DomainTree:
    """Subdomains of a column: a rooted tree whose leaves are cells of the domain, in order.

    Nodes are numbered depth first, so a node covers a run of leaves and its subtree is a run of
    nodes. Every inner node has at least two children: a subdomain is one node, and the interval of
    a node tells which (Zhang, section 3.3.1; subdomains are nodes, papers D3.1).

    Attributes
    ----------
    parent
        Node -> parent; the root, node 0, has -1.
    end
        Node -> one more than the last node of its subtree; ``node + 1`` for a leaf.
    first, last
        Node -> first and last leaf it covers.
    lows, highs
        Leaf -> smallest and largest value it stands for, ascending. The two are equal where a leaf
        is one value; labels of ordered categories are always equal.
    """

    parent: NDArray[np.int32]
    end: NDArray[np.int32]
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    lows: pl.Series
    highs: pl.Series

    def __post_init__(self) -> None:
        inner = self.end > np.arange(len(self.end)) + 1
        children = np.bincount(self.parent[1:], minlength=len(self.parent))
        if (children[inner] < 2).any() or len(self.lows) != int(self.last[0]) + 1:
            raise InternalError("a node has one child or a leaf no bounds", reason="domain-tree")

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.parent)

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return len(self.lows)

    @cached_property
    def leaf_node(self) -> NDArray[np.int32]:
        """Leaf -> its node."""
        return np.flatnonzero(self.end == np.arange(self.nodes) + 1).astype(np.int32)

    @cached_property
    def depth(self) -> NDArray[np.int32]:
        """Node -> number of nodes above it."""
        depth = np.zeros(self.nodes, dtype=np.int32)
        for node in range(1, self.nodes):
            depth[node] = depth[self.parent[node]] + 1
        return depth

    @property
    def height(self) -> int:
        """Largest number of steps from a leaf to the root."""
        return int(self.depth.max())

    @cached_property
    def span(self) -> NDArray[np.float64]:
        """Node -> range: largest minus smallest value; steps in the order for labels."""
        if not self.lows.dtype.is_numeric():
            return (self.last - self.first).astype(np.float64)
        low, high = self.lows.to_numpy(), self.highs.to_numpy()
        spans: NDArray[np.float64] = (high[self.last] - low[self.first]).astype(np.float64)
        return spans

    def children(self, node: int) -> list[int]:
        """Children of a node, in order."""
        found, child = [], node + 1
        while child < self.end[node]:
            found.append(child)
            child = int(self.end[child])
        return found

    def sums(self, of_leaves: NDArray[np.int64]) -> NDArray[np.int64]:
        """Node -> sum over the leaves below it. Cost: one pass."""
        until = np.concatenate([[0], np.cumsum(of_leaves)])
        sums: NDArray[np.int64] = until[self.last + 1] - until[self.first]
        return sums


def balanced(lows: pl.Series, highs: pl.Series, arity: int = 2) -> DomainTree:
    """Build a balanced tree over cells in the given order.

    A node over n cells has min(arity, n) children, whose sizes differ by one at most, larger ones
    first; with arity 2 they hold ceil(n / 2) and floor(n / 2) cells. Cost: the number of nodes.
    """
    parent: list[int] = []
    first: list[int] = []
    last: list[int] = []
    waiting = [(-1, 0, len(lows))]
    while waiting:
        above, start, stop = waiting.pop()
        node, size = len(parent), stop - start
        parent.append(above)
        first.append(start)
        last.append(stop - 1)
        if size > 1:
            cuts = _cuts(size, min(arity, size))
            pairs = itertools.pairwise(cuts)
            waiting += [(node, start + a, start + b) for a, b in reversed(list(pairs))]
    return from_parents(parent, first, last, lows, highs)


def from_parents(
    parent: Sequence[int],
    first: Sequence[int],
    last: Sequence[int],
    lows: pl.Series,
    highs: pl.Series,
) -> DomainTree:
    """Put together a tree whose nodes are numbered depth first; find where subtrees end."""
    end = np.arange(1, len(parent) + 1, dtype=np.int32)
    for node in range(len(parent) - 1, 0, -1):
        end[parent[node]] = max(end[parent[node]], end[node])
    nodes, starts, stops = (np.asarray(each, dtype=np.int32) for each in (parent, first, last))
    return DomainTree(nodes, end, starts, stops, lows, highs)


def _cuts(size: int, parts: int) -> list[int]:
    each, more = divmod(size, parts)
    return [part * each + min(part, more) for part in range(parts + 1)]


#: Widths whose reciprocal is an ordinary double too.
_SMALLEST, _LARGEST = 1e-300, 1e300


def share_of_span(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    """Say which share of the way from ``low`` to ``high`` each value lies at.

    The difference of two doubles may be infinite and the reciprocal of a width too, which would
    make every loss infinite or NaN, and a method that compares losses would then merge nothing.
    So ends that are far apart are halved first, and very small widths are divided by as they are.

    Parameters
    ----------
    values
        Numbers from ``low`` to ``high``; NaN stays NaN.
    low, high
        The span. If it has no width, every value lies at 0.

    Notes
    -----
    Cost: one pass.
    """
    width = high - low
    if _SMALLEST < width < _LARGEST:
        return (values - low) * (1.0 / width)
    half = 1.0 if np.isfinite(width) else 0.5
    width = high * half - low * half or 1.0
    shares: NDArray[np.float64] = (values * half - low * half) / width
    return shares


def share_of_width(
    low: NDArray[np.float64], high: NDArray[np.float64], span: tuple[float, float]
) -> NDArray[np.float64]:
    """Say which share of the width of ``span`` each range from ``low`` to ``high`` has."""
    half = 1.0 if np.isfinite(span[1] - span[0]) else 0.5
    width = span[1] * half - span[0] * half or 1.0
    shares: NDArray[np.float64] = (high * half - low * half) / width
    return shares


@dataclass(frozen=True, eq=False)
class WeightedTree:
    """A distribution given as the privacy-annotated hierarchy of Zhang, section 3.3.1.

    The probability of a child, given its parent, is its weight over the sum of its siblings' and
    its own. Where all children of a node weigh 0, the node has probability 0, and what is below it
    is never told apart.

    Attributes
    ----------
    tree
        The subdomains.
    weight
        Node -> weight among its siblings, at least 0, siblings without a common divisor; the root
        has 1.
    """

    tree: DomainTree
    weight: NDArray[np.int64]

    def __post_init__(self) -> None:
        if len(self.weight) != self.tree.nodes or (self.weight < 0).any():
            raise InternalError("a weight is missing or negative", reason="tree-weights")

    @cached_property
    def total(self) -> NDArray[np.int64]:
        """Node -> sum of its children's weights; 0 for a leaf."""
        total = np.zeros(self.tree.nodes, dtype=np.int64)
        np.add.at(total, self.tree.parent[1:], self.weight[1:])
        return total

    def probabilities(self) -> list[Fraction]:
        """Node -> probability, exactly. Cost: one fraction per node."""
        found = [Fraction(1)]
        for node in range(1, self.tree.nodes):
            above = int(self.tree.parent[node])
            total = int(self.total[above])
            share = Fraction(int(self.weight[node]), total) if total else Fraction(0)
            found.append(found[above] * share)
        return found

    @cached_property
    def chance(self) -> NDArray[np.float64]:
        """Node -> probability, rounded."""
        chance = np.ones(self.tree.nodes)
        above = self.tree.parent
        for node in range(1, self.tree.nodes):
            total = self.total[above[node]]
            chance[node] = chance[above[node]] * self.weight[node] / total if total else 0.0
        return chance


def weigh(tree: DomainTree, leaf_weights: NDArray[np.int64]) -> WeightedTree:
    """Annotate a tree: a node weighs what its leaves do, siblings divided by a common divisor.

    Parameters
    ----------
    tree
        The subdomains.
    leaf_weights
        Leaf -> weight, whole numbers of at least 0.
    """
    weight = tree.sums(leaf_weights)
    weight[0] = 1
    divisor = np.zeros(tree.nodes, dtype=np.int64)
    np.gcd.at(divisor, tree.parent[1:], weight[1:])
    weight[1:] //= np.maximum(divisor[tree.parent[1:]], 1)
    return WeightedTree(tree, weight)


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
