"""What can be met instead of what cannot, as a change of the policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from papilio.web.draft import Draft
from papilio.web.jobs.messages import Failure

_NUMBER = r"(\d+(?:\.\d+)?)"


@dataclass(frozen=True)
class Nearest:
    """A change that would do.

    Attributes
    ----------
    words
        What it sets, such as ``k = 3``.
    draft
        The policy with it.
    """

    words: str
    draft: Draft


def nearest(failure: Failure, draft: Draft) -> Nearest | None:
    """Find the change that the message of a failure names; ``None`` if it names none."""
    for pattern, make in _FORMS:
        match = re.search(pattern, failure.message)
        if match is not None:
            return make(match, draft, failure.message)
    return None


def _value(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def _plain(key: str) -> Callable[[re.Match[str], Draft, str], Nearest]:
    def make(match: re.Match[str], draft: Draft, message: str) -> Nearest:
        del message
        found: Any = match[1] if key == "suppress" else _value(match[1])
        return Nearest(f"{key} = {found}", draft.with_value(("privacy", key), found))

    return make


def _letter(match: re.Match[str], draft: Draft, message: str) -> Nearest:
    del message
    found = int(match[2])
    return Nearest(f"{match[1]} = {found}", draft.with_value(("privacy", match[1]), found))


def _k_and_e(match: re.Match[str], draft: Draft, message: str) -> Nearest:
    del message
    found = {}
    for key, text in (("k", match[1]), ("e", match[2])):
        now = draft.get(("privacy", key))
        if isinstance(now, int | float) and now > float(text):
            found[key] = _value(text)
    for key, number in found.items():
        draft = draft.with_value(("privacy", key), number)
    return Nearest(", ".join(f"{key} = {number}" for key, number in found.items()), draft)


def _diversity(match: re.Match[str], draft: Draft, message: str) -> Nearest | None:
    found = _value(match[2])
    column = re.match(r"column '(.*?)': ", message)
    now = draft.get(("privacy", "l"))
    if column is None:
        return None
    said: Any = {"entropy": found} if match[1] else found
    if isinstance(now, dict):
        before = now.get(column[1])
        if isinstance(before, dict) and "recursive" in before:
            said = {"recursive": [before["recursive"][0], found]}
        path: tuple[str, ...] = ("privacy", "l", column[1])
    else:
        path = ("privacy", "l")
    return Nearest(f"l of {column[1]} = {found}", draft.with_value(path, said))


def _recursive(match: re.Match[str], draft: Draft, message: str) -> Nearest | None:
    column = re.match(r"column '(.*?)': .* l = (\d+) cannot", message)
    if column is None:
        return None
    found = _value(match[1])
    said = {"recursive": [found, int(column[2])]}
    one = isinstance(draft.get(("privacy", "l")), dict)
    path = ("privacy", "l", column[1]) if one else ("privacy", "l")
    return Nearest(f"c of {column[1]} = {found}", draft.with_value(path, said))


_FORMS: tuple[tuple[str, Callable[[re.Match[str], Draft, str], Nearest | None]], ...] = (
    (rf"a k of at most {_NUMBER} and an e of at most {_NUMBER} are accepted", _k_and_e),
    (rf"a k of at most {_NUMBER} is accepted", _plain("k")),
    (rf"an (entropy )?l of at most {_NUMBER} is accepted", _diversity),
    (rf"with this l, a c of at least {_NUMBER} is accepted", _recursive),
    (rf"classes of up to {_NUMBER} rows can be met", _plain("k")),
    (rf"the largest (k|l) that was found to work is {_NUMBER}", _letter),
    (r"a suppress of (\d+%) is met", _plain("suppress")),
    (rf"an association_loss of {_NUMBER} is accepted", _plain("association_loss")),
)
