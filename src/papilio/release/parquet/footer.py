"""The footer of a released Parquet file: its columns and where their pages lie.

A reader believes what a file says of itself: where values can be found, what the smallest is,
whether one occurs at all, in which file the column lies. So only fields are accepted that are
needed to read the rows, or that can be compared with them. Numbers of fields are those of
``parquet.thrift``.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from papilio.data.io.unpacked import CompactError, Reader
from papilio.data.wording import can_be_shown
from papilio.errors import RefusedError

Struct: TypeAlias = Mapping[int, Any]
#: Text of fields that are refused, by struct; fields of neither table are unknown.
_REFUSED: Mapping[str, Mapping[int, str]] = {
    "file": {8: "is encrypted", 9: "is encrypted"},
    "row group": {4: "says how its rows are sorted"},
    "chunk": {
        1: "takes columns from another file",
        8: "is encrypted",
        9: "is encrypted",
    },
    "column": {
        8: "carries metadata besides its columns",
        10: "carries indexes of an unknown kind",
        14: "carries Bloom filters",
        15: "carries Bloom filters",
        17: "carries statistics of places",
    },
    "statistics": {4: "says how many different values it has"},
}
_ACCEPTED: Mapping[str, frozenset[int]] = {
    "file": frozenset(range(1, 8)),
    "element": frozenset(range(1, 11)),
    "row group": frozenset((1, 2, 3, 5, 6, 7)),
    "chunk": frozenset(range(2, 8)),
    # 16 counts bytes and levels, by which nothing is looked up.
    "column": frozenset((1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 16)),
    "statistics": frozenset((1, 2, 3, 5, 6, 7, 8)),
    "key": frozenset((1, 2)),
    "page": frozenset((1, 2, 3, 4, 5, 7, 8)),
    "data page": frozenset((1, 2, 3, 4, 5)),
    "data page 2": frozenset(range(1, 9)),
    "dictionary": frozenset((1, 2, 3)),
    "offset index": frozenset((1, 2)),
    "location": frozenset((1, 2, 3)),
    "column index": frozenset((1, 2, 3, 4, 5)),
}


def accept(kind: str, fields: Any) -> Struct:
    """Give the fields of a struct of a kind if all of them are accepted.

    Raises
    ------
    RefusedError
        If one is not.
    """
    if not isinstance(fields, dict):
        raise RefusedError("has metadata that are not Parquet's")
    for number in fields.keys() - _ACCEPTED[kind]:
        raise RefusedError(_REFUSED.get(kind, {}).get(number, "has metadata that are unknown here"))
    return fields


def whole(fields: Struct, number: int) -> int:
    """Give a whole number that is not negative."""
    found = fields.get(number)
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise RefusedError("has metadata that are not Parquet's")
    return found


def members(fields: Struct, number: int) -> list[Any]:
    """Give a list; an empty one if there is none."""
    found = fields.get(number, [])
    if not isinstance(found, list):
        raise RefusedError("has metadata that are not Parquet's")
    return found


def words(found: Any) -> str:
    """Give a text."""
    if not isinstance(found, bytes):
        raise RefusedError("has metadata that are not Parquet's")
    try:
        return found.decode("utf-8")
    except UnicodeDecodeError:
        raise RefusedError("has names that are not UTF-8") from None


#: Largest footer that is read, in bytes; one of a thousand columns takes about 100 KiB.
LARGEST_FOOTER = 8 << 20
#: Most columns of a table.
MOST_COLUMNS = 10_000
#: Parquet's numbers of the types that released columns have.
BOOLEAN, INT32, INT64, FLOAT, DOUBLE, BYTES = 0, 1, 2, 4, 5, 6
TYPES = (BOOLEAN, INT32, INT64, FLOAT, DOUBLE, BYTES)
_MAGIC = b"PAR1"
#: Who says to have written a file; more than name and version would be a place for other words.
_WRITERS = re.compile(
    r"(Polars( \(\w+\))?|parquet-cpp-arrow|parquet-rs|DuckDB|parquet-mr|Papilio)"
    r"( version v?[\d.]{1,20}(-SNAPSHOT)?)?( \(build [\w-]{1,40}\))?"
)
_SCHEMA = "ARROW:schema"


@dataclass(frozen=True)
class Leaf:
    """A column: its name, Parquet's number of its type, and whether a value may be missing."""

    name: str
    type: int
    optional: bool


@dataclass(frozen=True)
class Chunk:
    """The part of a column that lies in one row group.

    Attributes
    ----------
    values
        How many, NULL included.
    start, size
        Where its pages lie.
    unpacked
        Bytes they say to take when unpacked.
    statistics
        What is said about its values; nothing if empty.
    places, summaries
        Where there is said where its pages lie, and what is said about the values of each: first
        byte and length, or ``None``.
    """

    values: int
    start: int
    size: int
    unpacked: int
    statistics: Struct
    places: tuple[int, int] | None
    summaries: tuple[int, int] | None


@dataclass(frozen=True)
class Footer:
    """What a Parquet file says of itself.

    Attributes
    ----------
    columns
        Its columns.
    rows
        Number of rows of each row group.
    chunks
        For each row group, the chunk of each column.
    """

    columns: tuple[Leaf, ...]
    rows: tuple[int, ...]
    chunks: tuple[tuple[Chunk, ...], ...]

    @property
    def has_statistics(self) -> bool:
        """Whether anything is said about values."""
        return any(c.statistics or c.summaries for group in self.chunks for c in group)


