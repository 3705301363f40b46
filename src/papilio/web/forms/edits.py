"""Changes to a policy, as keys that get a value or go away, and where its columns stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Protocol, TypeVar

from papilio.data.table import Role

KeyPath = tuple[str, ...]


class _Absent(Enum):
    ABSENT = "absent"


#: Stands for a key that is not there; ``None`` is a value of YAML.
ABSENT: Final = _Absent.ABSENT


@dataclass(frozen=True)
class Edit:
    """One key of a policy and what becomes of it.

    Attributes
    ----------
    path
        Where the key stands, from the top.
    value
        What it shall say; :data:`ABSENT` takes the key away.
    """

    path: KeyPath
    value: Any = ABSENT


Edits = tuple[Edit, ...]


class Editable(Protocol):
    """What edits can be made on: a draft of a policy."""

    @property
    def tree(self) -> Mapping[str, Any]:
        """Its content."""

    def with_value(self: _Draft, path: KeyPath, value: Any) -> _Draft:
        """Give a key a value."""

    def without(self: _Draft, path: KeyPath) -> _Draft:
        """Take a key away."""


_Draft = TypeVar("_Draft", bound=Editable)
#: From so many edits on, whole top-level keys are written: each edit reads the text anew.
_MANY = 6


def on_draft(draft: _Draft, edits: Iterable[Edit]) -> _Draft:
    """Make the edits that change anything; all other text of the draft stays as it is.

    Many edits at once are made together, at the price of comments beside what they change.
    """
    tree = draft.tree
    needed = [each for each in edits if value_at(tree, each.path, ABSENT) != each.value]
    if len(needed) >= _MANY:
        needed = _together(tree, needed)
    for edit in needed:
        if edit.value is ABSENT:
            draft = draft.without(edit.path)
        else:
            draft = draft.with_value(edit.path, edit.value)
    return draft


def _together(tree: Mapping[str, Any], edits: Iterable[Edit]) -> list[Edit]:
    """One edit for each top-level key that the edits touch."""
    listed = list(edits)
    changed = on_tree(tree, listed)
    keys = dict.fromkeys(each.path[0] for each in listed)
    return [Edit((key,), changed.get(key, ABSENT)) for key in keys]


def value_at(tree: Any, path: KeyPath, default: Any = None) -> Any:
    """What a key says; ``default`` if it, or a mapping on the way, is not there."""
    for step in path:
        if not isinstance(tree, Mapping) or step not in tree:
            return default
        tree = tree[step]
    return tree


def mapping_at(tree: Any, path: KeyPath) -> Mapping[str, Any]:
    """Mapping under a key; an empty one if something else stands there."""
    found = value_at(tree, path)
    return found if isinstance(found, Mapping) else {}


def on_tree(tree: Mapping[str, Any], edits: Iterable[Edit]) -> dict[str, Any]:
    """Make the edits on the content of a policy; the given content is not changed."""
    changed = dict(tree)
    for edit in edits:
        changed = _changed(changed, edit.path, edit.value)
    return changed


def _changed(tree: Any, path: KeyPath, value: Any) -> dict[str, Any]:
    copy = dict(tree) if isinstance(tree, Mapping) else {}
    head, *rest = path
    if rest and (value is not ABSENT or isinstance(copy.get(head), Mapping)):
        copy[head] = _changed(copy.get(head), tuple(rest), value)
    elif value is ABSENT:
        if not rest:
            copy.pop(head, None)
    else:
        copy[head] = value
    return copy


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
