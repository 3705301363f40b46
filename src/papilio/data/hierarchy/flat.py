"""The hierarchy of a column that has none: its values, and above them the root."""

from __future__ import annotations

import numpy as np
import polars as pl

from papilio.data.column import Column
from papilio.data.hierarchy.build import build
from papilio.data.hierarchy.text import canonical_text, comparable
from papilio.data.hierarchy.tree import ROOT, Hierarchy
from papilio.errors import DataError


def flat(values: pl.Series) -> Hierarchy:
    """Tree of two levels over some distinct values: the values themselves, and the root ``*``.

    Labels are the values as text, numbers and dates included. A column with such a hierarchy is
    published either exactly or not at all.

    Parameters
    ----------
    values
        Distinct values in the order of their codes, NULL first if it occurs.

    Raises
    ------
    DataError
        If a value is ``*``: it could not be told from the root.
    """
    texts: list[str | None] = canonical_text(values).to_list()
    if ROOT in texts:
        raise DataError(
            f"column '{values.name}': a value reads like the root '{ROOT}' of a hierarchy; a "
            "hierarchy file with another root is accepted for such a column",
            reason="value-like-label",
        )
    count = len(texts)
    ranks = np.arange(count, dtype=np.int32)
    nodes = ranks + np.int32(1)
    return Hierarchy(
        labels=(ROOT, *texts),
        parent=np.concatenate([[-1], np.zeros(count)]).astype(np.int32),
        first=np.concatenate([[0], ranks]).astype(np.int32),
        last=np.concatenate([[count - 1], ranks]).astype(np.int32),
        leaves=tuple(texts),
        leaf_node=nodes,
        levels=np.stack([nodes, np.zeros_like(nodes)]),
        reading={"automatic": True, "flat": True},
    )


def tree_of(column: Column, values: pl.Series) -> Hierarchy:
    """Hierarchy by which the labels of a column are read: its own, or the flat one."""
    if column.hierarchy is not None:
        return build(column.hierarchy, values, column.type, column.name)
    return flat(_as_they_are(values).unique().sort(nulls_last=False))


def _as_they_are(values: pl.Series) -> pl.Series:
    """Keep moments, which other hierarchies know by their day only."""
    return values if isinstance(values.dtype, pl.Datetime) else comparable(values)
