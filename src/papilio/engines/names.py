"""Quoting for SQL; every name and text that enters a statement passes through here."""

from __future__ import annotations


def quoted(name: str) -> str:
    """Quote an identifier."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """Quote a string."""
    return "'" + value.replace("'", "''") + "'"
