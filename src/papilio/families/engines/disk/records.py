"""Rows as records of fixed length, in which they lie on disk between the passes.

A record holds the codes by which the top of the tree is cut, the codes of sensitive columns, and
what is published of the row as it is: labels by number, numbers and dates as they are, and of
longer texts the length; their bytes lie in a file of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable, stack_codes
from papilio.data.people import PERSON
from papilio.data.table import Role
from papilio.data.types import plain_text
from papilio.families.engines.coded import ColumnValues, travels_as_value
from papilio.families.engines.meanings import Meanings
from papilio.families.engines.piece import (
    Piece,
    PiecePeople,
    own_codes,
    own_sensitive,
    top_codes,
)

#: Records in memory; the fields are those of a :class:`Layout`.
Records: TypeAlias = NDArray[np.void]


#: Length of a text that is NULL.
_NULL = -1


@dataclass(frozen=True, eq=False)
class Stored:
    """How a column lies in a record.

    Attributes
    ----------
    name, dtype
        The column and its Polars type.
    how
        ``label`` (number of the label, 0 for NULL), ``number`` (the value, and whether it is NULL)
        or ``text`` (its length).
    field
        The record's field.
    labels
        The labels of a ``label`` column.
    """

    name: str
    dtype: pl.DataType
    how: Literal["label", "number", "text"]
    field: str
    labels: pl.Series | None = None


@dataclass(frozen=True, eq=False)
class Layout:
    """How a row becomes a record.

    Attributes
    ----------
    meanings
        The table.
    record
        The type of a record.
    stored
        The columns that are kept besides codes.
    numbers
        Fields of a whole number each that are kept besides columns.
    """

    meanings: Meanings
    record: np.dtype[np.void]
    stored: tuple[Stored, ...]
    numbers: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Columns whose bytes lie in files of their own."""
        return tuple(each.name for each in self.stored if each.how == "text")

    def column(self, name: str, records: Records) -> pl.Series:
        """Values of a column of numbers or dates."""
        return _column(next(each for each in self.stored if each.name == name), records, {})


def layout_of(
    meanings: Meanings, values: Mapping[str, ColumnValues], numbers: Sequence[str] = ()
) -> Layout:
    """Choose how the rows of a table are laid out.

    Parameters
    ----------
    meanings
        The table. Columns that it has no codes of are kept as they are.
    values
        What occurs in columns of text, by which labels are numbered.
    numbers
        Names of whole numbers that are kept besides; no names of columns.
    """
    coded = {each.column.name for each in meanings.quasi if not travels_as_value(each)}
    kept = [c for c in meanings.columns if c.name not in coded]
    stored = tuple(
        _stored(c.name, meanings.types[c.name], f"c{place}", values.get(c.name))
        for place, c in enumerate(kept)
    )
    probe, _ = top_codes(_nothing(meanings), meanings)
    fields: list[tuple[Any, ...]] = []
    if meanings.quasi:
        fields.append(("codes", probe.dtype, probe.shape[1]))
    fields += [(name, np.int64) for name in numbers]
    if meanings.sensitive:
        fields.append(("sensitive", np.int32, len(meanings.sensitive)))
    for each in stored:
        fields += _fields(each)
    return Layout(meanings, np.dtype(fields), stored, tuple(numbers))


def _nothing(meanings: Meanings) -> pl.DataFrame:
    return pl.DataFrame(schema=dict(meanings.types))


def _stored(name: str, dtype: pl.DataType, field: str, found: ColumnValues | None) -> Stored:
    if dtype != pl.String:
        return Stored(name, dtype, "number", field)
    if found is None or not found.complete or found.values.dtype != pl.String:
        return Stored(name, dtype, "text", field)
    return Stored(name, dtype, "label", field, found.values.drop_nulls().sort())


def _fields(column: Stored) -> list[tuple[Any, ...]]:
    if column.how == "text":
        return [(column.field, np.int32)]
    if column.labels is not None:
        sizes = ((np.uint8, 1 << 8), (np.uint16, 1 << 16), (np.uint32, 1 << 32))
        kind = next(kind for kind, size in sizes if len(column.labels) < size)
        return [(column.field, kind)]
    number = pl.Series([], dtype=column.dtype).to_physical().to_numpy().dtype
    return [(column.field, number), (f"{column.field}_null", np.bool_)]


def pack(
    frame: pl.DataFrame, layout: Layout, numbers: Mapping[str, NDArray[np.int64]] | None = None
) -> tuple[Records, dict[str, bytes]]:
    """Turn rows into records, and the bytes of longer texts."""
    records = np.zeros(frame.height, layout.record)
    for name in layout.numbers:
        records[name] = (numbers or {})[name]
    codes, sensitive = top_codes(frame, layout.meanings)
    if layout.meanings.quasi:
        records["codes"] = codes
    if layout.meanings.sensitive:
        records["sensitive"] = sensitive
    texts = {}
    for column in layout.stored:
        series = frame.get_column(column.name)
        if column.how == "text":
            records[column.field], texts[column.name] = _text_bytes(plain_text(series))
        elif column.labels is not None:
            records[column.field] = _label_numbers(series, column.labels)
        else:
            empty = series.is_null()
            records[f"{column.field}_null"] = empty.to_numpy()
            zero = series.to_physical().fill_null(strategy="zero")
            records[column.field] = zero.to_numpy()
    return records, texts


