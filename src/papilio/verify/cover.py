"""Which original values each distinct cell of a column allows, in numbers.

The distinct values of a column are numbered from 1 in ascending order; 0 is NULL. What a cell
allows is then a run of numbers, perhaps with gaps, and perhaps 0.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papilio.verify.readings import Anything, Beginning, Bound, OneOf, Reading, Span, bound

_WORD = np.iinfo(np.int64)


@dataclass(frozen=True, eq=False)
class Cover:
    """What the distinct cells of a column allow; one entry per cell.

    Attributes
    ----------
    first, last
        Smallest and largest number of an allowed value; ``last < first`` if there is none.
    null
        Whether NULL is allowed.
    gaps
        Whether numbers between first and last are not allowed.
    members
        ``cell * size + number`` of every allowed number of the cells with gaps, ascending.
    size
        Greatest number, plus one.
    """

    first: NDArray[np.int64]
    last: NDArray[np.int64]
    null: NDArray[np.bool_]
    gaps: NDArray[np.bool_]
    members: NDArray[np.int64]
    size: int

    @property
    def hull(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Smallest and largest allowed number, counting NULL as 0."""
        some = self.first <= self.last
        low = np.where(self.null, 0, np.where(some, self.first, 1))
        return low, np.where(some, self.last, 0)

    def allows(
        self, cell: NDArray[np.integer[Any]], number: NDArray[np.integer[Any]]
    ) -> NDArray[np.bool_]:
        """Whether each cell allows the number beside it."""
        inside = (self.first[cell] <= number) & (number <= self.last[cell])
        doubtful = np.flatnonzero(inside & self.gaps[cell])
        if doubtful.size:
            keys = cell[doubtful].astype(np.int64) * self.size + number[doubtful]
            place = np.minimum(np.searchsorted(self.members, keys), len(self.members) - 1)
            inside[doubtful] = self.members[place] == keys
        return np.asarray(np.where(number == 0, self.null[cell], inside), bool)


def cover_of_bounds(
    values: NDArray[Any], low: NDArray[Any], high: NDArray[Any], null: NDArray[Any]
) -> Cover:
    """Cover of cells given by their ends; a cell that is not well formed allows nothing.

    Parameters
    ----------
    values
        Distinct values without NULL, ascending.
    low, high, null
        Smallest and largest value and whether NULL is allowed; masked where NULL.
    """
    no_low, no_high, no_flag = (np.ma.getmaskarray(each) for each in (low, high, null))
    smallest, largest, flag = (np.ma.getdata(each) for each in (low, high, null))
    proper = ~(no_low | no_high | no_flag) & (smallest <= largest)
    proper &= np.isfinite(smallest) & np.isfinite(largest)
    only_null = no_low & no_high & ~no_flag & flag
    first = np.searchsorted(values, like(values, smallest, np.ceil), "left") + 1
    last = np.searchsorted(values, like(values, largest, np.floor), "right")
    return Cover(
        first=np.where(proper, first, 1),
        last=np.where(proper, last, 0),
        null=(proper & flag) | only_null,
        gaps=np.zeros(len(first), bool),
        members=np.empty(0, np.int64),
        size=len(values) + 1,
    )


def cover_of_readings(values: NDArray[Any], kind: str, readings: Sequence[Reading | None]) -> Cover:
    """Cover of cells that were read; a cell that could not be read allows nothing.

    Parameters
    ----------
    values
        Distinct values without NULL, ascending: numbers, moments or texts.
    kind
        ``numeric``, ``date`` or ``category``: how the members of a reading are to be read.
    readings
        What each cell allows.
    """
    listed = values.tolist()
    numbers = {value: number for number, value in enumerate(listed, 1)}
    first = np.ones(len(readings), np.int64)
    last = np.zeros(len(readings), np.int64)
    gaps = np.zeros(len(readings), bool)
    members: list[int] = []
    for cell, reading in enumerate(readings):
        allowed = _allowed(reading, listed, numbers, kind)
        if allowed:
            first[cell], last[cell] = allowed[0], allowed[-1]
            gaps[cell] = last[cell] - first[cell] >= len(allowed)
            if gaps[cell]:
                members.extend(cell * (len(values) + 1) + number for number in allowed)
    null = np.array([reading is not None and reading.null for reading in readings], bool)
    return Cover(first, last, null, gaps, np.array(members, np.int64), len(values) + 1)


def like(
    values: NDArray[Any], ends: NDArray[Any], whole: Callable[[NDArray[Any]], NDArray[Any]]
) -> NDArray[Any]:
    """Ends of ranges as the type of the values, so that the same values lie inside."""
    if values.dtype.kind == "i" and ends.dtype.kind == "f":
        rounded = np.nan_to_num(whole(ends))
        limit = np.where(rounded > 0, _WORD.max, _WORD.min)
        outside = np.abs(rounded) >= 2.0**63
        return np.where(outside, limit, np.where(outside, 0, rounded).astype(np.int64))
    return ends.astype(values.dtype)


def _allowed(
    reading: Reading | None, values: list[Any], numbers: dict[Any, int], kind: str
) -> Sequence[int]:
    """Numbers of the values that a reading allows, ascending."""
    match reading:
        case Span():
            return _inside(reading, values)
        case OneOf():
            read = (_value(member, values, kind) for member in reading.values)
            return sorted({numbers[value] for value in read if value in numbers})
        case Beginning(prefix):
            length = len(prefix)
            end = bisect_right(values, prefix, key=lambda value: value[:length])
            return range(bisect_right(values, prefix) + 1, end + 1)
        case Anything():
            return range(1, len(values) + 1)
        case None:
            return ()


def _inside(span: Span, values: list[Any]) -> Sequence[int]:
    if not values:
        return ()
    low, high = _comparable(span.low, values[0]), _comparable(span.high, values[0])
    end = bisect_left(values, high) if span.half_open else bisect_right(values, high)
    return range(bisect_left(values, low) + 1, end + 1)


def _value(member: str, values: list[Any], kind: str) -> Any:
    """What a member means where values are not texts."""
    if kind == "category":
        return member
    read = bound(member, kind)
    return read if read is None or not values else _comparable(read, values[0])


def _comparable(end: Bound, example: Any) -> Any:
    """A number as the floating number it is written for; whole numbers compare exactly."""
    return float(end) if isinstance(example, float) and isinstance(end, Decimal) else end
