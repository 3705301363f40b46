"""Quoting for SQL; every name and text that enters a statement passes through here."""

from __future__ import annotations

from collections.abc import Iterable


def name(identifier: str) -> str:
    """Quote an identifier."""
    return '"' + identifier.replace('"', '""') + '"'


def names(identifiers: Iterable[str]) -> str:
    """Quote identifiers, with commas between them."""
    return ", ".join(map(name, identifiers))


def text(value: str) -> str:
    """Quote a string."""
    return "'" + value.replace("'", "''") + "'"
