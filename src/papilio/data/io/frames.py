"""Frames of other libraries, in and out: pandas, Polars and Arrow."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from typing import Any

import narwhals as nw
import polars as pl

from papilio.data.io.columns import check_names
from papilio.data.types import as_text
from papilio.errors import DataError


class Kind(StrEnum):
    """The library a frame belongs to."""

    POLARS = "polars"
    PANDAS = "pandas"
    ARROW = "pyarrow"


_KINDS = {
    nw.Implementation.POLARS: Kind.POLARS,
    nw.Implementation.PANDAS: Kind.PANDAS,
    nw.Implementation.PYARROW: Kind.ARROW,
}


def from_native(frame: Any) -> tuple[pl.DataFrame, Kind]:
    """Take a frame of any supported library; it is not changed.

    Parameters
    ----------
    frame
        A pandas or Polars ``DataFrame``, a Polars ``LazyFrame`` (collected) or a pyarrow
        ``Table``. The index of a pandas frame is left out; its NaN, ``None`` and ``NA`` are
        NULL. A column that mixes types is an error only where it is used.

    Returns
    -------
    tuple
        The values, and the kind to give back.

    Raises
    ------
    DataError
        If the object is no such frame, or column names are blank or not unique.
    """
    try:
        known = nw.from_native(frame)
    except nw.exceptions.DuplicateError:
        raise DataError(
            "the frame: more than one column has the same name; names must differ",
            reason="duplicate-column",
        ) from None
    except TypeError:
        raise _unknown(frame) from None
    kind = _KINDS.get(known.implementation)
    if kind is None:
        raise _unknown(frame)
    eager = known.collect() if isinstance(known, nw.LazyFrame) else known
    names = check_names([str(name) for name in eager.columns], "the frame")
    series = [
        _column(column, name) for column, name in zip(eager.iter_columns(), names, strict=True)
    ]
    return pl.DataFrame(series), kind


def to_native(frame: pl.DataFrame, kind: Kind) -> Any:
    """Give a frame back in the library it came from.

    Categories become plain text. In pandas, whole numbers and booleans with NULL become the
    nullable types of pandas, so that numbers stay whole.
    """
    plain = as_text(frame)
    if kind is Kind.POLARS:
        return plain
    return plain.to_arrow() if kind is Kind.ARROW else _to_pandas(plain)


def _unknown(frame: object) -> DataError:
    return DataError(
        f"an object of type {type(frame).__name__} is not a frame; pandas, Polars and Arrow "
        "tables are accepted",
        reason="unknown-frame",
    )


def _column(column: nw.Series[Any], name: str) -> pl.Series:
    try:
        series = column.to_polars().alias(name)
    except (ValueError, TypeError, NotImplementedError):
        # The errors of pyarrow are among these. A column that mixes types does no harm unless
        # the policy names it; the type that stands in for it is refused then.
        return pl.Series(name, [None] * len(column), dtype=pl.Object)
    return series.fill_nan(None) if series.dtype.is_float() else series


def _to_pandas(frame: pl.DataFrame) -> Any:
    pandas = import_module("pandas")
    result = frame.to_pandas()
    for series in frame.iter_columns():
        if series.null_count() and (series.dtype.is_integer() or series.dtype == pl.Boolean):
            whole = series.dtype.is_integer()
            nullable = pandas.Int64Dtype() if whole else pandas.BooleanDtype()
            result[series.name] = pandas.array(series.to_list(), dtype=nullable)
    return result
