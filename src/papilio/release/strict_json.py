"""JSON of a stranger, read so that every reader of it reads the same.

Ordinary readers let the last of two equal keys win, or the first, and take words for numbers that
JSON does not have.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

#: How deep lists and objects may be nested; a manifest needs seven levels.
DEEPEST = 16
#: Most digits of a whole number.
MOST_DIGITS = 40


def read_json(text: str) -> Any:
    """Read JSON.

    Raises
    ------
    ValueError
        If it is not JSON, has a key twice, a number that no double or no 40 digits can hold, half
        a character, or is nested deeper than :data:`DEEPEST`.
    """
    try:
        content = json.loads(
            text,
            object_pairs_hook=_once,
            parse_constant=_refused,
            parse_float=_finite,
            parse_int=_short,
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    _check_depth(content, DEEPEST)
    # Half characters are JSON, but no text.
    json.dumps(content, ensure_ascii=False).encode("utf-8")
    return content


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _refused(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("too large a number")
    return number


def _short(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("too long a number")
    return int(digits)


def _check_depth(content: Any, left: int) -> None:
    if left < 0:
        raise ValueError("nested too deeply")
    below = content.values() if isinstance(content, dict) else content
    if isinstance(content, dict | list):
        for each in below:
            _check_depth(each, left - 1)
