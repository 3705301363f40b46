"""Whether a recipient is left with several values of a column that only others know.

For every class of the recipient, that is all rows with equal cells on what they know, the values
that the cells of the other column allow are put together and counted. A cell is read as a stranger
reads it. Numbers between two ends count one by one where the column holds whole numbers in two
columns of bounds; any other range of more than one point, a beginning of a text and the root of a
hierarchy that a rule describes allow any number of values. NULL is one more value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any

from papilio.release.manifest import Claim, PublishedColumn
from papilio.verify import sql
from papilio.verify.cells import bounds, has_bounds, readings_of
from papilio.verify.class_values import ClaimError, about, cells_of, shortfall, whole_number
from papilio.verify.opened import Opened
from papilio.verify.readings import Anything, Beginning, OneOf, Reading, Span
from papilio.verify.verdict import Finding

#: Stands for any number of values.
_MANY = 1 << 60
#: Values that one cell allows: single ones, and ranges of whole numbers; ``None`` for any number.
_Allowed = tuple[frozenset[Any], tuple[tuple[int, int], ...]] | None


def check_secret_column(opened: Opened, claim: Claim) -> Finding:
    """Check that the cells of a column leave l values possible in every class of a recipient.

    Cost: one grouping of the rows, and a reading of each distinct cell of a class.
    """
    try:
        least = whole_number(claim, "l")
        column = _secret(opened, claim)
        counted = list(_classes(opened, claim, column))
    except ClaimError as error:
        return about(claim, claim.claim, str(error), holds=False)
    if not counted:
        return about(claim, f"l >= {least}", "the table has no rows", holds=False)
    short = [rows for held, rows in counted if held < least]
    fewest = min(held for held, _ in counted)
    measured = f"l = {fewest}" if fewest < _MANY else "any number of values"
    text = f"{measured} over {len(counted)} classes{shortfall(sum(short), len(short))}"
    return about(claim, f"l >= {least}", text, holds=not short)


def _secret(opened: Opened, claim: Claim) -> PublishedColumn:
    wanted = claim.parameters.get("column")
    for column in opened.manifest.table(claim.table).columns:
        if column.name == wanted and column.role == "quasi":
            if column.name in claim.columns:
                raise ClaimError("the recipient knows the column")
            return column
    raise ClaimError("the claim names no quasi-identifier")


def _classes(opened: Opened, claim: Claim, column: PublishedColumn) -> Iterable[tuple[int, int]]:
    """How many values each class allows, and its number of rows."""
    known = [sql.name(cell) for cell in cells_of(opened, claim)]
    parts, allowed = _reading(opened, claim, column)
    # Who knows no column sees one class, the whole table.
    keys = [f"{cell} AS c{place}" for place, cell in enumerate(known)] or ["1 AS c0"]
    cells = [f"{cell} AS s{place}" for place, cell in enumerate(parts)]
    names = ", ".join(f"c{place}" for place in range(len(keys)))
    every = f"{names}, {', '.join(f's{place}' for place in range(len(cells)))}"
    found = opened.rows(
        f"SELECT dense_rank() OVER (ORDER BY {names}) AS class, "
        f"{', '.join(f's{place}' for place in range(len(cells)))}, n FROM "
        f"(SELECT {every}, count(*) AS n FROM "
        f"(SELECT {', '.join([*keys, *cells])} FROM {sql.name(claim.table)}) AS held "
        f"GROUP BY {every}) AS counted ORDER BY class"
    )
    for _, lines in groupby(found, key=itemgetter(0)):
        inside = list(lines)
        held = _held(allowed(line[1:-1]) for line in inside)
        yield held, sum(int(line[-1]) for line in inside)


def _held(cells: Iterable[_Allowed]) -> int:
    """How many values some cells allow together."""
    single: set[Any] = set()
    ranges: list[tuple[int, int]] = []
    for each in cells:
        if each is None:
            return _MANY
        single |= each[0]
        ranges += each[1]
    count, reached = 0, -_MANY
    for low, high in sorted(ranges):
        count += max(0, high - max(low, reached + 1) + 1)
        reached = max(reached, high)
    return count + len(single)


def _reading(
    opened: Opened, claim: Claim, column: PublishedColumn
) -> tuple[list[str], Callable[[tuple[Any, ...]], _Allowed]]:
    """SQL for the cells of a column, and what one of them allows."""
    table = opened.manifest.table(claim.table)
    if column.cells == "value":
        return [sql.name(column.published[0])], lambda cell: (frozenset(cell), ())
    if has_bounds(column):
        types = opened.types(claim.table)
        whole = all(types[name] in sql.WHOLE_TYPES for name in column.published[:2])
        return list(bounds(opened, table, column)), lambda cell: _of_bounds(*cell, whole=whole)
    readings = readings_of(opened, table, column)
    if readings is None:
        raise ClaimError("the column has cells of an unknown kind")
    return [sql.name(column.published[0])], lambda cell: _of_reading(readings[cell[0]])


def _of_bounds(low: Any, high: Any, null: Any, *, whole: bool) -> _Allowed:
    empty = frozenset([None]) if null or low is None or high is None else frozenset()
    if low is None or high is None:
        return empty, ()
    if whole:
        return empty, ((int(low), int(high)),)
    return None if low < high else (empty | {low}, ())


def _of_reading(reading: Reading | None) -> _Allowed:
    match reading:
        case Span():
            empty = frozenset([None]) if reading.null else frozenset()
            single = reading.low == reading.high
            return (empty | {reading.low}, ()) if single else None
        case OneOf():
            empty = frozenset([None]) if reading.null else frozenset()
            return empty | frozenset(reading.values), ()
        case Beginning() | Anything():
            return None
        case None:
            raise ClaimError("the column has cells that cannot be read")
