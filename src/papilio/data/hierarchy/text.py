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
    without zeros at their end. Zero has no sign. NULL stays NULL.

    Parameters
    ----------
    series
        A column as :func:`comparable` returns it.
    """
    text = series.cast(pl.String)
    if series.dtype.is_float():
        return text.replace({"-0.0": "0.0"})
    if series.dtype.is_decimal():
        return text.str.replace(r"(\.\d*?)0+$", "$1").str.strip_chars_end(".")
    return text
