r"""Protection against recipients who put together what they know: a two-level scheme.

A block of rows is first divided into *units*: classes of at least k' rows with equal cells on all
attributes that any recipient knows. Units are then never divided. A recipient's classes are unions
of units of at least k rows in sum, so they meet what is demanded of them, and rows that are equal
for all recipients together come in units of at least k'.

Source: Pei et al., "Butterfly", TR 2008-18, section 5.2. Departures: the paper counts units, at
least ⌈k / k'⌉ a class, which is safe but coarser; here rows are counted, a unit weighs as many rows
as it has, and losses are those of the boxes around all rows. The paper divides the whole table
into units first; here each block is divided by itself, on the attributes outside its body alone,
so that units are not spread to keep attributes together that the body makes one cell anyway.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from papilio.families.recipients.methods.setting import Points, Setting
from papilio.kernels.even_units import even_units


def units_of(setting: Setting, rows: NDArray[np.int32], places: Sequence[int]) -> Points:
    """Divide a block into units by the given attributes, or leave its rows single.

    Parameters
    ----------
    setting
        Says how many rows a unit has at least.
    rows
        The block, at least one unit's worth of rows.
    places
        Attributes on which rows of a unit will get equal cells.

    Notes
    -----
    Cost: O(n d log² n) time for a block of n rows.
    """
    if setting.together <= 1 or not places:
        return Points(rows)
    view = setting.view(places)
    codes, numbers = view.table.codes[rows], rows.copy()
    words = codes.view(np.int64)
    starts = even_units(
        codes,
        words,
        numbers,
        np.empty_like(words),
        np.empty_like(numbers),
        view.attributes,
        setting.together,
        np.empty(0, np.int64),
        codes[:0],
        codes[:0],
        setting.keys,
    )
    return Points(numbers, np.repeat(np.arange(len(starts) - 1), np.diff(starts)))
