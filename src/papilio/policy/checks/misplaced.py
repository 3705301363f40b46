"""Keys that do not go with the family of a policy, which would be ignored otherwise."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from pydantic import BaseModel

from papilio.errors import Fault
from papilio.policy.column_policy import ColumnPolicy

if TYPE_CHECKING:
    from papilio.families.family import Family
    from papilio.policy.policy import Policy


def misplaced_keys(policy: Policy) -> list[Fault]:
    """Find every key that says something and that the family does not have."""
    from papilio.families import family_of

    family = family_of(policy)
    return [
        *_unknown_methods(policy),
        *_other_methods(policy, family),
        *_faults(policy, (), given_keys(policy), lambda each: _top(each, policy), family),
        *_faults(policy, ("privacy",), given_keys(policy.privacy), lambda e: e.demands, family),
        *_of_columns(policy, family),
    ]


def _top(family: Family, policy: Policy) -> frozenset[str]:
    """Top-level keys of this policy, or of any of another family."""
    return family.keys_of(policy) if family is policy.family else family.keys | family.divided


def _unknown_methods(policy: Policy) -> Iterator[Fault]:
    """Methods that no family has, and such that cannot be built on."""
    from papilio.families import building_methods, method_names

    known = {"method": method_names(), **building_methods()}
    for key, names in known.items():
        named = getattr(policy, key)
        if named is not None and named not in names:
            close = difflib.get_close_matches(named, names, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            yield policy.fault(f"not accepted{hint} (accepted: {', '.join(names)})", key)


def _other_methods(policy: Policy, family: Family) -> Iterator[Fault]:
    """A method of another family than the one that the rest of the policy asks for."""
    from papilio.families import family_named

    other = family_named(policy.method)
    if other is not None and other is not family:
        *first, last = (method.name for method in family.methods)
        names = f"{', '.join(first)} or {last}" if first else last
        needs = f"give the key {other.data}, or name {names}" if other.data else f"name {names}"
        message = (
            f"the method {policy.method} is for {other.called}, and this policy is about "
            f"{family.called_by(policy)}; {needs}, or none"
        )
        yield policy.fault(message, "method")


def given_keys(model: BaseModel) -> list[str]:
    """Keys of a part of a policy that say something else than nothing."""
    return [
        key
        for key, field in type(model).model_fields.items()
        if getattr(model, key) not in (None, (), {}, field.get_default())
    ]


def _of_columns(policy: Policy, family: Family) -> Iterator[Fault]:
    tables: dict[tuple[str, ...], dict[str, ColumnPolicy]] = {("columns",): policy.columns}
    tables |= {("tables", name, "columns"): each.columns for name, each in policy.tables.items()}
    for path, columns in tables.items():
        for name, column in columns.items():
            role = column.role

            def keys_of(each: Family) -> frozenset[str]:
                return each.columns.get(role, frozenset({"role"}))  # noqa: B023 - used at once

            yield from _faults(policy, (*path, name), given_keys(column), keys_of, family)


def _faults(
    policy: Policy,
    path: tuple[str, ...],
    given: Iterable[str],
    keys_of: Callable[[Family], frozenset[str]],
    family: Family,
) -> Iterator[Fault]:
    from papilio.families import families

    accepted = keys_of(family)
    for key in given:
        if key not in accepted:
            owners = [each.called for each in families() if key in keys_of(each)]
            message = (
                f"does not go with {family.called_by(policy)}, where {_listed(accepted)} are "
                f"accepted; it goes with {' or '.join(owners) or 'a column of another role'}"
            )
            yield policy.fault(message, *path, key)


def _listed(keys: frozenset[str]) -> str:
    *first, last = sorted(keys)
    return f"{', '.join(first)} and {last}" if first else last
