"""Whether every published row is true of one original row, and none is lost.

A release is truthful if its rows can be matched one to one with the rows of the original so that
every generalised cell covers the original value and every other cell equals it. The rows of a
release are shuffled, so the matching has to be found. Equal rows are counted together: originals
are supplies, published rows demands, and a matching exists exactly if a maximum flow serves all.

Values and cells are numbered column by column (:mod:`papilio.verify.cover`); an original row is
then a point, a published one a box (:mod:`papilio.verify.candidates`).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.candidates import inside_boxes
from papilio.verify.cells import has_bounds, reader
from papilio.verify.cover import Cover, cover_of_bounds, cover_of_readings
from papilio.verify.integrity import family
from papilio.verify.matching import matched
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
from papilio.verify.verdict import Finding, Status, finding

#: Most pairs of an original row and a published row it may be that are kept.
_LIMIT = 40_000_000
#: Most blocks of comparisons made to find them; a few minutes.
_BLOCKS = 400_000

_CLAIM = "truthfulness"
_DEMANDED = "every original row is covered by one published row, none is lost or invented"


def check_truthfulness(opened: Opened, table: PublishedTable, original: str) -> Finding:
    """Check a table against the original.

    Parameters
    ----------
    opened
        The release.
    table
        The table in question.
    original
        Name of a view with the original's columns, registered on the same connection.

    Notes
    -----
    Cost: a few passes in SQL over both tables, then that of finding the candidates and, only if
    rows have more than one, a maximum flow. If there are too many candidates, nothing is decided.
    """
    faults = _column_faults(opened, table, original)
    if faults:
        return finding(_CLAIM, _DEMANDED, "; ".join(faults), holds=False)
    (count,) = opened.row(f"SELECT count(*) FROM {sql.name(original)}")
    (published,) = opened.row(f"SELECT count(*) FROM {sql.name(table.name)}")
    spare = _spare(table, count)
    if not count - spare <= published <= count:
        measured = f"{count} rows in the original, {published} published"
        return finding(_CLAIM, _DEMANDED, measured, holds=False)
    unknown = [c.name for c in table.columns if not _is_readable(opened, c)]
    if unknown:
        measured = f"cells of an unknown kind in {', '.join(unknown)}"
        return Finding(_CLAIM, _DEMANDED, measured, Status.NOT_CHECKED)
    supply = number_original(opened, table, original)
    demand = number_published(opened, table)
    pairs = _candidates(supply, demand, _covers(opened, table))
    if pairs is None:
        measured = "published rows overlap too much to decide which is whose"
        return Finding(_CLAIM, _DEMANDED, measured, Status.NOT_CHECKED)
    served = matched(pairs, supply.count, demand.count)
    measured = f"{served} of {published} rows can be matched"
    if spare:
        measured += f"; {count - published} of at most {spare} rows left out"
    return finding(_CLAIM, _DEMANDED, measured, served == published)


def _spare(table: PublishedTable, count: int) -> int:
    """Rows that may be left out: floor(share n) of n; none if the share is not one."""
    share = table.left_out_at_most
    return math.floor(Fraction(str(share)) * count) if 0 <= share < 1 else 0


def _column_faults(opened: Opened, table: PublishedTable, original: str) -> list[str]:
    """Columns of one side that the other does not have, or has as something else."""
    types = opened.types(original)
    published = {column.name: column.type for column in table.columns}
    faults = [f"'{name}' is not in the original" for name in published if name not in types]
    faults += [f"'{name}' is not published" for name in types if name not in published]
    return faults + [
        f"'{name}' is not {published[name]} in the original"
        for name, kind in types.items()
        if name in published and family(kind) != published[name]
    ]


def _is_readable(opened: Opened, column: PublishedColumn) -> bool:
    return column.cells == "value" or has_bounds(column) or reader(opened, column) is not None


def _covers(opened: Opened, table: PublishedTable) -> list[Cover | None]:
    """What the numbered cells of each column allow; ``None`` for columns published as they were."""
    return [
        None if column.cells == "value" else _cover(opened, column, index)
        for index, column in enumerate(table.columns)
    ]


def _cover(opened: Opened, column: PublishedColumn, index: int) -> Cover:
    values = values_of(opened, index)
    if has_bounds(column):
        return cover_of_bounds(values, *bounds_of(opened, index))
    read = reader(opened, column)
    assert read is not None  # noqa: S101 - columns nobody can read were sorted out before
    readings = [read(cell) for cell in texts_of(opened, index)]
    return cover_of_readings(values, compared_as(column), readings)


def _candidates(supply: Side, demand: Side, covers: list[Cover | None]) -> NDArray[np.int64] | None:
    """Pairs (supply, demand) that fit, as an array of two columns, or ``None`` if too many."""
    low, high = _boxes(demand, covers)
    found, total = [np.empty((0, 2), np.int64)], 0
    blocks = inside_boxes(supply.numbers.astype(np.int32), low, high)
    for block, (some, boxes) in enumerate(blocks):
        fits = np.ones(len(some), bool)
        for column, cover in enumerate(covers):
            if cover is not None:
                fits &= cover.allows(demand.numbers[boxes, column], supply.numbers[some, column])
        found.append(np.column_stack([some[fits], boxes[fits]]))
        total += len(found[-1])
        if total > _LIMIT or block > _BLOCKS:
            return None
    return np.concatenate(found)


def _boxes(demand: Side, covers: list[Cover | None]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    low, high = demand.numbers.copy(), demand.numbers.copy()
    for column, cover in enumerate(covers):
        if cover is not None:
            first, last = cover.hull
            low[:, column] = first[demand.numbers[:, column]]
            high[:, column] = last[demand.numbers[:, column]]
    return low.astype(np.int32), high.astype(np.int32)
