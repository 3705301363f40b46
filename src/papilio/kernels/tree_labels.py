"""What it costs to give two rows of linked tables the same label.

A label is a line of 64-bit words. A numeric column or one with a hierarchy has two words, the
smallest and the largest code it covers; a column of plain labels has a bit for each value that may
occur, or, of more than :data:`MOST_BITS` values, for each code modulo that number. The loss of a
label is the sum over its columns of the share of the domain that a published cell would cover, as
in :mod:`papilio.kernels.attributes`.

Columns of all tables stand in shared arrays: ``kind``, ``word`` (first word of the column in a
label), ``size`` (number of codes), ``base`` (where its entries of ``values`` begin), and ``first``
(first column of each table, then the number of columns).

``values`` holds the position of each code of a ``RANGE`` column. For a ``TREE`` column it holds a
sparse table: entry ``level * size + leaf`` is the largest loss of a common ancestor of neighbours
among ``leaf .. leaf + 2**level``, which is the loss of the smallest node over these leaves, because
leaves are numbered depth first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from papilio.kernels.attributes import RANGE, SET
from papilio.kernels.bits import count_bits
from papilio.kernels.jit import kernel

#: Bits of a word that are used; the sign stays out.
WORD = 63
#: Columns of plain labels have at most this many bits in a label.
MOST_BITS = 504


@kernel
def spread(
    kind: int, size: int, base: int, low: int, high: int, values: NDArray[np.float64]
) -> float:
    """Loss of the codes ``low .. high`` of a ``RANGE`` or ``TREE`` column."""
    if low >= high:
        return 0.0
    if kind == RANGE:
        return float(min(values[base + high] - values[base + low], 1.0))
    level = 0
    while 2 << level <= high - low:
        level += 1
    start = base + level * size
    return float(max(values[start + low], values[start + high - (1 << level)]))


@kernel
def joined_loss(
    some: NDArray[np.int64],
    i: int,
    others: NDArray[np.int64],
    j: int,
    begin: int,
    end: int,
    kind: NDArray[np.int64],
    word: NDArray[np.int64],
    size: NDArray[np.int64],
    base: NDArray[np.int64],
    values: NDArray[np.float64],
) -> float:
    """Loss of the smallest label over label ``i`` of ``some`` and label ``j`` of ``others``.

    Parameters
    ----------
    some, others
        Labels, one a line.
    begin, end
        The columns of their table.
    """
    loss = 0.0
    for column in range(begin, end):
        w = word[column]
        if kind[column] == SET:
            count = 0
            for part in range(w, w + (min(size[column], MOST_BITS) + WORD - 1) // WORD):
                count += count_bits(some[i, part] | others[j, part])
            loss += (count - 1) / max(size[column] - 1, 1)
        else:
            low = min(some[i, w], others[j, w])
            high = max(some[i, w + 1], others[j, w + 1])
            loss += spread(kind[column], size[column], base[column], low, high, values)
    return loss


@kernel
def join_label(
    some: NDArray[np.int64],
    i: int,
    others: NDArray[np.int64],
    j: int,
    begin: int,
    end: int,
    kind: NDArray[np.int64],
    word: NDArray[np.int64],
    size: NDArray[np.int64],
) -> None:
    """Widen label ``i`` of ``some`` so that it covers label ``j`` of ``others``."""
    for column in range(begin, end):
        w = word[column]
        if kind[column] == SET:
            for part in range(w, w + (min(size[column], MOST_BITS) + WORD - 1) // WORD):
                some[i, part] |= others[j, part]
        else:
            some[i, w] = min(some[i, w], others[j, w])
            some[i, w + 1] = max(some[i, w + 1], others[j, w + 1])
