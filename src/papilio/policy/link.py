"""The ``link:`` key of a policy about one table: rows of a person kept together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.errors import Fault
from papilio.policy.checks.names import alike_names, colliding_names
from papilio.policy.checks.options import missing_roles
from papilio.policy.person import person_faults

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def link_faults(policy: Policy) -> Iterator[Fault]:
    """Find what is wrong with roles and names of a policy whose one table is taken apart."""
    key = policy.person_column
    if key is None:
        message = (
            "rows are kept together by the column that says whose row it is; name it, as in "
            "person: patient_id"
        )
        yield policy.fault(message, "link")
    else:
        yield from _taken_names(policy, key)
    for check in (missing_roles, colliding_names, alike_names, person_faults):
        yield from check(policy)


def _taken_names(policy: Policy, key: str) -> Iterator[Fault]:
    """Columns that would be published under the name of the key, which both tables have."""
    for name in policy.published:
        own = (name, *(f"{name}_{suffix}" for suffix in ("min", "max", "null")))
        names = own if name in policy.quasi else (name,)
        if name != key and key.casefold() in (each.casefold() for each in names):
            message = f"it may be published as '{key}', which the key of both tables is called"
            yield policy.fault(f"{message}; rename one of them in the source", "columns", name)
