"""What type a column has, and its values as that type.

After :func:`convert` a column is one of

=========  ====================================================================================
numeric    ``Int64`` or ``Float64``, finite
date       ``Date``, or ``Datetime("us")``, in UTC if the source knows the time zone
boolean    ``Boolean``
category   ``Enum`` over the distinct values that occur, sorted by code point: the physical codes
           of the column are the ranks of its values
=========  ====================================================================================

An ``Enum`` carries all its categories, also those of rows that were filtered out since, and
writing it to a file writes them too. What is published goes through :func:`as_text` first.

What a missing value means.

NULL is a value of its own: equal to NULL and to nothing else. It takes part in every count: a row
whose age is NULL is in the same class as other rows whose age may be NULL, and a class of one
such row has size one. NaN means the same as NULL and is turned into it when a table is read;
infinite numbers are refused, because no range of finite numbers could cover them.

By role:

===========  ==================================================================================
quasi        a class may mix NULL with other values; the published cell then says "or NULL", and
             its loss is that of the widest possible cell (a range), of one more value (a set), or
             of the root (a hierarchy)
sensitive    one more sensitive value
plain        published as it is
===========  ==================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import numpy as np
import polars as pl
from numpy.typing import NDArray

from papilio.data.table import ColumnType
from papilio.data.text_values import parse_text
from papilio.errors import DataError

#: Days from 1 January 1970 to the first and to the last day that has a year of four digits.
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
_PER_DAY = {"ms": 86_400_000, "us": 86_400_000_000}
_INFERRED = (ColumnType.BOOLEAN, ColumnType.NUMERIC, ColumnType.DATE)
_MISFIT = {
    ColumnType.NUMERIC: ("not a number", "not numbers", "not-numeric"),
    ColumnType.DATE: ("not an ISO date", "not ISO dates", "not-a-date"),
    ColumnType.BOOLEAN: ("not true or false", "not true or false", "not-a-boolean"),
}


@dataclass(frozen=True, eq=False)
class Occurrences:
    """Where the values of a series stand in a larger column, for messages.

    Attributes
    ----------
    counts
        Rows that have each value.
    first
        The first of these rows, from 0; ``None`` if nobody knows.
    """

    counts: NDArray[np.int64]
    first: NDArray[np.int64] | None = None


def rows_after(skipped: int, rows: int) -> Occurrences:
    """Rows that follow some others."""
    return Occurrences(np.ones(rows, np.int64), np.arange(skipped, skipped + rows))


def column_type(series: pl.Series, typed: bool) -> ColumnType:
    """Tell the type of a column.

    Parameters
    ----------
    series
        Values as they were read.
    typed
        Whether the source knows types. If so, the type follows from the data type. If not (CSV),
        a text column is

        - boolean if all cells are ``true`` or ``false`` in any letter case,
        - numeric if all cells are decimal numbers as programs write them: no leading zeros, no
          ``+``, no thousands separators, an exponent only with its sign (``1e-05``), whole
          numbers within 64 bits; so postcodes and long keys stay text,
        - date if all cells are ISO dates (``2020-01-31``) or ISO times of a day, either all with
          or all without a time zone,
        - category otherwise, also if all cells are NULL.

    Raises
    ------
    DataError
        If the data type is not supported (lists, structs, binary).

    Notes
    -----
    Cost: the distinct values are looked at once or a few times; on top of that one pass over the
    rows if the column is not dictionary-coded yet.
    """
    if not _is_text(series.dtype):
        return _type_of(series)
    if typed:
        return ColumnType.CATEGORY
    return _infer(categorise(series).dtype.categories)  # type: ignore[attr-defined]


def convert(
    series: pl.Series,
    wanted: ColumnType | None,
    typed: bool,
    seen: Occurrences | None = None,
) -> pl.Series:
    """Bring a column into the form of its type; see the module.

    Parameters
    ----------
    series
        Values as they were read; not changed.
    wanted
        The declared type, or ``None`` for :func:`column_type`. A declared type is read more
        kindly from text: a number may have leading zeros, ``+`` or any exponent, a boolean may
        also be ``yes``/``no``, ``y``/``n``, ``t``/``f`` or ``1``/``0``.
    typed
        Whether the source knows types.
    seen
        Where the values stand, if they are not the column itself.

    Raises
    ------
    DataError
        If cells do not fit the declared type (``not-numeric``, ``not-a-date``,
        ``not-a-boolean``), a number does not fit 64 bits (``number-too-large``), or is infinite,
        or a date has no year of four digits (``date-out-of-range``).

    Notes
    -----
    Fractions of decimal columns become the nearest ``Float64``, numbers of 32 bits that of the
    shortest decimal that is read as the same 32 bits; times finer than a microsecond are cut to it.
    """
    if _is_text(series.dtype):
        return _convert_text(categorise(series), wanted, typed, seen)
    own = _type_of(series)
    series = normalise_nulls(series, None if seen is None else seen.counts)
    if own is ColumnType.CATEGORY or wanted is ColumnType.CATEGORY:
        return _convert_text(categorise(_texts(series)), wanted, typed=True, seen=seen)
    if wanted is ColumnType.BOOLEAN and own is ColumnType.NUMERIC:
        return _zero_or_one(series, seen)
    if wanted is not None and wanted is not own and series.null_count() < len(series):
        refuse_cells(series.name, wanted, series.is_not_null(), seen)
    return _canonical(series, own, seen)


def categorise(series: pl.Series) -> pl.Series:
    """Turn text into an ``Enum`` over its distinct values, sorted by code point.

    A column that is such an ``Enum`` already is returned as it is. Cost: one hash per row for
    ``String``, one lookup per row for ``Enum``.
    """
    if isinstance(series.dtype, pl.Enum) and _is_sorted_and_used(series, series.dtype.categories):
        return series
    return series.cast(pl.Enum(series.unique().drop_nulls().cast(pl.String).sort()))


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn categories into plain text; see :func:`plain_text`."""
    return frame.with_columns(plain_text(series) for series in frame.iter_columns())


