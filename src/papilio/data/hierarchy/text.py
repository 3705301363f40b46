"""The text by which a value is matched with the leaves of a hierarchy."""

from __future__ import annotations

import polars as pl

from papilio.data.nulls import normalise_nulls
from papilio.errors import DataError


def comparable(series: pl.Series) -> pl.Series:
    """Bring a column into one of the few types hierarchies know.

    Moments become their dates, categories text (an ordered enumeration stays one), NaN NULL.

    Returns
    -------
    polars.Series
        Text, an enumeration, booleans, whole, decimal or floating numbers, or dates.

    Raises
    ------
    DataError
        If the column has another type, or holds an infinite number.
    """
    dtype = series.dtype
    if isinstance(dtype, pl.Datetime):
        return series.dt.date()
    if isinstance(dtype, pl.Categorical) or dtype == pl.Null:
        return series.cast(pl.String)
    if dtype.is_numeric():
        return normalise_nulls(series)
    if dtype in (pl.String, pl.Boolean, pl.Date) or isinstance(dtype, pl.Enum):
        return series
    raise DataError(
        f"column '{series.name}': a hierarchy needs text, numbers, dates or booleans, "
        f"not {dtype.base_type()}",
        reason="no-hierarchy-for-type",
    )


def canonical_text(series: pl.Series) -> pl.Series:
    """Write each value in the one way by which leaves are matched.

    Whole numbers as ``17``, booleans as ``true`` and ``false``, dates as ``2020-03-01``, floating
    numbers as ``17.0`` (the shortest text that reads back as the same number), decimal numbers
    without zeros at their end. Zero has no sign. NULL stays NULL. Moments, which only the flat
    hierarchy knows, are written as ``2020-03-01 08:30:00``, in UTC and with a ``Z`` if they have a
    time zone.

    Parameters
    ----------
    series
        A column as :func:`comparable` returns it, or moments.
    """
    if isinstance(series.dtype, pl.Datetime):
        return _moment_text(series, series.dtype.time_zone)
    text = series.cast(pl.String)
    if series.dtype.is_float():
        return text.replace({"-0.0": "0.0"})
    if series.dtype.is_decimal():
        return text.str.replace(r"(\.\d*?)0+$", "$1").str.strip_chars_end(".")
    return text


def _moment_text(moments: pl.Series, zone: str | None) -> pl.Series:
    if zone is None:
        return moments.dt.strftime("%Y-%m-%d %H:%M:%S%.f")
    return moments.dt.convert_time_zone("UTC").dt.strftime("%Y-%m-%d %H:%M:%S%.fZ")
