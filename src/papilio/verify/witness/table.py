"""Truthfulness of one table, line by line.

Whether each line of a table is true of the source row it is said to be made of.

Column by column: a value that is published as it was must equal the original's, a generalised cell
must allow it. Bounds are compared line by line; other cells are read once each and compared by the
numbers of the original's values (:mod:`papilio.verify.cover`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.release.made import Witness
from papilio.release.manifest import Manifest, PublishedColumn, PublishedTable
from papilio.verify import sql
from papilio.verify.cells import bounds, has_bounds, readings_of
from papilio.verify.cover import cover_of_readings, like
from papilio.verify.integrity import family
from papilio.verify.numbering import compared_as
from papilio.verify.opened import WORK, Opened
from papilio.verify.verdict import Finding, Status, finding
from papilio.verify.witness.values import (
    Coded,
    Numbers,
    Rows,
    as_compared,
    coded,
    numbers_of,
    row_faults,
)

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


DEMANDED = "every line is true of a row of the original of its own, and no row is lost"


def check_table(
    opened: Opened,
    table: PublishedTable,
    original: pl.DataFrame,
    rows: Rows | None,
    claim: str = "truthfulness",
    *,
    height: int | None = None,
) -> Finding:
    """Check a table against the original, with the source row of each line at hand.

    Parameters
    ----------
    opened, table
        The release, and the table in question.
    original
        Exactly the columns that the table should have, all rows; texts may be ``Enum``.
    rows
        Source row of each line in the order in which they were written, from 0, as the method says
        it; ``None`` if it says nothing.
    claim
        What the finding is called.
    height
        Number of rows of the original, where it may have no column left to tell.

    Notes
    -----
    Guarantees that the lines are made of different source rows, that no more are missing than may
    be left out, and that every cell is true of the row it is made of. Cost: linear; see
    :func:`papilio.verify.witness.table.untrue_lines`.
    """
    count = original.height if height is None else height
    faults = column_faults(table, original) or row_faults(opened, table, rows, count)
    if faults or rows is None:
        return finding(claim, DEMANDED, "; ".join(faults), holds=False)
    untrue, blamed = np.zeros(len(rows), bool), []
    for column in table.columns:
        found = untrue_lines(opened, table, column, original.get_column(column.name), rows)
        if found is None:
            measured = f"cells of an unknown kind in '{column.name}'"
            return Finding(claim, DEMANDED, measured, Status.NOT_CHECKED)
        untrue |= found
        blamed += [f"'{column.name}'"] if found.any() else []
    wrong = int(untrue.sum())
    if wrong:
        measured = f"{wrong} of {len(rows)} lines are not, for {', '.join(blamed)}"
        return finding(claim, DEMANDED, measured, holds=False)
    measured = f"all {len(rows)} lines are"
    if table.left_out_at_most:
        measured += f"; {count - len(rows)} of {count} rows left out"
    return finding(claim, DEMANDED, measured, holds=True)


def column_faults(table: PublishedTable, original: pl.DataFrame) -> list[str]:
    """Columns of one side that the other does not have, or has as something else."""
    kinds = {name: family_of(kind) for name, kind in original.schema.items()}
    published = {column.name: column.type for column in table.columns}
    faults = [f"'{name}' is not in the original" for name in published if name not in kinds]
    faults += [f"'{name}' is not published" for name in kinds if name not in published]
    return faults + [
        f"'{name}' is not {published[name]} in the original"
        for name, kind in kinds.items()
        if name in published and kind != published[name]
    ]


def family_of(kind: pl.DataType) -> str:
    """What a column of a type holds: ``numeric``, ``date``, ``boolean`` or ``category``."""
    if kind.is_integer() or kind.is_float():
        return "numeric"
    families = {pl.Date: "date", pl.Datetime: "date", pl.Boolean: "boolean"}
    texts = {pl.Enum: "category", pl.String: "category"}
    return (families | texts).get(kind.base_type(), str(kind))


def check_projected(opened: Opened, original: pl.DataFrame, witness: Witness) -> Iterator[Finding]:
    """Check that every column of the original is in a table, and the truth of every table."""
    yield check_plan(opened.manifest, original.columns)
    for table in opened.manifest.tables:
        own = original.select(c.name for c in table.columns if c.name in original.columns)
        claim = f"truthfulness of {table.name}"
        yield check_table(opened, table, own, witness.get(table.name), claim)


def check_plan(manifest: Manifest, names: Sequence[str]) -> Finding:
    """Check that every column of the original, given by their names, is in a table."""
    published = {column.name for table in manifest.tables for column in table.columns}
    missing = [name for name in names if name not in published]
    measured = "; ".join(f"'{name}' is in no table" for name in missing) or "all of them"
    demanded = "every column of the original in a table"
    return finding("completeness of the plan", demanded, measured, not missing)
