"""Hierarchies of text by its first characters: postcodes, codes of classifications."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from papilio.data.hierarchy.rules import PrefixRule
from papilio.data.hierarchy.tree import ROOT, Hierarchy, from_leaf_paths
from papilio.errors import DataError


def by_prefix(values: pl.Series, keep: Sequence[int]) -> Hierarchy:
    """Build the tree whose levels keep fewer and fewer first characters.

    A node is labelled by the characters it keeps and ``*``, the root by ``*``: ``12*`` reads "12
    and at least one more character". A value no longer than what a level keeps stays itself on
    that level, so ``12`` and ``12*`` may both be there and are two nodes.

    Parameters
    ----------
    values
        Distinct text values without NULL.
    keep
        Numbers of characters (code points), one a level: positive and strictly decreasing.

    Raises
    ------
    PolicyError
        If ``keep`` is not such a list.
    DataError
        If a value contains ``*``: it could not be told from a label.

    Notes
    -----
    Cost: the number of values times the number of levels.
    """
    rule = PrefixRule(tuple(keep))
    starred = int(values.str.contains(ROOT, literal=True).sum())
    if starred:
        raise DataError(
            f"column '{values.name}': {starred} distinct values contain '{ROOT}', which marks a "
            "prefix; a hierarchy file is accepted for such a column",
            reason="star-in-value",
        )
    ordered = values.sort()
    levels = [ordered, *(_cut(ordered, length) for length in rule.keep)]
    paths = [(*path, ROOT) for path in zip(*levels, strict=True)]
    return from_leaf_paths(paths, {"prefix": list(rule.keep)})


def _cut(values: pl.Series, length: int) -> pl.Series:
    """Labels of the level that keeps ``length`` characters."""
    longer = values.str.len_chars() > length
    return (values.str.head(length) + ROOT).zip_with(longer, values)
