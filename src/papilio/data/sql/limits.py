"""How much memory and time an SQL source may take."""

from __future__ import annotations

import os
from dataclasses import dataclass

from papilio.errors import DataError

#: Environment variables that change the limits of a query that is run.
MEMORY = "PAPILIO_SQL_MEMORY"
SECONDS = "PAPILIO_SQL_SECONDS"

_HOUR = 3600
_GIB = 1 << 30


@dataclass(frozen=True)
class Limits:
    """Limits of one child.

    Attributes
    ----------
    memory
        Bytes that DuckDB may use; the process as a whole may use some more.
    seconds
        After this time it is ended.
    """

    memory: int
    seconds: float


def looking() -> Limits:
    """Limits of a text that is parsed and bound but not run: little memory and a minute."""
    return Limits(_GIB // 2, min(60, running().seconds))


def running(memory: int | None = None) -> Limits:
    """Limits of a query that is run: half of the machine's memory and an hour, unless set.

    Parameters
    ----------
    memory
        Bytes, where the caller has planned the memory.

    Raises
    ------
    DataError
        If a variable that sets them is not a number above 0.
    """
    half = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    gib = _number(MEMORY, "a number of GiB")
    seconds = _number(SECONDS, "a number of seconds")
    chosen = memory or (half if gib is None else int(gib * _GIB))
    return Limits(chosen, _HOUR if seconds is None else seconds)


def _number(variable: str, accepted: str) -> float | None:
    text = os.environ.get(variable)
    if text is None:
        return None
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise DataError(f"{variable} must be {accepted} above 0", reason="bad-setting")
    return number