def read_footer(file: int, size: int) -> Footer:
    """Read the footer of an open file.

    Parameters
    ----------
    file
        Its descriptor.
    size
        Its length in bytes.

    Raises
    ------
    RefusedError
        If it is not a Parquet file, or says something of itself that a release must not.
    """
    end = os.pread(file, 8, size - 8) if size >= 12 else b""
    length = int.from_bytes(end[:4], "little")
    if end[4:] != _MAGIC or os.pread(file, 4, 0) != _MAGIC or length > size - 12:
        raise RefusedError("is not a Parquet file")
    if length > LARGEST_FOOTER:
        raise RefusedError(f"has metadata of more than {LARGEST_FOOTER >> 20} MiB")
    try:
        said = Reader(os.pread(file, length, size - 8 - length)).struct()
    except CompactError:
        raise RefusedError("has metadata that are not Parquet's") from None
    return _footer(accept("file", said), size - 8 - length)


def _footer(said: Struct, end: int) -> Footer:
    columns = _columns(members(said, 2))
    _check_writer(said)
    _check_keys(members(said, 5), columns)
    groups = [accept("row group", group) for group in members(said, 4)]
    rows = tuple(whole(group, 3) for group in groups)
    if sum(rows) != whole(said, 3):
        raise RefusedError("has another number of rows than it says")
    return Footer(columns, rows, tuple(_chunks(group, columns, end) for group in groups))


def _columns(elements: list[Any]) -> tuple[Leaf, ...]:
    """Columns of a schema that has no other level than its root."""
    if len(elements) > MOST_COLUMNS + 1:
        raise RefusedError(f"has more than {MOST_COLUMNS} columns")
    accepted = [accept("element", element) for element in elements]
    if not accepted or accepted[0].get(5) != len(accepted) - 1:
        raise RefusedError("has columns within columns")
    leaves = tuple(_leaf(element) for element in accepted[1:])
    if len({leaf.name for leaf in leaves}) != len(leaves):
        raise RefusedError("has two columns of one name")
    return leaves


def _leaf(element: Struct) -> Leaf:
    # Repetition 2 is a list in every row; the others are required and optional.
    if element.get(5) or element.get(3) not in (0, 1):
        raise RefusedError("has columns within columns")
    name = words(element.get(4))
    if not can_be_shown(name):
        raise RefusedError("has a column name with characters that cannot be printed")
    if whole(element, 1) not in TYPES:
        raise RefusedError("has columns of a type that releases do not have")
    return Leaf(name, whole(element, 1), element[3] == 1)


def _check_writer(said: Struct) -> None:
    if 6 in said and not _WRITERS.fullmatch(words(said[6])):
        raise RefusedError("says more of its writer than name and version")


def _check_keys(entries: list[Any], columns: tuple[Leaf, ...]) -> None:
    """Refuse metadata of others: they may name sources, people, or anything."""
    for entry in entries:
        key = accept("key", entry)
        if words(key.get(1)) != _SCHEMA or len(entries) > 1:
            raise RefusedError("carries metadata besides its columns")
        if not _only_columns(key.get(2), columns):
            raise RefusedError("carries metadata besides its columns")


def _only_columns(schema: Any, columns: tuple[Leaf, ...]) -> bool:
    """Whether Arrow's description has the names of the columns and no word more."""
    import pyarrow as pa
    from pyarrow import ipc

    try:
        read = ipc.read_schema(pa.py_buffer(base64.b64decode(words(schema), validate=True)))
    except (pa.ArrowException, binascii.Error, OSError, ValueError):
        return False
    plain = read.metadata is None and all(field.metadata is None for field in read)
    return plain and read.names == [leaf.name for leaf in columns]


def _chunks(group: Struct, columns: tuple[Leaf, ...], end: int) -> tuple[Chunk, ...]:
    found = [accept("chunk", chunk) for chunk in members(group, 1)]
    if len(found) != len(columns):
        raise RefusedError("has another number of columns than it says")
    return tuple(
        _chunk(chunk, leaf, whole(group, 3), end)
        for chunk, leaf in zip(found, columns, strict=True)
    )


def _chunk(chunk: Struct, leaf: Leaf, rows: int, end: int) -> Chunk:
    said = accept("column", chunk.get(3))
    path = [words(name) for name in members(said, 3)]
    if path != [leaf.name] or whole(said, 1) != leaf.type or whole(said, 5) != rows:
        raise RefusedError("has another number of values than of rows")
    start = whole(said, 11) if said.get(11) else whole(said, 9)
    size = whole(said, 7)
    if start < len(_MAGIC) or start + size > end:
        raise RefusedError("has pages outside of itself")
    statistics = accept("statistics", said[12]) if 12 in said else {}
    places, summaries = (_region(chunk, number, end) for number in (4, 6))
    return Chunk(rows, start, size, whole(said, 6), statistics, places, summaries)


def _region(chunk: Struct, number: int, end: int) -> tuple[int, int] | None:
    """Where an index of a chunk lies, if there is one."""
    if number not in chunk and number + 1 not in chunk:
        return None
    start, length = whole(chunk, number), whole(chunk, number + 1)
    if start + length > end or length > LARGEST_FOOTER:
        raise RefusedError("has pages outside of itself")
    return start, length
