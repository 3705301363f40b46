"""What may stand in the metadata of a released Parquet file; everything else is refused.

A reader believes what a file says of itself: where values can be found, what the smallest is,
whether one occurs at all, in which file the column lies. So only fields are accepted that are
needed to read the rows, or that can be compared with them. Numbers of fields are those of
``parquet.thrift``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from papilio.release.refused import RefusedError

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
