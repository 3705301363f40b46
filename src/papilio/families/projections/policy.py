"""What projections need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.data.roles import Role
from papilio.errors import Fault
from papilio.families.tables import one_source_faults

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def projection_faults(policy: Policy) -> list[Fault]:
    """Find what projections need and a policy for them lacks."""
    faults = [*one_source_faults(policy)]
    faults += [
        policy.fault(f"'{column.key}' is not an identifier in columns", "columns", name, "key")
        for name, column in policy.columns.items()
        if column.key is not None
        and (
            column.key not in policy.columns
            or policy.columns[column.key].role is not Role.IDENTIFIER
        )
    ]
    if not policy.with_role(Role.SENSITIVE):
        message = "projections are about sensitive columns, and no column is sensitive"
        faults.append(policy.fault(message, "method"))
    if policy.privacy.suppress:
        message = (
            "with suppress, list all values that may occur as the domain of the column: otherwise "
            "one that only a left-out person has would be published as a column"
        )
        faults += [
            policy.fault(message, "columns", name)
            for name, column in policy.columns.items()
            if column.values is not None and column.domain is None
        ]
    if policy.privacy.k is None:
        message = "projections need a k, so that every table promises something"
        faults.append(policy.fault(message, "privacy"))
    return faults
