"""Which original rows each published row may be, from the columns somebody looks at.

Values and cells are numbered column by column (:mod:`papilio.verify.cover`); an original row is
then a point, a published one a box (:mod:`papilio.verify.candidates`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify.candidates import inside_boxes
from papilio.verify.cells import has_bounds, reader
from papilio.verify.cover import Cover, cover_of_bounds, cover_of_readings
from papilio.verify.numbering import (
    Side,
    bounds_of,
    compared_as,
    number_original,
    number_published,
    texts_of,
    values_of,
)
from papilio.verify.opened import Opened


@dataclass(frozen=True, eq=False)
class Fitting:
    """Distinct rows of both sides, and what the cells allow.

    Attributes
    ----------
    supply, demand
        Distinct rows of the original and of what is published, with how often each occurs.
    covers
        Per column, what its numbered cells allow; ``None`` where values are published as they were.
    """

    supply: Side
    demand: Side
    covers: list[Cover | None]


def is_readable(opened: Opened, column: PublishedColumn) -> bool:
    """Whether the verifier knows what the cells of a column allow."""
    return column.cells == "value" or has_bounds(column) or reader(opened, column) is not None


def fitting_of(opened: Opened, table: PublishedTable, original: str) -> Fitting:
    """Number both sides by the columns of ``table``, all of which must be readable.

    Parameters
    ----------
    opened
        The release.
    table
        A table of it, or the same with some columns only.
    original
        Name of a view with the original's columns, registered on the same connection.
    """
    supply = number_original(opened, table, original)
    demand = number_published(opened, table)
    covers = [
        None if column.cells == "value" else _cover(opened, column, index)
        for index, column in enumerate(table.columns)
    ]
    return Fitting(supply, demand, covers)


def _cover(opened: Opened, column: PublishedColumn, index: int) -> Cover:
    values = values_of(opened, index)
    if has_bounds(column):
        return cover_of_bounds(values, *bounds_of(opened, index))
    read = reader(opened, column)
    assert read is not None  # noqa: S101 - columns nobody can read were sorted out before
    readings = [read(cell) for cell in texts_of(opened, index)]
    return cover_of_readings(values, compared_as(column), readings)


def fitting_pairs(fitting: Fitting) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield pairs (supply, demand) that fit on every column, each pair once, in parts.

    Notes
    -----
    Cost: that of :func:`papilio.verify.candidates.inside_boxes`.
    """
    low, high = _boxes(fitting)
    supply, demand = fitting.supply.numbers, fitting.demand.numbers
    for some, boxes in inside_boxes(supply.astype(np.int32), low, high):
        fits = np.ones(len(some), bool)
        for column, cover in enumerate(fitting.covers):
            if cover is not None:
                fits &= cover.allows(demand[boxes, column], supply[some, column])
        yield some[fits], boxes[fits]


def _boxes(fitting: Fitting) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    numbers = fitting.demand.numbers
    low, high = numbers.copy(), numbers.copy()
    for column, cover in enumerate(fitting.covers):
        if cover is not None:
            first, last = cover.hull
            low[:, column] = first[numbers[:, column]]
            high[:, column] = last[numbers[:, column]]
    return low.astype(np.int32), high.astype(np.int32)
