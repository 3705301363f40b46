"""The cells of a disguised column and the tree over them, as the policy orders them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from papilio.verify.promise.columns import owned_tree
from papilio.verify.promise.paths import file_paths, meaning_of, rule_paths
from papilio.verify.target_tree import TargetTree

if TYPE_CHECKING:
    from papilio.policy.column_policy import ColumnPolicy
    from papilio.policy.policy import Policy
    from papilio.policy.target_policy import TreePolicy

#: Smallest and largest value of a cell, as they are compared.
Cell: TypeAlias = tuple[Any, Any]


def number(value: Any) -> Fraction:
    """A number as it is written: a double by the shortest text that means it."""
    return Fraction(str(value))


def leaves_of(tree: TargetTree) -> list[int]:
    """Leaves of a published tree, in order."""
    return [node for node in range(tree.size) if not tree.children[node]]


def published_cells(tree: TargetTree, *, numeric: bool) -> list[Cell]:
    """Cells of a published tree, in order."""
    meaning = Fraction if numeric else str
    return [(meaning(tree.low[leaf]), meaning(tree.high[leaf])) for leaf in leaves_of(tree)]


def tree_fault(
    policy: Policy,
    name: str,
    tree: TargetTree,
    values: Sequence[Any],
    *,
    whole: bool,
    numeric: bool,
) -> str | None:
    """Say how a published tree differs from the one the policy orders; ``None`` if it does not.

    Parameters
    ----------
    policy, name
        The order, and the column with the target.
    tree
        The published tree.
    values
        Distinct values of the column, and those that the target's file names, ascending.
    whole, numeric
        Whether the column holds whole numbers, or numbers at all.
    """
    said, ordered = policy.columns[name], policy.privacy.target[name].tree
    if said.hierarchy is not None:
        kind = "numeric" if numeric else "category"
        return _hierarchy_fault(policy, said, tree, values, kind)
    cells = list(_cells(said, ordered, values, whole=whole, numeric=numeric))
    if published_cells(tree, numeric=numeric) != cells:
        return "the tree has other cells than the policy's domain"
    arity = 2 if ordered is None else ordered.arity
    if _extents(tree) != list(_balanced(len(cells), arity)):
        return "the tree over the cells is not the one the policy orders"
    return None


def _cells(
    said: ColumnPolicy,
    ordered: TreePolicy | None,
    values: Iterable[Any],
    *,
    whole: bool,
    numeric: bool,
) -> Iterator[Cell]:
    if not numeric:
        yield from ((label, label) for label in said.domain or ())
    elif ordered is not None and ordered.lowest is not None and ordered.highest is not None:
        yield from _ranges(ordered.lowest, ordered.highest, ordered.width, whole=whole)
    else:
        yield from ((number(each), number(each)) for each in said.domain or values)


def _ranges(lowest: float, highest: float, width: float | None, *, whole: bool) -> Iterator[Cell]:
    """Cells of equal width; of whole numbers a cell ends before the next begins."""
    start, stop = Fraction(str(lowest)), Fraction(str(highest))
    step = Fraction(1) if width is None else Fraction(str(width))
    reach = stop - start + (1 if whole else 0)
    count = max(1, math.ceil(reach / step))
    for cell in range(count):
        low = start + cell * step
        end = low + step - (1 if whole else 0)
        high = stop if cell == count - 1 else end
        # Numbers that are not whole are published as doubles.
        yield (low, high) if whole else (number(float(low)), number(float(high)))


def _extents(tree: TargetTree) -> list[tuple[int, int]]:
    """First and last leaf below each node, which are numbered depth first."""
    places = {leaf: place for place, leaf in enumerate(leaves_of(tree))}
    first, last = [0] * tree.size, [0] * tree.size
    for node in range(tree.size - 1, -1, -1):
        below = tree.children[node]
        first[node] = first[below[0]] if below else places[node]
        last[node] = last[below[-1]] if below else places[node]
    return list(zip(first, last, strict=True))


def _balanced(count: int, arity: int) -> Iterator[tuple[int, int]]:
    """Extents of a balanced tree, depth first; of children that differ the larger come first."""
    waiting = [(0, count)]
    while waiting:
        start, size = waiting.pop()
        yield start, start + size - 1
        if size > 1:
            parts = min(arity, size)
            sizes = [size // parts + (part < size % parts) for part in range(parts)]
            starts = [start + sum(sizes[:part]) for part in range(parts)]
            waiting += reversed(list(zip(starts, sizes, strict=True)))


def _hierarchy_fault(
    policy: Policy, said: ColumnPolicy, tree: TargetTree, values: Sequence[Any], kind: str
) -> str | None:
    assert said.hierarchy is not None  # noqa: S101 - the caller has looked
    owned = owned_tree(said.hierarchy, policy.base)
    candidates = file_paths(owned.file) if owned.file else [rule_paths(owned, kind, list(values))]
    published = _families_of_tree(tree, kind)
    if any(_families_of_paths(paths.values(), kind) == published for paths in candidates):
        return None
    return "the tree is not the column's hierarchy"


def _families_of_tree(tree: TargetTree, kind: str) -> set[frozenset[Any]]:
    """Leaves below each node."""
    below: list[frozenset[Any]] = [frozenset()] * tree.size
    for node in range(tree.size - 1, -1, -1):
        own = [below[child] for child in tree.children[node]]
        below[node] = (
            frozenset().union(*own) if own else frozenset({meaning_of(tree.low[node], kind)})
        )
    return {*below}


def _families_of_paths(paths: Iterable[Sequence[str]], kind: str) -> set[frozenset[Any]]:
    below: dict[str, set[Any]] = {}
    for path in paths:
        for label in path:
            below.setdefault(label, set()).add(meaning_of(path[0], kind))
    return {frozenset(leaves) for leaves in below.values()}
