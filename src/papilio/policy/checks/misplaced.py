"""Keys that do not go with the family of a policy, which would be ignored otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from pydantic import BaseModel

from papilio.errors import Fault
from papilio.policy.allowed import ALLOWED, Allowed
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.family import family_of

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def misplaced_keys(policy: Policy) -> list[Fault]:
    """Find every key that says something and that the family does not have."""
    allowed = ALLOWED[family_of(policy)]
    return [
        *_faults(policy, (), given_keys(policy), lambda each: each.keys, allowed),
        *_faults(policy, ("privacy",), given_keys(policy.privacy), lambda e: e.demands, allowed),
        *_of_columns(policy, allowed),
    ]


def given_keys(model: BaseModel) -> list[str]:
    """Keys of a part of a policy that say something else than nothing."""
    return [
        key
        for key, field in type(model).model_fields.items()
        if getattr(model, key) not in (None, (), {}, field.get_default())
    ]


def _of_columns(policy: Policy, allowed: Allowed) -> Iterator[Fault]:
    tables: dict[tuple[str, ...], dict[str, ColumnPolicy]] = {("columns",): policy.columns}
    tables |= {("tables", name, "columns"): each.columns for name, each in policy.tables.items()}
    for path, columns in tables.items():
        for name, column in columns.items():
            role = column.role

            def keys_of(each: Allowed) -> frozenset[str]:
                return each.columns.get(role, frozenset({"role"}))  # noqa: B023 - used at once

            yield from _faults(policy, (*path, name), given_keys(column), keys_of, allowed)


def _faults(
    policy: Policy,
    path: tuple[str, ...],
    given: Iterable[str],
    keys_of: Callable[[Allowed], frozenset[str]],
    allowed: Allowed,
) -> Iterator[Fault]:
    accepted = keys_of(allowed)
    for key in given:
        if key not in accepted:
            owners = [each.name for each in ALLOWED.values() if key in keys_of(each)]
            message = (
                f"does not go with {allowed.name}, where {_listed(accepted)} are accepted; "
                f"it goes with {' or '.join(owners) or 'a column of another role'}"
            )
            yield policy.fault(message, *path, key)


def _listed(keys: frozenset[str]) -> str:
    *first, last = sorted(keys)
    return f"{', '.join(first)} and {last}" if first else last