def _label_numbers(series: pl.Series, labels: pl.Series) -> NDArray[np.integer[Any]]:
    known = pl.Enum(labels)
    if not isinstance(series.dtype, pl.Enum):
        return (series.cast(known).to_physical().cast(pl.Int64) + 1).fill_null(0).to_numpy()
    own = series.dtype.categories.cast(known).to_physical().cast(pl.Int64) + 1
    return own.gather(series.to_physical()).fill_null(0).to_numpy()


def _text_bytes(series: pl.Series) -> tuple[NDArray[np.int32], bytes]:
    lengths = series.str.len_bytes().cast(pl.Int32).fill_null(_NULL).to_numpy()
    array = series.drop_nulls().to_arrow().cast(pa.large_string())
    return lengths, _content(array)


def _content(array: pa.LargeStringArray) -> bytes:
    if len(array) == 0:
        return b""
    offsets = np.frombuffer(array.buffers()[1], np.int64)[array.offset :][: len(array) + 1]
    return bytes(memoryview(array.buffers()[2])[offsets[0] : offsets[-1]])


def _texts(lengths: NDArray[np.int32], content: bytes) -> pl.Series:
    offsets = np.concatenate([[0], np.cumsum(np.maximum(lengths, 0), dtype=np.int64)])
    missing = lengths == _NULL
    valid = pa.py_buffer(np.packbits(~missing, bitorder="little").tobytes())
    buffers = [valid, pa.py_buffer(offsets.astype(np.int64).tobytes()), pa.py_buffer(content)]
    return pl.Series(pa.Array.from_buffers(pa.large_string(), len(lengths), buffers))


def split_texts(
    lengths: NDArray[np.int32], content: bytes, order: NDArray[np.int64], ends: Sequence[int]
) -> list[bytes]:
    """Bytes of texts in another order of rows, cut after some of them."""
    ordered = _texts(lengths, content).gather(order)
    parts, begin = [], 0
    for end in ends:
        parts.append(_text_bytes(ordered[begin:end])[1])
        begin = end
    return parts


def unpack(records: Records, texts: Mapping[str, bytes], layout: Layout) -> Piece:
    """Turn records of one piece into what the methods take."""
    kept = pl.DataFrame(columns_in(records, texts, layout))
    meanings = layout.meanings
    quasi, codes = [], []
    for place, meaning in enumerate(meanings.quasi):
        if meaning.span is None:
            quasi.append(meaning)
            codes.append(records["codes"][:, place])
        else:
            own, numbers = own_codes(meaning, kept.get_column(meaning.column.name))
            quasi.append(own)
            codes.append(numbers)
    encoded = EncodedTable(stack_codes(codes, len(records)), tuple(quasi))
    carried = [c.name for c in meanings.columns if c.role is not Role.QUASI]
    sensitive = _sensitive(records, kept, meanings)
    return Piece(encoded, sensitive, kept.select(carried), people_in(records))


def people_in(records: Records) -> PiecePeople | None:
    """Whose records are, where people may have several rows; -1 stands for who has one."""
    if PERSON not in (records.dtype.names or ()):
        return None
    numbers = np.ascontiguousarray(records[PERSON])
    return PiecePeople(numbers, numbers >= 0)


def columns_in(
    records: Records,
    texts: Mapping[str, bytes],
    layout: Layout,
    names: Collection[str] | None = None,
) -> list[pl.Series]:
    """Columns that records hold besides codes; all, or some of them."""
    some = (each for each in layout.stored if names is None or each.name in names)
    return [_column(each, records, texts) for each in some]


def _sensitive(records: Records, kept: pl.DataFrame, meanings: Meanings) -> NDArray[np.int32]:
    if not meanings.sensitive:
        return np.empty((len(records), 0), np.int32)
    if any(each.hashed for each in meanings.sensitive):
        return own_sensitive(kept, meanings)
    return np.ascontiguousarray(records["sensitive"])


def _column(column: Stored, records: Records, texts: Mapping[str, bytes]) -> pl.Series:
    values = records[column.field]
    if column.how == "text":
        return _texts(values, texts[column.name]).alias(column.name)
    if column.labels is not None:
        places = pl.Series(column.name, values.astype(np.int64) - 1)
        return column.labels.cast(pl.Enum(column.labels)).gather(places.set(places < 0, None))
    numbers = pl.Series(column.name, np.ascontiguousarray(values)).cast(column.dtype)
    missing = np.ascontiguousarray(records[f"{column.field}_null"])
    return numbers.set(pl.Series(missing), None) if missing.any() else numbers
