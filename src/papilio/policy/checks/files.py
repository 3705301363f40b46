"""Files that a policy names although it may not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from papilio.data.io.confine import confined
from papilio.data.source import is_address
from papilio.errors import DataError, Fault

if TYPE_CHECKING:
    from papilio.policy.policy import Policy

#: Keys whose values are names of files, wherever they stand in a policy.
_NAMES = ("file", "database")

KeyPath = tuple[str, ...]


def files_elsewhere(policy: Policy) -> Iterator[Fault]:
    """Faults for names that lead out of the policy's folder and what the owner allows.

    Files that an SQL statement names, files of a folder and links are looked at when they are
    read, since they may be others by then.
    """
    if policy.allowed is None:
        return
    for path, name in _names(policy, ()):
        try:
            confined(name, policy.base, policy.allowed)
        except DataError as error:
            yield policy.fault(str(error), *path)


def _names(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(value, BaseModel):
        value = {name: getattr(value, name) for name in type(value).model_fields}
        own = [(key, value[key]) for key in _NAMES if isinstance(value.get(key), str)]
        yield from (((*path, key), name) for key, name in own if not is_address(name))
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _names(inner, (*path, str(key)))
