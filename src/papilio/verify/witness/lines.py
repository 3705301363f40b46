"""Whether each line of a table is true of the source row it is said to be made of.

Column by column: a value that is published as it was must equal the original's, a generalised cell
must allow it. Bounds are compared line by line; other cells are read once each and compared by the
numbers of the original's values (:mod:`papilio.verify.cover`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.manifest import PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.cells import bounds, has_bounds, readings_of
from papilio.verify.cover import cover_of_readings, like
from papilio.verify.integrity import family
from papilio.verify.numbering import compared_as
from papilio.verify.opened import WORK, Opened
from papilio.verify.witness.rows import Rows
from papilio.verify.witness.values import Coded, Numbers, as_compared, coded, numbers_of

#: Pairs of a distinct cell and a distinct value that are looked at beforehand.
_MANY = 1 << 20

_MOMENTS = "epoch_us(CAST({} AS TIMESTAMP))"


def untrue_lines(
    opened: Opened,
    table: PublishedTable,
    column: PublishedColumn,
    original: pl.Series,
    rows: Rows,
) -> NDArray[np.bool_] | None:
    """Mark the lines whose cells of one column are not true; ``None`` if nobody can read them.

    Parameters
    ----------
    opened, table, column
        The release, one of its tables, and one of that table's columns.
    original
        The column of the original.
    rows
        Source row of each line; rows that there are.

    Notes
    -----
    Cost: one pass over the published column and one over the original's, in memory for one value
    per line and row; and one look at each distinct cell that is written as text.
    """
    if has_bounds(column):
        return ~_inside(_bounds(opened, table, column), numbers_of(original).take(rows))
    if column.cells == "value":
        if column.type == "category":
            return _other_texts(opened, table, column, coded(original), rows)
        published = _published_numbers(opened, table, column)
        return ~_same(published, numbers_of(original).take(rows))
    return _not_covered(opened, table, column, coded(original), rows)


def _published_numbers(opened: Opened, table: PublishedTable, column: PublishedColumn) -> Numbers:
    name = column.published[0]
    if family(opened.types(table.name)[name]) != column.type:
        # Nothing shows the type of a column of a CSV file that is NULL throughout.
        expression = "CAST(NULL AS BIGINT)"
    elif column.type == "date":
        expression = _MOMENTS.format(sql.name(name))
    else:
        kinds = {"boolean": "CAST({} AS BIGINT)", "numeric": "{}"}
        expression = kinds[column.type].format(sql.name(name))
    (found,) = opened.arrays(f"SELECT {expression} FROM {sql.name(table.name)}")
    return _from_numpy(found)


def _bounds(
    opened: Opened, table: PublishedTable, column: PublishedColumn
) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    low, high, null = bounds(opened, table, column)
    if column.type == "date":
        low, high = _MOMENTS.format(low), _MOMENTS.format(high)
    smallest, largest, flag = opened.arrays(
        f"SELECT {low} AS low, {high} AS high, coalesce({null}, false) AS may "
        f"FROM {sql.name(table.name)}"
    )
    return _from_numpy(smallest), _from_numpy(largest), np.asarray(flag, bool)


def _from_numpy(found: Any) -> Numbers:
    null = np.ma.getmaskarray(found) if np.ma.is_masked(found) else None
    return Numbers(np.ma.getdata(found), null)


def _inside(cells: tuple[Numbers, Numbers, NDArray[np.bool_]], value: Numbers) -> NDArray[np.bool_]:
    """Whether each value lies between its bounds, or is NULL where that is allowed."""
    low, high, may_be_null = cells
    example = value.values
    if example.dtype.kind == "f" and "f" not in (low.values.dtype.kind, high.values.dtype.kind):
        # Whole ends, rounded to floating ones, could seem to hold what they do not.
        low, high = (Numbers(end.values, np.ones(len(example), bool)) for end in (low, high))
    inside = like(example, low.values, np.ceil) <= value.values
    inside &= value.values <= like(example, high.values, np.floor)
    for end in (low, high):
        if end.null is not None:
            inside &= ~end.null
    return inside if value.null is None else np.where(value.null, may_be_null, inside)


def _same(published: Numbers, value: Numbers) -> NDArray[np.bool_]:
    """Whether each number is the same, to the last bit; NULL is NULL."""
    one, other = published.values, value.values
    if one.dtype.kind == other.dtype.kind == "f":
        same = one.astype(np.float64).view(np.int64) == other.astype(np.float64).view(np.int64)
    elif one.dtype.kind in "iu" and other.dtype.kind in "iu":
        same = one == other
    else:
        # A whole number is never published as a floating one, nor the other way round.
        same = np.zeros(len(other), bool)
    empty = np.zeros(len(other), bool)
    gone = empty if published.null is None else published.null
    lacking = empty if value.null is None else value.null
    return np.where(lacking | gone, lacking & gone, same)


def _other_texts(
    opened: Opened, table: PublishedTable, column: PublishedColumn, original: Coded, rows: Rows
) -> NDArray[np.bool_]:
    cells, which = _numbered_cells(opened, table, column)
    places = {text: place for place, text in enumerate(original.distinct.to_list())}
    missing = len(places)
    wanted = [missing if text is None else places.get(text, -1) for text in cells]
    return np.asarray(np.array(wanted, np.int64)[which] != original.codes[rows], bool)


def _not_covered(
    opened: Opened, table: PublishedTable, column: PublishedColumn, original: Coded, rows: Rows
) -> NDArray[np.bool_] | None:
    readings = readings_of(opened, table, column)
    if readings is None:
        return None
    cells, which = _numbered_cells(opened, table, column)
    values, place = as_compared(column, original.distinct)
    cover = cover_of_readings(values, compared_as(column), [readings[text] for text in cells])
    # NULL has the number 0.
    number = np.append(place + 1, 0)
    if len(cells) * len(number) > _MANY:
        return ~cover.allows(which, number[original.codes[rows]])
    pairs = [side.ravel() for side in np.indices((len(cells), len(number)))]
    refused = ~cover.allows(pairs[0], number[pairs[1]])
    return refused[which.astype(np.int64) * len(number) + original.codes[rows]]


def _numbered_cells(
    opened: Opened, table: PublishedTable, column: PublishedColumn
) -> tuple[list[str | None], NDArray[np.int32]]:
    """Distinct cells of a column of text, and which of them each line has."""
    name, source = column.published[0], sql.name(table.name)
    if family(opened.types(table.name)[name]) != "category":
        (lines,) = opened.row(f"SELECT count(*) FROM {source}")
        return [None], np.zeros(lines, np.int32)
    cell, kind = sql.name(name), f"{WORK}.cells"
    opened.execute(f"DROP TYPE IF EXISTS {kind}")
    opened.execute(
        f"CREATE TYPE {kind} AS ENUM (SELECT DISTINCT {cell} FROM {source} "
        f"WHERE {cell} IS NOT NULL)"
    )
    texts = [row[0] for row in opened.rows(f"SELECT unnest(enum_range(CAST(NULL AS {kind})))")]
    (which,) = opened.arrays(
        f"SELECT coalesce(CAST(enum_code(CAST({cell} AS {kind})) AS INTEGER), {len(texts)}) AS n "
        f"FROM {source}"
    )
    return [*texts, None], np.asarray(which)
