"""Names of columns: what a header may be, and which of its columns to load."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Collection, Sequence

from papilio.errors import DataError


def check_names(names: Sequence[str], where: str) -> tuple[str, ...]:
    """Refuse blank and duplicate names.

    Parameters
    ----------
    names
        Names in the order of the source.
    where
        The source, for the message.
    """
    for place, name in enumerate(names, start=1):
        if not name.strip():
            raise DataError(
                f"{where}: column {place} has no name; every column needs one",
                reason="blank-column",
            )
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(
            f"{where}: more than one column is named {_quoted(twice)}; names must differ",
            reason="duplicate-column",
        )
    return tuple(names)


def choose_columns(
    names: Sequence[str], wanted: Collection[str] | None, where: str
) -> tuple[str, ...]:
    """Names to load, in the order of the source; all of them if ``wanted`` is ``None``.

    Raises
    ------
    DataError
        If a wanted column is not there, or none is wanted.
    """
    if wanted is None:
        return tuple(names)
    unknown = sorted(set(wanted) - set(names))
    if unknown:
        hints = [_hint(name, names) for name in unknown]
        raise DataError(
            f"{where}: no column {', '.join(hints)}; columns are {_quoted(names)}",
            reason="unknown-column",
        )
    if not wanted:
        raise DataError(f"{where}: no column is asked for", reason="no-columns")
    return tuple(name for name in names if name in wanted)


def _hint(name: str, names: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1)
    return f"{name!r} (did you mean {close[0]!r}?)" if close else repr(name)


def _quoted(names: Sequence[str], most: int = 30) -> str:
    listed = ", ".join(map(repr, names[:most]))
    return f"{listed}, …" if len(names) > most else listed