def plain_text(series: pl.Series) -> pl.Series:
    """Turn categories into plain text, so that no value leaves that no row has.

    A category type would carry its list of values along, in the order of the source.
    """
    return series.cast(pl.String) if isinstance(series.dtype, pl.Enum | pl.Categorical) else series


def _is_sorted_and_used(series: pl.Series, categories: pl.Series) -> bool:
    used = np.zeros(len(categories), bool)
    used[series.to_physical().drop_nulls().to_numpy()] = True
    return bool(used.all()) and categories.is_sorted()


def _is_text(dtype: pl.DataType) -> bool:
    return isinstance(dtype, pl.String | pl.Enum | pl.Categorical)


def _type_of(series: pl.Series) -> ColumnType:
    dtype = series.dtype
    if dtype.is_numeric():
        return ColumnType.NUMERIC
    if isinstance(dtype, pl.Date | pl.Datetime):
        return ColumnType.DATE
    if isinstance(dtype, pl.Boolean):
        return ColumnType.BOOLEAN
    if isinstance(dtype, pl.Time | pl.Duration | pl.Null):
        return ColumnType.CATEGORY
    kind = "mixed types" if dtype == pl.Object else f"type {dtype.base_type().__name__}"
    raise DataError(
        f"column '{series.name}': values of {kind} are not supported; numbers, text, dates, times "
        "and booleans are",
        reason="unsupported-type",
    )


def _infer(distinct: pl.Series) -> ColumnType:
    if distinct.is_empty():
        return ColumnType.CATEGORY
    for kind in _INFERRED:
        # A handful of values rules most types out without a look at all of them.
        if all(
            parse_text(part, kind, declared=False).fits for part in (distinct.head(8), distinct)
        ):
            return kind
    return ColumnType.CATEGORY


def _convert_text(
    series: pl.Series, wanted: ColumnType | None, typed: bool, seen: Occurrences | None
) -> pl.Series:
    distinct: pl.Series = series.dtype.categories  # type: ignore[attr-defined]
    goal = wanted or (ColumnType.CATEGORY if typed else _infer(distinct))
    if goal is ColumnType.CATEGORY:
        return series
    parsed = parse_text(distinct, goal, declared=wanted is not None)
    rows = series.to_physical()
    if not parsed.fits:
        bad = parsed.unreadable.gather(rows).fill_null(False)
        if bad.any():
            refuse_cells(series.name, goal, bad, seen)
        lost = parsed.values.is_null().gather(rows).fill_null(False)
        refuse_limits(series.name, goal, lost, seen)
    return parsed.values.gather(rows).alias(series.name)


def _where(bad: pl.Series, seen: Occurrences | None) -> tuple[int, str]:
    """How many cells are bad, and which is the first, if that is known."""
    if seen is None:
        return int(bad.sum()), f" (first in row {int(bad.arg_true()[0]) + 1})"
    places = bad.to_numpy()
    first = "" if seen.first is None else f" (first in row {int(seen.first[places].min()) + 1})"
    return int(seen.counts[places].sum()), first


