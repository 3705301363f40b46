"""Frames of other libraries, in and out: pandas, Polars and Arrow.

Arrow tables to Polars frames, text as sorted enumerations.

Text stays dictionary-coded on the whole way: a column of ten million rows with a few hundred
distinct values takes one or two bytes per row, and the codes of the result are the ranks of its
values, which is what every later step works on.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from importlib import import_module
from typing import Any

import narwhals as nw
import polars as pl
import pyarrow as pa
import pyarrow.types as kinds

from papilio.data.types import as_text, categorise
from papilio.errors import DataError


def check_names(names: Sequence[str], where: str) -> tuple[str, ...]:
    """Refuse blank and duplicate names.

    Parameters
    ----------
    names
        Names in the order of the source.
    where
        The source, for the message.
    """
    for place, name in enumerate(names, start=1):
        if not name.strip():
            raise DataError(
                f"{where}: column {place} has no name; every column needs one",
                reason="blank-column",
            )
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(
            f"{where}: more than one column is named {_quoted(twice)}; names must differ",
            reason="duplicate-column",
        )
    return tuple(names)


def choose_columns(
    names: Sequence[str], wanted: Collection[str] | None, where: str
) -> tuple[str, ...]:
    """Names to load, in the order of the source; all of them if ``wanted`` is ``None``.

    Raises
    ------
    DataError
        If a wanted column is not there, or none is wanted.
    """
    if wanted is None:
        return tuple(names)
    unknown = sorted(set(wanted) - set(names))
    if unknown:
        hints = [_hint(name, names) for name in unknown]
        raise DataError(
            f"{where}: no column {', '.join(hints)}; columns are {_quoted(names)}",
            reason="unknown-column",
        )
    if not wanted:
        raise DataError(f"{where}: no column is asked for", reason="no-columns")
    return tuple(name for name in names if name in wanted)


def _hint(name: str, names: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1)
    return f"{name!r} (did you mean {close[0]!r}?)" if close else repr(name)


def _quoted(names: Sequence[str], most: int = 30) -> str:
    listed = ", ".join(map(repr, names[:most]))
    return f"{listed}, …" if len(names) > most else listed


_CODED_TEXT = pa.dictionary(pa.int32(), pa.large_string())


def text_columns(schema: pa.Schema) -> list[str]:
    """Names of the columns that hold text."""
    return [entry.name for entry in schema if _is_text(entry.type)]


def check_types(schema: pa.Schema, names: Sequence[str], where: str) -> None:
    """Refuse columns among ``names`` whose type is not supported.

    Raises
    ------
    DataError
        With reason ``unsupported-type``.
    """
    for name in names:
        kind = schema.field(name).type
        if not _is_supported(kind):
            raise DataError(
                f"{where}: column {name!r} has type {_type_name(kind)}, which is not supported; "
                "numbers, text, dates, times and booleans are, or leave the column out",
                reason="unsupported-type",
            )


def code_text(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> pa.Table:
    """Collect batches into a table, dictionary-coding text as it arrives."""
    coded = pa.schema(
        entry.with_type(_CODED_TEXT) if kinds.is_string(entry.type) else entry for entry in schema
    )
    return pa.Table.from_batches((batch.cast(coded) for batch in batches), coded)


def to_frame(
    table: pa.Table,
    null: Collection[str] = (),
    strip: bool = False,
    different: Collection[str] = (),
) -> pl.DataFrame:
    """Turn an Arrow table into a Polars frame.

    Text becomes ``Enum`` over the sorted distinct values that occur; everything else keeps its
    type.

    Parameters
    ----------
    table
        Columns of supported types.
    null
        Texts that become NULL.
    strip
        Whether to remove blanks around texts; what is left empty becomes NULL.
    different
        Columns whose texts are nearly all different, such as names: they stay ``String``.
    """
    series = []
    for name in table.column_names:
        column = table.column(name)
        if _is_text(column.type) and name in different:
            series.append(_as_text(name, column, null, strip))
        elif _is_text(column.type):
            series.append(_enumerate(name, column, null, strip))
        else:
            series.append(_plain(name, column))
        table = table.drop_columns([name])
    return pl.DataFrame(series)


def _enumerate(name: str, column: pa.ChunkedArray, null: Collection[str], strip: bool) -> pl.Series:
    if not kinds.is_dictionary(column.type):
        column = column.dictionary_encode()
    texts = [_cleaned(_texts(chunk), null, strip) for chunk in column.chunks]
    everything = pl.concat([pl.Series([], dtype=pl.String), *texts])
    category = pl.Enum(everything.unique().drop_nulls().sort())
    codes = [
        part.cast(category).to_physical().gather(pl.Series(chunk.indices))
        for part, chunk in zip(texts, column.chunks, strict=True)
    ]
    joined = pl.concat(codes, rechunk=True) if codes else pl.Series([], dtype=pl.UInt8)
    # A dictionary that another program wrote may hold values that no row has.
    return categorise(joined.cat.to(category)).alias(name)


def _as_text(name: str, column: pa.ChunkedArray, null: Collection[str], strip: bool) -> pl.Series:
    if kinds.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    parts = [_cleaned(_valid(chunk), null, strip) for chunk in column.chunks]
    return pl.concat([pl.Series([], dtype=pl.String), *parts], rechunk=True).alias(name)


def _texts(chunk: pa.DictionaryArray) -> pl.Series:
    return _valid(chunk.dictionary)


def _valid(texts: pa.Array) -> pl.Series:
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        raise DataError(
            "a text column holds bytes that are not UTF-8; UTF-8 is accepted",
            reason="wrong-encoding",
        ) from None
    return pl.Series(texts, dtype=pl.String)


def _cleaned(texts: pl.Series, null: Collection[str], strip: bool) -> pl.Series:
    if strip:
        texts = texts.str.strip_chars()
        null = ["", *(text.strip() for text in null)]
    return texts.set(texts.is_in(list(null)), None) if null else texts


def _plain(name: str, column: pa.ChunkedArray) -> pl.Series:
    if kinds.is_date64(column.type):
        column = column.cast(pa.date32())
    elif kinds.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return pl.Series(name, column).rechunk()


def _is_text(kind: pa.DataType) -> bool:
    if kinds.is_dictionary(kind):
        kind = kind.value_type
    tests = (kinds.is_string, kinds.is_large_string, kinds.is_string_view)
    return any(test(kind) for test in tests)


def _is_supported(kind: pa.DataType) -> bool:
    if kinds.is_dictionary(kind):
        return _is_supported(kind.value_type)
    if kinds.is_decimal(kind):
        return not kinds.is_decimal256(kind)
    tests = (kinds.is_integer, kinds.is_floating, kinds.is_boolean, kinds.is_null)
    times = (kinds.is_date, kinds.is_timestamp, kinds.is_time, kinds.is_duration)
    return _is_text(kind) or any(test(kind) for test in (*tests, *times))


def _type_name(kind: pa.DataType) -> str:
    if isinstance(kind, pa.BaseExtensionType):
        return str(kind.extension_name)
    return str(kind).partition("<")[0].partition("[")[0]


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
