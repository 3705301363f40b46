"""Hierarchies nobody has to write: balanced binary trees over the values that occur."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial

import polars as pl

from papilio.data.column import ColumnType
from papilio.data.hierarchy.text import canonical_text
from papilio.data.hierarchy.tree import ROOT, Hierarchy, from_leaf_paths
from papilio.errors import DataError


def automatic(values: pl.Series, column_type: ColumnType) -> Hierarchy:
    """Build a balanced binary tree over the values in the given order.

    A node over n values has children over the first ceil(n / 2) and the last floor(n / 2) of them,
    so the height is ceil(log2 n). A node of an ordered column is labelled by its smallest and
    largest value, ``[17, 25]``, both included; a node of any other column by the compact JSON list
    of its values, ``["a","b"]``. The root is ``*``. Level i from the top holds the nodes of depth
    i; a leaf that is not as deep as others stands for itself below. The same values give the same
    tree.

    The labels show values that occur in the data: the ends of a range are values of some row, and
    a list names only values of some row. Where rows are left out of a release, labels are written
    anew for the rows that are published, see :mod:`papilio.data.hierarchy.published_labels`. A
    hierarchy that is declared, by file or by rule, does not depend on the data and says nothing of
    this kind.

    Parameters
    ----------
    values
        Distinct values without NULL, smallest first when the column is ordered.
    column_type
        Whether labels are ranges or lists.

    Raises
    ------
    DataError
        If a value of an unordered column is also the label of a group.

    Notes
    -----
    Cost: n log n, also for the total length of the labels.
    """
    leaves = canonical_text(values).to_list()
    paths = _paths(leaves, partial(label_of, ordered=column_type.ordered))
    groups = {label for path in paths for label in path if label != path[0]}
    clashes = len((groups | {ROOT}).intersection(leaves))
    if clashes:
        raise DataError(
            f"column '{values.name}': {clashes} distinct values read like the label of a group of "
            "values; a hierarchy file is accepted for such a column",
            reason="value-like-label",
        )
    return from_leaf_paths(paths, {"automatic": True})


def label_of(values: Sequence[str], *, ordered: bool) -> str:
    """Label of a group of two values or more, in their order: a range if ordered, else a list."""
    if ordered:
        return f"[{values[0]}, {values[-1]}]"
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _paths(leaves: Sequence[str], write: Callable[[Sequence[str]], str]) -> list[list[str]]:
    """Path of each leaf, all of the same length: leaves nearer the root are repeated."""
    length = max(1, (len(leaves) - 1).bit_length()) + 1
    paths: list[list[str]] = []

    def descend(lo: int, hi: int, above: list[str]) -> None:
        if hi - lo == 1:
            paths.append([leaves[lo]] * (length - len(above)) + above)
            return
        middle = (lo + hi + 1) // 2
        for start, stop in ((lo, middle), (middle, hi)):
            inner = [write(leaves[start:stop])] if stop - start > 1 else []
            descend(start, stop, inner + above)

    if leaves:
        descend(0, len(leaves), [ROOT])
    return paths
