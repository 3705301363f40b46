"""The role a column plays in a release."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What a column is.

    ``identifier`` never leaves, ``quasi`` may be known to a recipient and is generalised,
    ``sensitive`` must not be learnt about a person, ``plain`` is published as it is.
    """

    IDENTIFIER = "identifier"
    QUASI = "quasi"
    SENSITIVE = "sensitive"
    PLAIN = "plain"
