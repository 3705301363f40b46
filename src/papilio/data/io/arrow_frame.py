"""Arrow tables to Polars frames, text as sorted enumerations.

Text stays dictionary-coded on the whole way: a column of ten million rows with a few hundred
distinct values takes one or two bytes per row, and the codes of the result are the ranks of its
values, which is what every later step works on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import polars as pl
import pyarrow as pa
import pyarrow.types as kinds

from papilio.data.types import categorise
from papilio.errors import DataError

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


def to_frame(table: pa.Table, null: Collection[str] = (), strip: bool = False) -> pl.DataFrame:
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
    """
    series = []
    for name in table.column_names:
        column = table.column(name)
        if _is_text(column.type):
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


def _texts(chunk: pa.DictionaryArray) -> pl.Series:
    try:
        chunk.dictionary.validate(full=True)
    except pa.ArrowInvalid:
        raise DataError(
            "a text column holds bytes that are not UTF-8; UTF-8 is accepted",
            reason="wrong-encoding",
        ) from None
    return pl.Series(chunk.dictionary, dtype=pl.String)


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
