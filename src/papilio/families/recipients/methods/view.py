"""Some of the attributes of a table, as kernels want them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from papilio.data.encode import EncodedTable, attributes_of
from papilio.kernels.attributes import Attributes
from papilio.kernels.boxes import Shape, shape_of
from papilio.kernels.codes import Codes


@dataclass(frozen=True, eq=False)
class View:
    """A table with some of its attributes.

    Attributes
    ----------
    places
        Which attributes of the table, in order.
    table
        The codes of all rows on them, and what they mean.
    attributes, shape
        The same for kernels.
    """

    places: tuple[int, ...]
    table: EncodedTable
    attributes: Attributes
    shape: Shape


def view_of(table: EncodedTable, places: Sequence[int]) -> View:
    """Take some attributes of a table; there is at least one.

    Cost: a copy of their codes.
    """
    chosen = EncodedTable(_padded(table.codes, places), tuple(table.columns[p] for p in places))
    attributes = attributes_of(chosen)
    return View(tuple(places), chosen, attributes, shape_of(attributes))


def _padded(codes: Codes, places: Sequence[int]) -> Codes:
    """Some columns of codes, padded to a multiple of eight bytes per row."""
    per_word = 8 // codes.dtype.itemsize
    padded = np.zeros((len(codes), -(-len(places) // per_word) * per_word), codes.dtype)
    for column, place in enumerate(places):
        padded[:, column] = codes[:, place]
    return padded
