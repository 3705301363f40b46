"""What a rule of rewriting gives: SQL for the bounds of one aggregate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: SQL's NULL, for what is not known.
UNKNOWN = "NULL"


@dataclass(frozen=True)
class Rewriting:
    """SQL for the bounds of one aggregate.

    Attributes
    ----------
    lo, hi, estimate, std
        Expressions over the relation ``b``, one row per group, and over ``parts``.
    count_lo
        How many values are surely aggregated, if that may be none although there are rows: then
        the answer may be NULL. ``None`` if it cannot be.
    pieces
        Columns that ``b`` must have: name -> aggregate over the matched rows or groups.
    relations
        Further relations of the ``WITH`` clause: name -> query.
    parts
        Further relations with one row per group, joined with ``b``: name -> query.
    """

    lo: str
    hi: str
    estimate: str = UNKNOWN
    std: str = UNKNOWN
    count_lo: str | None = None
    pieces: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
