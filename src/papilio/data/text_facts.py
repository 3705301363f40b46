"""The type of a text column whose texts are seen a few at a time and not kept.

:func:`papilio.data.types.convert` finds a type from all distinct texts at once. What it asks of
them can be asked of some after the other: a column is numeric if all texts are, whole if all are
whole, a date with times if any has one. The answer is the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.table import ColumnType
from papilio.data.text_values import moment_parts, number_parts, parse_text
from papilio.data.types import Occurrences, refuse_cells, refuse_limits

_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Tally:
    """Cells of some sort: how many, and the first."""

    count: int = 0
    first: int = _NEVER

    def __or__(self, other: Tally) -> Tally:
        return Tally(self.count + other.count, min(self.first, other.first))


@dataclass(frozen=True)
class TextFacts:
    """What the texts seen so far are.

    Attributes
    ----------
    texts
        All of them.
    no_truth, no_number, no_date
        Those that do not have the form of a type.
    no_whole, beyond_whole, beyond
        Numbers that are not whole, whole ones beyond 64 bits, and any beyond floating numbers.
    timed, zoned, unzoned
        Moments with a time, with a time zone, and without one.
    """

    texts: Tally = Tally()
    no_truth: Tally = Tally()
    no_number: Tally = Tally()
    no_whole: Tally = Tally()
    beyond_whole: Tally = Tally()
    beyond: Tally = Tally()
    no_date: Tally = Tally()
    timed: Tally = Tally()
    zoned: Tally = Tally()
    unzoned: Tally = Tally()

    def __or__(self, other: TextFacts) -> TextFacts:
        return TextFacts(**{n: getattr(self, n) | getattr(other, n) for n in self.__annotations__})


def facts_of(
    texts: pl.Series, counts: NDArray[np.int64], first: NDArray[np.int64], *, declared: bool
) -> TextFacts:
    """Look at distinct texts.

    Parameters
    ----------
    texts
        Texts without NULL.
    counts, first
        Cells that have each text, and the first of them.
    declared
        Whether the policy declares the type, which allows more ways of writing.
    """

    def tally(which: pl.Series) -> Tally:
        places = which.fill_null(False).to_numpy()
        return Tally(int(counts[places].sum()), int(first[places].min(initial=_NEVER)))

    readable, whole = number_parts(texts, declared=declared)
    as_whole = texts.cast(pl.Int64, strict=False)
    as_number = texts.cast(pl.Float64, strict=False)
    days, timed, zoned = moment_parts(texts)
    return TextFacts(
        texts=tally(texts.is_not_null()),
        no_truth=tally(parse_text(texts, ColumnType.BOOLEAN, declared).unreadable),
        no_number=tally(~readable),
        no_whole=tally(readable & ~whole),
        beyond_whole=tally(readable & whole & as_whole.is_null()),
        beyond=tally(readable & ~as_number.is_finite().fill_null(False)),
        no_date=tally(days.is_null()),
        timed=tally(timed),
        zoned=tally(zoned),
        unzoned=tally(~zoned),
    )


def settled_type(
    name: str, facts: TextFacts, wanted: ColumnType | None
) -> tuple[ColumnType, pl.DataType]:
    """Type of a column, declared or found, and the Polars type of its values.

    Raises
    ------
    DataError
        If cells do not fit the declared type; the same as
        :func:`papilio.data.types.convert` raises.
    """
    if wanted is not None:
        _check(name, facts, wanted)
        return wanted, _values(facts, wanted)
    for kind in (ColumnType.BOOLEAN, ColumnType.NUMERIC, ColumnType.DATE):
        if facts.texts.count and not _misfits(facts, kind) and not _lost(facts, kind).count:
            return kind, _values(facts, kind)
    return ColumnType.CATEGORY, pl.String()


def _misfits(facts: TextFacts, kind: ColumnType) -> int:
    return _unreadable(facts, kind).count


def _unreadable(facts: TextFacts, kind: ColumnType) -> Tally:
    return {
        ColumnType.BOOLEAN: facts.no_truth,
        ColumnType.NUMERIC: facts.no_number,
        ColumnType.DATE: facts.no_date,
    }.get(kind, Tally())


def _lost(facts: TextFacts, kind: ColumnType) -> Tally:
    """Cells of the right form that have no value."""
    if kind is ColumnType.NUMERIC:
        return facts.beyond if facts.no_whole.count else facts.beyond_whole
    if kind is ColumnType.DATE and facts.zoned.count:
        return facts.unzoned
    return Tally()


def _values(facts: TextFacts, kind: ColumnType) -> pl.DataType:
    if kind is ColumnType.BOOLEAN:
        return pl.Boolean()
    if kind is ColumnType.NUMERIC:
        return pl.Float64() if facts.no_whole.count else pl.Int64()
    if kind is ColumnType.DATE:
        zone = "UTC" if facts.zoned.count else None
        return pl.Datetime("us", zone) if facts.timed.count else pl.Date()
    return pl.String()


def _check(name: str, facts: TextFacts, wanted: ColumnType) -> None:
    bad, lost = _unreadable(facts, wanted), _lost(facts, wanted)
    if bad.count:
        refuse_cells(name, wanted, pl.Series([True]), _seen(bad))
    if lost.count:
        refuse_limits(name, wanted, pl.Series([True]), _seen(lost))


def _seen(cells: Tally) -> Occurrences:
    return Occurrences(np.array([cells.count]), np.array([cells.first]))
