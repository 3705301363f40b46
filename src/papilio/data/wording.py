"""How names, sizes and missing values are written in messages."""

from __future__ import annotations

import re

from papilio.errors import shown


def can_be_shown(name: str) -> bool:
    """Whether a name is not empty and has no character that would do something when printed."""
    return bool(name) and shown(name) == name


#: A number and at most one word, and nothing after them.
_SIZE = re.compile(r"\s*[0-9]+(\.[0-9]+)?\s*[a-z]*\s*", re.IGNORECASE)


def bytes_of(text: str) -> int | None:
    """Read a size in bytes; ``None`` if it is not one.

    Without a unit it is a number of bytes; ``MB`` is a million of them and ``MiB`` is 1 048 576.
    """
    from pydantic import ByteSize, TypeAdapter, ValidationError

    # Pydantic takes the beginning of a text for all of it.
    if _SIZE.fullmatch(text) is None:
        return None
    try:
        return int(TypeAdapter(ByteSize).validate_python(text))
    except ValidationError:
        return None


def size_text(size: int) -> str:
    """Write a size in bytes for people, such as ``1.5 GiB``."""
    from pydantic import ByteSize

    return ByteSize(size).human_readable(separator=" ")
