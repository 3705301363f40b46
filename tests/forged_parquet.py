"""Parquet files whose footers lie: no library writes them, so they are patched by hand.

A footer is read into fields with their types, changed, and written back in Thrift's compact
protocol.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)

#: A struct: field number -> (type, value); a list: (type of its members, members).
Fields = dict[int, tuple[int, Any]]


class _Reading:
    def __init__(self, content: bytes) -> None:
        self.content, self.place = content, 0

    def take(self, length: int) -> bytes:
        start, self.place = self.place, self.place + length
        return self.content[start : self.place]

    def unsigned(self) -> int:
        number = shift = 0
        while True:
            byte = self.take(1)[0]
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def signed(self) -> int:
        number = self.unsigned()
        return number >> 1 ^ -(number & 1)

    def fields(self) -> Fields:
        found: Fields = {}
        number = 0
        while head := self.take(1)[0]:
            number = number + (head >> 4) if head >> 4 else self.signed()
            kind = head & 15
            found[number] = (kind, None if kind in (TRUE, FALSE) else self.value(kind))
        return found

    def value(self, kind: int) -> Any:
        if kind in (I16, I32, I64):
            return self.signed()
        if kind == BINARY:
            return self.take(self.unsigned())
        if kind == STRUCT:
            return self.fields()
        if kind == LIST:
            head = self.take(1)[0]
            length = head >> 4 if head >> 4 < 15 else self.unsigned()
            return head & 15, [self.value(head & 15) for _ in range(length)]
        return self.take({BYTE: 1, TRUE: 1, FALSE: 1, DOUBLE: 8}[kind])


def _unsigned(number: int) -> bytes:
    written = b""
    while number > 127:
        written += bytes([number & 127 | 128])
        number >>= 7
    return written + bytes([number])


def _signed(number: int) -> bytes:
    return _unsigned((number << 1 ^ number >> 63) & (1 << 64) - 1)


def _value(kind: int, value: Any) -> bytes:
    if kind in (I16, I32, I64):
        return _signed(value)
    if kind == BINARY:
        return _unsigned(len(value)) + value
    if kind == STRUCT:
        return written(value)
    if kind == LIST:
        inner, entries = value
        head = bytes([min(len(entries), 15) << 4 | inner])
        head += _unsigned(len(entries)) if len(entries) >= 15 else b""
        return head + b"".join(_value(inner, entry) for entry in entries)
    return value or b""


def written(fields: Fields) -> bytes:
    """Write a struct; field numbers in full, so that any order will do."""
    content = b"".join(
        bytes([kind]) + _signed(number) + _value(kind, value)
        for number, (kind, value) in fields.items()
    )
    return content + b"\0"


def read_footer(path: Path) -> tuple[bytes, Fields]:
    """Everything before the footer, and the footer."""
    content = Path(path).read_bytes()
    length = int.from_bytes(content[-8:-4], "little")
    return content[: -8 - length], _Reading(content[-8 - length : -8]).fields()


def write_footer(path: Path, before: bytes, footer: Fields) -> None:
    """Put a file together again."""
    content = written(footer)
    Path(path).write_bytes(before + content + len(content).to_bytes(4, "little") + b"PAR1")


def forge(path: Path, change: Callable[[Fields], None]) -> None:
    """Change the footer of a file."""
    before, footer = read_footer(path)
    change(footer)
    write_footer(path, before, footer)


def groups_of(footer: Fields) -> list[Fields]:
    """Row groups of a footer."""
    return footer[4][1][1]


def columns_of(footer: Fields) -> list[Fields]:
    """Chunks of all columns of all row groups."""
    return [chunk for group in groups_of(footer) for chunk in group[1][1][1]]


def metadata_of(chunk: Fields) -> Fields:
    """What a chunk says of itself."""
    return chunk[3][1]


def say(chunk: Fields, smallest: bytes, largest: bytes, nulls: int = 0, **more: int) -> None:
    """Make a chunk say something about its values."""
    said: Fields = {
        3: (I64, nulls),
        5: (BINARY, largest),
        6: (BINARY, smallest),
    }
    if "distinct" in more:
        said[4] = (I64, more["distinct"])
    metadata_of(chunk)[12] = (STRUCT, said)


def whole(number: int) -> bytes:
    """Write a number of 64 bits as statistics do."""
    return struct.pack("<q", number)
