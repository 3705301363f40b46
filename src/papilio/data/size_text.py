"""Sizes as people write them: ``8GiB``, ``500MB``, ``1.5 GiB``."""

from __future__ import annotations

import re

_UNITS = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 1 << 10,
    "mib": 1 << 20,
    "gib": 1 << 30,
    "tib": 1 << 40,
}
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)\s*", re.IGNORECASE)


def bytes_of(text: str) -> int | None:
    """Read a size in bytes; ``None`` if it is not one.

    Without a unit it is a number of bytes; ``MB`` is a million of them and ``MiB`` is 1 048 576.
    """
    match = _SIZE.fullmatch(text)
    if match is None or match[2].lower() not in _UNITS:
        return None
    return int(float(match[1]) * _UNITS[match[2].lower()])