def refuse_cells(
    name: str, wanted: ColumnType, bad: pl.Series, seen: Occurrences | None = None
) -> NoReturn:
    """Say that cells do not have the form of the declared type.

    Parameters
    ----------
    name, wanted
        The column and its declared type.
    bad
        Which entries of a series do not fit.
    seen
        Where these entries stand, if they are not the column itself.
    """
    one, several, reason = _MISFIT[wanted]
    count, first = _where(bad, seen)
    cells = f"1 of its cells is {one}" if count == 1 else f"{count} of its cells are {several}"
    raise DataError(f"column '{name}' is declared {wanted} but {cells}{first}", reason=reason)


def refuse_limits(
    name: str, goal: ColumnType, bad: pl.Series, seen: Occurrences | None = None
) -> NoReturn:
    """Say that cells of the right form have no value; see :func:`refuse_cells`."""
    count, first = _where(bad, seen)
    if goal is ColumnType.DATE:
        raise DataError(
            f"column '{name}' is declared date but mixes times with and without a time zone; "
            "give all of them or none of them one",
            reason="mixed-time-zones",
        )
    raise DataError(
        f"column '{name}': {count} numbers are too large{first}; whole numbers of "
        "64 bits and floating numbers are accepted, or declare the column a category",
        reason="number-too-large",
    )


def _texts(series: pl.Series) -> pl.Series:
    dtype = series.dtype
    if isinstance(dtype, pl.Datetime):
        moments = _canonical(series, ColumnType.DATE)
        zone = "" if dtype.time_zone is None else "%:z"
        return moments.dt.to_string(f"%Y-%m-%dT%H:%M:%S%.f{zone}")
    if isinstance(dtype, pl.Time):
        return series.dt.to_string("%H:%M:%S%.f")
    if isinstance(dtype, pl.Duration):
        return series.dt.to_string("iso")
    return series.cast(pl.String)


def _zero_or_one(series: pl.Series, seen: Occurrences | None) -> pl.Series:
    bad = ~series.is_in([0, 1]).fill_null(True)
    if bad.any():
        refuse_cells(series.name, ColumnType.BOOLEAN, bad, seen)
    return series.cast(pl.Boolean)


def _check_years(series: pl.Series, seen: Occurrences | None) -> None:
    """Refuse dates that cannot be written with a year of four digits."""
    moments = series.dtype
    if isinstance(moments, pl.Datetime) and moments.time_unit == "ns":
        # 64 bits of nanoseconds do not reach beyond the year 2262.
        return
    per_day = _PER_DAY[moments.time_unit] if isinstance(moments, pl.Datetime) else 1
    numbers = series.to_physical()
    beyond = (numbers < _FIRST_DAY * per_day) | (numbers >= (_LAST_DAY + 1) * per_day)
    if beyond.any():
        count, first = _where(beyond.fill_null(False), seen)
        raise DataError(
            f"column '{series.name}': {count} dates lie outside of the years 1 to 9999{first}; "
            "dates within them and missing ones are accepted",
            reason="date-out-of-range",
        )


def _canonical(series: pl.Series, own: ColumnType, seen: Occurrences | None = None) -> pl.Series:
    dtype = series.dtype
    if own is ColumnType.DATE:
        _check_years(series, seen)
    if isinstance(dtype, pl.Datetime):
        aware = None if dtype.time_zone is None else "UTC"
        zoned = series if aware is None else series.dt.convert_time_zone(aware)
        return zoned.cast(pl.Datetime("us", aware))
    if own is not ColumnType.NUMERIC or dtype == pl.Int64:
        return series
    if dtype.is_integer() or (isinstance(dtype, pl.Decimal) and dtype.scale == 0):
        whole = series.cast(pl.Int64, strict=False)
        lost = whole.is_null() & series.is_not_null()
        if lost.any():
            refuse_limits(series.name, own, lost, seen)
        return whole
    if dtype == pl.Float32:
        # By its shortest decimal: somebody who wrote 0.1 wants 0.1, not 0.10000000149011612.
        series = series.cast(pl.String)
    return series.cast(pl.Float64)


def normalise_nulls(series: pl.Series, counts: NDArray[np.int64] | None = None) -> pl.Series:
    """Turn NaN into NULL and refuse infinite numbers.

    ``counts`` says of how many rows each entry stands, for the message; left out, of one.

    Raises
    ------
    DataError
        If the column holds an infinite number.
    """
    if not series.dtype.is_float():
        return series
    places = series.is_infinite().fill_null(False)
    if places.any():
        infinite = int(places.sum() if counts is None else counts[places.to_numpy()].sum())
        raise DataError(
            f"column '{series.name}': {infinite} infinite numbers; only finite numbers and "
            "missing values are accepted",
            reason="infinite-number",
        )
    return series.fill_nan(None)
