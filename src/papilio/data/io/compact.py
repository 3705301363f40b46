"""Thrift's compact protocol, in which Parquet writes its metadata, read from untrusted bytes.

Structs become dictionaries by field number. Nothing is skipped and nothing is guessed, so that the
caller can say which fields it accepts. What is read is never larger than the bytes it came from by
more than a constant factor, and no nesting is deeper than :data:`DEEPEST`.
"""

from __future__ import annotations

import struct
from typing import Any

#: How deep structs and lists may be nested; Parquet's own metadata needs eight levels.
DEEPEST = 16

_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_WHOLE = (_I16, _I32, _I64)
#: Bytes of the longest whole number of 64 bits.
_LONGEST = 10


class CompactError(ValueError):
    """The bytes are not what the compact protocol allows."""


class TooShortError(CompactError):
    """The bytes end before what they hold; with more of them it may be read."""


class Reader:
    """Reads one struct after the other from bytes.

    Attributes
    ----------
    place
        Where the next one begins.
    """

    def __init__(self, content: bytes, place: int = 0) -> None:
        self._content = content
        self.place = place

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Read a struct as its fields by number.

        Raises
        ------
        CompactError
            If it is not well formed, has a field twice, or is nested too deeply.
        """
        if depth > DEEPEST:
            raise CompactError("nested too deeply")
        fields: dict[int, Any] = {}
        number = 0
        while kind := self._byte():
            step = kind >> 4
            number = number + step if step else self._signed()
            if number in fields:
                raise CompactError("a field is there twice")
            fields[number] = self._field(kind & 15, depth)
        return fields

    def _field(self, kind: int, depth: int) -> Any:
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        return self._value(kind, depth)

    def _value(self, kind: int, depth: int) -> Any:
        if kind in _WHOLE:
            return self._signed()
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind == _LIST:
            return self._list(depth + 1)
        if kind in (_TRUE, _FALSE):
            return self._byte() == _TRUE
        if kind == _BYTE:
            return self._byte()
        if kind == _DOUBLE:
            return struct.unpack("<d", self._bytes(8))[0]
        # Parquet's metadata has neither sets nor maps.
        raise CompactError("a type that Parquet does not use")

    def _list(self, depth: int) -> list[Any]:
        if depth > DEEPEST:
            raise CompactError("nested too deeply")
        head = self._byte()
        length = head >> 4
        if length == 15:
            length = self._unsigned()
        if length > len(self._content) - self.place:
            raise TooShortError("the bytes end too early")
        return [self._value(head & 15, depth) for _ in range(length)]

    def _byte(self) -> int:
        try:
            byte = self._content[self.place]
        except IndexError:
            raise TooShortError("the bytes end too early") from None
        self.place += 1
        return byte

    def _bytes(self, length: int) -> bytes:
        start, self.place = self.place, self.place + length
        if self.place > len(self._content):
            raise TooShortError("the bytes end too early")
        return self._content[start : self.place]

    def _unsigned(self) -> int:
        number = 0
        for index in range(_LONGEST):
            byte = self._byte()
            number |= (byte & 127) << (7 * index)
            if byte < 128:
                return number
        raise CompactError("a number of more than 64 bits")

    def _signed(self) -> int:
        number = self._unsigned()
        return number >> 1 ^ -(number & 1)
