"""What kinds of value texts can be read as, so that types follow from counts alone.

Two texts of one form are alike to :func:`papilio.data.text_values.parse_text`, whatever is asked
of it. So one text of each form, with the number of its rows, decides the type of a column, and
which faults it has, just as all texts would.
"""

from __future__ import annotations

from functools import reduce

import polars as pl

from papilio.data.column import ColumnType
from papilio.data.text_values import parse_text

_WHOLE = r"^[+-]?[0-9]+$"
_TIMED = r"[T ][0-9]{2}:"
_ZONED = r"(?:Z|[+-][0-9]{2}:?[0-9]{2})$"


def forms(texts: pl.Series) -> pl.Series:
    """Number of the form of each text, 0 to 1023.

    Parameters
    ----------
    texts
        Distinct texts without NULL.
    """
    numbers = ~parse_text(texts, ColumnType.NUMERIC, declared=True).unreadable
    moments = ~parse_text(texts, ColumnType.DATE, declared=True).unreadable
    timed = moments & texts.str.contains(_TIMED)
    facts = (
        ~parse_text(texts, ColumnType.BOOLEAN, declared=False).unreadable,
        ~parse_text(texts, ColumnType.BOOLEAN, declared=True).unreadable,
        ~parse_text(texts, ColumnType.NUMERIC, declared=False).unreadable,
        numbers,
        numbers & texts.str.contains(_WHOLE),
        numbers & texts.cast(pl.Int64, strict=False).is_not_null(),
        numbers & texts.cast(pl.Float64, strict=False).is_finite().fill_null(False),
        moments,
        timed,
        timed & texts.str.contains(_ZONED),
    )
    bits = (fact.cast(pl.Int32) * (1 << place) for place, fact in enumerate(facts))
    return reduce(pl.Series.__add__, bits)


def sizes(texts: pl.Series, *, declared: bool) -> pl.Series:
    """Each text as a number or as a moment; NULL where it is neither.

    Parameters
    ----------
    texts
        Distinct texts without NULL.
    declared
        Whether the policy declares the type, which allows more ways of writing numbers.
    """
    readable = ~parse_text(texts, ColumnType.NUMERIC, declared=declared).unreadable
    numbers = texts.cast(pl.Float64, strict=False)
    if readable.all():
        return numbers
    moments = parse_text(texts, ColumnType.DATE, declared=declared).values
    moments = moments.cast(pl.Datetime("us")) if moments.dtype == pl.Date else moments
    return numbers.zip_with(readable, moments.to_physical().cast(pl.Float64))
