"""Names that can be shown: on a terminal, in a message of one line, on a page."""

from __future__ import annotations

from papilio.errors import shown


def can_be_shown(name: str) -> bool:
    """Whether a name is not empty and has no character that would do something when printed."""
    return bool(name) and shown(name) == name
