"""Where in a policy columns stand: under one table, each of several, or the sides of a graph."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from papilio.data.roles import Role
from papilio.web.forms.edits import KeyPath, mapping_at, value_at

_ALL_ROLES = tuple(Role)
_OF_ENTITIES = (Role.IDENTIFIER, Role.PLAIN)


@dataclass(frozen=True)
class Place:
    """A table of a policy.

    Attributes
    ----------
    title
        Its name for a page; empty for the only one.
    path
        Where its keys stand.
    source
        What the policy says of where the rows are, if anything.
    roles
        Roles its columns may have.
    keys
        Columns that are keys or references, which have no role.
    """

    title: str
    path: KeyPath
    source: Any
    roles: tuple[str, ...]
    keys: tuple[str, ...] = ()

    @property
    def columns(self) -> KeyPath:
        """Where its columns stand."""
        return (*self.path, "columns")

    def column(self, name: str) -> KeyPath:
        """Where one of its columns stands."""
        return (*self.columns, name)

    def in_page(self, name: str) -> str:
        """Name of a column that can stand in an attribute of a page; each has one of its own."""
        return "-".join(_letters(part) for part in (*self.path, name))


def places(tree: Mapping[str, Any]) -> tuple[Place, ...]:
    """List the tables of a policy that have columns, in its order."""
    if isinstance(tree.get("graph"), Mapping):
        return tuple(_side(tree, side) for side in ("left", "right"))
    if isinstance(tree.get("tables"), Mapping):
        return tuple(_table(tree, name) for name in tree["tables"])
    return (Place("", (), tree.get("source"), _ALL_ROLES),)


def _side(tree: Mapping[str, Any], side: str) -> Place:
    path = ("graph", side)
    key = value_at(tree, (*path, "key"))
    keys = (key,) if isinstance(key, str) else ()
    return Place(f"{side} entities", path, value_at(tree, (*path, "source")), _OF_ENTITIES, keys)


def _table(tree: Mapping[str, Any], name: str) -> Place:
    path = ("tables", name)
    key = value_at(tree, (*path, "key"))
    references = mapping_at(tree, (*path, "parent")).values()
    keys = tuple(dict.fromkeys(each for each in (key, *references) if isinstance(each, str)))
    return Place(name, path, value_at(tree, (*path, "source")), _ALL_ROLES, keys)


def _letters(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", lambda sign: f"_{ord(sign[0]):x}_", text)
