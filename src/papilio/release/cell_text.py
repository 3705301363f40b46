"""How generalised cells are written: JSON lists for sets, and readable text for ``cells: text``.

================  =======================  ==============================
cell              ``cells: bounds``        ``cells: text``
================  =======================  ==============================
one number        ``30`` and ``30``        ``30``
a range           ``30`` and ``40``        ``[30, 40]``
a range or NULL   and ``true``             ``[30, 40] or NULL``
a set             ``["a","b, c"]``         ``{a, "b, c"}``
a set with NULL   ``[null,"a"]``           ``{NULL, a}``
only NULL         NULL (a range), ``[null]``  NULL (a range), ``{NULL}``
================  =======================  ==============================
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import polars as pl

#: In readable sets, values with one of these are quoted as JSON, so that they cannot be misread.
_QUOTED = set(',{}"')


def range_text(smallest: pl.Series, largest: pl.Series, may_be_null: pl.Series) -> pl.Series:
    """Readable ranges; NULL where only NULL is possible."""
    frame = pl.DataFrame(
        {
            "low": smallest.cast(pl.String),
            "high": largest.cast(pl.String),
            "null": may_be_null,
        }
    )
    low, high = pl.col("low"), pl.col("high")
    bounds = pl.when(low == high).then(low).otherwise(pl.format("[{}, {}]", low, high))
    text = pl.when(pl.col("null")).then(pl.format("{} or NULL", bounds)).otherwise(bounds)
    return frame.select(text.alias(smallest.name)).to_series()


def set_json(values: Sequence[str | bool | None]) -> str:
    """A set as a sorted JSON list without blanks; NULL comes first."""
    return json.dumps(_sorted(values), ensure_ascii=False, separators=(",", ":"))


def set_text(values: Sequence[str | bool | None]) -> str:
    """Write a set for a human reader."""
    return "{" + ", ".join(_readable(value) for value in _sorted(values)) + "}"


def _sorted(values: Sequence[str | bool | None]) -> list[str | bool | None]:
    known: list[Any] = [value for value in values if value is not None]
    return [None] * (len(values) - len(known)) + sorted(known)


def _readable(value: str | bool | None) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    unclear = value in ("", "NULL") or value != value.strip() or _QUOTED & set(value)
    return json.dumps(value, ensure_ascii=False) if unclear else value
