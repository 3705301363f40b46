"""Quasi-identifiers of all linked tables as kernels see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedColumn, EncodedTable, attributes_of
from papilio.data.hierarchy.tree import Hierarchy
from papilio.kernels.attributes import RANGE, SET, TREE
from papilio.kernels.tree_labels import MOST_BITS, WORD

Ints = NDArray[np.int64]
LabelArrays: TypeAlias = tuple[Ints, Ints, Ints, Ints, Ints, NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Labels:
    """The columns of all tables, in the arrays of :mod:`papilio.kernels.tree_labels`.

    Attributes
    ----------
    first, kind, word, size, base, values
        See there.
    width
        Words of a label.
    """

    first: NDArray[np.int64]
    kind: NDArray[np.int64]
    word: NDArray[np.int64]
    size: NDArray[np.int64]
    base: NDArray[np.int64]
    values: NDArray[np.float64]
    width: int

    @property
    def arrays(self) -> LabelArrays:
        """The arrays in the order in which kernels take them."""
        return self.first, self.kind, self.word, self.size, self.base, self.values

    def of(self, table: int, codes: NDArray[np.integer]) -> NDArray[np.int64]:
        """Labels of rows of a table that cover nothing but the codes of the row."""
        labels = np.zeros((len(codes), self.width), np.int64)
        columns = range(self.first[table], self.first[table + 1])
        for place, column in enumerate(columns):
            code = codes[:, place].astype(np.int64)
            word = self.word[column]
            if self.kind[column] == SET:
                bit = code % MOST_BITS
                labels[np.arange(len(code)), word + bit // WORD] = np.left_shift(1, bit % WORD)
            else:
                labels[:, word] = labels[:, word + 1] = code
        return labels


def labels_of(tables: Sequence[EncodedTable]) -> Labels:
    """Describe the columns of all tables."""
    kind, word, size, base, first = [], [], [], [], [0]
    values: list[NDArray[np.float64]] = [np.empty(0)]
    width, filled = 1, 0
    for table in tables:
        place = 0
        for index, column in enumerate(table.columns):
            entries = _values(column, table, index)
            kind.append(column.kind)
            size.append(len(column.values))
            word.append(place)
            base.append(filled)
            place += _words(column)
            filled += len(entries)
            values.append(entries)
        first.append(len(kind))
        width = max(width, place)
    starts, kinds, words, sizes, bases = (
        np.array(each, np.int64) for each in (first, kind, word, size, base)
    )
    return Labels(starts, kinds, words, sizes, bases, np.concatenate(values), width)


def _words(column: EncodedColumn) -> int:
    return -(-min(len(column.values), MOST_BITS) // WORD) if column.kind == SET else 2


def _values(column: EncodedColumn, table: EncodedTable, index: int) -> NDArray[np.float64]:
    if column.kind == RANGE:
        attributes = attributes_of(table)
        start = attributes.position_start[index]
        return attributes.position[start : start + len(column.values)]
    if column.kind == TREE and column.hierarchy is not None:
        return _sparse_table(column.hierarchy)
    return np.empty(0)


def _sparse_table(tree: Hierarchy) -> NDArray[np.float64]:
    """Loss of the smallest node over runs of 2, 3, 5, 9, ... leaves, from each leaf on."""
    leaves = np.arange(len(tree.leaves))
    level = np.zeros(len(leaves))
    level[:-1] = tree.loss[tree.common_ancestors(leaves[:-1], leaves[1:])]
    levels = [level]
    step = 1
    while 2 * step < len(leaves):
        wider = level.copy()
        wider[:-step] = np.maximum(level[:-step], level[step:])
        level = wider
        levels.append(level)
        step *= 2
    return np.concatenate(levels)
