"""Whether two tables hold the same rows, from one number each, in any order and in parts.

Every row becomes a number of 64 bits under random keys, and numbers are added up. Equal tables have
equal sums. Tables that differ, be it in one cell or in how often a row occurs, have equal sums with
a chance of about 2**-64, since whoever made them does not know the keys. This finds mistakes; it is
no signature against somebody who knows the keys.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

_Words = NDArray[np.uint64]

#: Odd numbers and shifts of SplitMix64, which spread every bit over all bits.
_STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_LAST = 31


@dataclass(frozen=True)
class RowSum:
    """What is left of some rows.

    Attributes
    ----------
    rows
        How many.
    total
        Sum of their numbers, modulo 2**64.
    """

    rows: int = 0
    total: int = 0

    def __add__(self, other: RowSum) -> RowSum:
        return RowSum(self.rows + other.rows, (self.total + other.total) % (1 << 64))


def keys_needed(columns: int) -> int:
    """How many random keys tables of some columns take."""
    return 2 * columns + 1


def sum_rows(frame: pl.DataFrame, keys: _Words, unsigned_zero: Collection[str] = ()) -> RowSum:
    """Add up the rows of a table.

    Parameters
    ----------
    frame
        Some rows. Text may be ``String`` or any ``Enum``; other columns must have the same type in
        all tables that are compared.
    keys
        Random keys, :func:`keys_needed` of them, the same for all tables that are compared.
    unsigned_zero
        Columns in which minus zero is zero; elsewhere numbers differ if a bit does.

    Notes
    -----
    Cost: some ten operations per cell, and a hash per text, or per distinct one of an ``Enum``.
    """
    found = np.full(frame.height, keys[-1], np.uint64)
    for place, series in enumerate(frame.iter_columns()):
        own, missing = keys[2 * place : 2 * place + 2]
        words = _words(series, int(own), series.name in unsigned_zero) + own
        if series.null_count():
            words[series.is_null().to_numpy()] = missing
        found ^= words
        _mix(found)
    return RowSum(frame.height, int(found.sum(dtype=np.uint64)))


def _words(series: pl.Series, seed: int, unsigned_zero: bool) -> _Words:
    """A number of 64 bits for each value; anything where it is NULL."""
    if isinstance(series.dtype, pl.Enum):
        known = series.dtype.categories.hash(seed).to_numpy()
        codes = series.to_physical().fill_null(0).to_numpy()
        return known[codes] if len(known) else np.zeros(len(series), np.uint64)
    if series.dtype == pl.String:
        return series.hash(seed).to_numpy().copy()
    if series.dtype.is_float():
        numbers = series.cast(pl.Float64).fill_null(0.0).to_numpy()
        return (numbers + 0.0 if unsigned_zero else numbers).view(np.uint64)
    whole = series.to_physical().cast(pl.Int64).fill_null(0).to_numpy()
    return whole.view(np.uint64)


def _mix(words: _Words) -> None:
    for shift, odd in _STEPS:
        words ^= words >> np.uint64(shift)
        words *= np.uint64(odd)
    words ^= words >> np.uint64(_LAST)
