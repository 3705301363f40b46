"""Whether what a Parquet file says about its values is true.

Readers skip rows by it, and databases answer ``min``, ``max`` and ``count`` from it. Papilio writes
none; what others wrote is recomputed from the values, which costs one pass over the file.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from papilio.errors import RefusedError
from papilio.release.parquet.footer import (
    BOOLEAN,
    BYTES,
    DOUBLE,
    FLOAT,
    INT32,
    INT64,
    Chunk,
    Footer,
    Struct,
    accept,
    members,
)
from papilio.release.parquet.pages import page_places, read_struct

_UNTRUE = "says untrue things about its values"
#: Fields of statistics: those of old writers first.
_LARGEST, _SMALLEST, _NULLS = (1, 5), (2, 6), 3
_LARGEST_IS_EXACT, _SMALLEST_IS_EXACT = 7, 8
#: Field that Parquet does not have: the page holds NULL only.
_EMPTY = -1
_FORMS = {BOOLEAN: "<?", INT32: "<i", INT64: "<q", FLOAT: "<f", DOUBLE: "<d"}


def check_statistics(file: int, footer: Footer) -> None:
    """Compare what is said about values with the values, one column of a row group at a time.

    Parameters
    ----------
    file
        Descriptor of the file, whose pages were checked.
    footer
        What it says of itself.

    Raises
    ------
    RefusedError
        If something untrue is said, or a column cannot be read.
    """
    texts = [leaf.name for leaf in footer.columns if leaf.type == BYTES]
    with os.fdopen(os.dup(file), "rb") as stream:
        try:
            # Texts are kept once each, however often they occur.
            opened = pq.ParquetFile(stream, read_dictionary=texts)
            for number, group in enumerate(footer.chunks):
                for place, chunk in enumerate(group):
                    if chunk.statistics or chunk.summaries:
                        values = opened.read_row_group(number, [footer.columns[place].name])
                        _check_chunk(file, chunk, footer.columns[place].type, values.column(0))
        except (pa.ArrowException, OSError):
            raise RefusedError("cannot be read to its end") from None


def _check_chunk(file: int, chunk: Chunk, kind: int, values: pa.ChunkedArray) -> None:
    for first, rows, said in _sayings(file, chunk):
        _compare(said, kind, values.slice(first, rows))


def _sayings(file: int, chunk: Chunk) -> Iterator[tuple[int, int, Struct]]:
    """First row, number of rows, and what is said about them: of the chunk and of its pages."""
    if chunk.statistics:
        yield 0, chunk.values, chunk.statistics
    if chunk.summaries is None:
        return
    said = accept("column index", read_struct(file, chunk.summaries))
    if chunk.places is None:
        raise RefusedError("does not say where its pages lie")
    firsts = [first for _, _, first in page_places(file, chunk.places)]
    lists = [members(said, number) for number in (1, 2, 3, 5)]
    if any(len(found) != len(firsts) for found in (lists if 5 in said else lists[:3])):
        raise RefusedError(_UNTRUE)
    if said.get(4) and len(firsts) > 1:
        raise RefusedError("says how its pages are sorted")
    for place, (first, end) in enumerate(zip(firsts, [*firsts[1:], chunk.values], strict=True)):
        yield first, end - first, _of_page(place, *lists)


def _of_page(
    place: int, empty: list[Any], smallest: list[Any], largest: list[Any], nulls: list[Any]
) -> Struct:
    """What an index says about a page, in the words of statistics; bounds may be cut off."""
    said: dict[int, Any] = {_NULLS: nulls[place]} if nulls else {}
    if empty[place]:
        return {**said, _EMPTY: True}
    inexact = {_SMALLEST_IS_EXACT: False, _LARGEST_IS_EXACT: False}
    return {**said, **inexact, _SMALLEST[1]: smallest[place], _LARGEST[1]: largest[place]}


def _compare(said: Struct, kind: int, values: pa.ChunkedArray) -> None:
    if _NULLS in said and said[_NULLS] != values.null_count:
        raise RefusedError(_UNTRUE)
    if said.get(_EMPTY) and values.null_count != len(values):
        raise RefusedError(_UNTRUE)
    smallest, largest = _ends(values)
    for fields, end, exact, below in (
        (_SMALLEST, smallest, _SMALLEST_IS_EXACT, True),
        (_LARGEST, largest, _LARGEST_IS_EXACT, False),
    ):
        for told in (_decoded(said[field], kind) for field in fields if field in said):
            bounds = end is not None and (told <= end if below else told >= end)
            # Long texts are cut off, often without a word about it.
            loose = kind == BYTES or said.get(exact) is False
            if not bounds or (told != end and not loose):
                raise RefusedError(_UNTRUE)


def _ends(values: pa.ChunkedArray) -> tuple[Any, Any]:
    """Smallest and largest value as Parquet holds them; ``None`` if there is none."""
    if isinstance(values.type, pa.DictionaryType):
        used = [part.dictionary.take(pc.unique(part.indices.drop_null())) for part in values.chunks]
        values = pa.chunked_array(
            [part.cast(pa.large_binary()) for part in used], pa.large_binary()
        )
    elif pa.types.is_date(values.type):
        values = values.cast(pa.int32())
    elif pa.types.is_timestamp(values.type) or pa.types.is_time(values.type):
        values = values.cast(pa.int64())
    found = pc.min_max(values)
    return found["min"].as_py(), found["max"].as_py()


def _decoded(told: Any, kind: int) -> Any:
    """Read a value of statistics."""
    if not isinstance(told, bytes):
        raise RefusedError(_UNTRUE)
    if kind == BYTES:
        return told
    try:
        return struct.unpack(_FORMS[kind], told)[0]
    except struct.error:
        raise RefusedError(_UNTRUE) from None
