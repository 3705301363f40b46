"""What only projections have, and what they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.data.roles import Role
from papilio.errors import Fault

if TYPE_CHECKING:
    from papilio.policy.column_policy import ColumnPolicy
    from papilio.policy.policy import Policy

_ONLY = "only the method projections has this"


def misplaced_projections(policy: Policy) -> list[Fault]:
    """Find keys of projections without the method, and a method without what it needs."""
    if not _projects(policy):
        return _without_method(policy)
    faults = [
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
    if policy.privacy.k is None:
        message = "projections need a k, so that every table promises something"
        faults.append(policy.fault(message, "privacy"))
    if policy.recipients:
        message = "projections are for one recipient who may know all quasi-identifiers"
        faults.append(policy.fault(message, "recipients"))
    return faults


def projections_elsewhere(policy: Policy) -> list[Fault]:
    """Find keys of projections in a policy for linked tables or a graph."""
    faults = []
    if policy.privacy.generalisation_loss is not None:
        faults.append(policy.fault(_ONLY, "privacy", "generalisation_loss"))
    for table, said in policy.tables.items():
        for name, column in said.columns.items():
            faults += [
                policy.fault(_ONLY, "tables", table, "columns", name, k) for k in _of(column)
            ]
    return faults


def _of(column: ColumnPolicy) -> list[str]:
    """Keys of projections that a column has."""
    said = {"values": column.values is not None, "harmless": bool(column.harmless)}
    return [key for key, given in said.items() if given]


def _projects(policy: Policy) -> bool:
    """Whether the method is projections, or will be chosen."""
    if policy.method not in (None, "auto"):
        return policy.method == "projections"
    limited = policy.privacy.association_loss is not None or policy.privacy.exposure is not None
    several = any(column.values is not None for column in policy.columns.values())
    return (limited or several) and not policy.recipients and policy.privacy.e is None


def _without_method(policy: Policy) -> list[Fault]:
    privacy = policy.privacy
    limits = {
        "association_loss": privacy.association_loss,
        "exposure": privacy.exposure,
        "generalisation_loss": privacy.generalisation_loss,
    }
    faults = [
        policy.fault(_ONLY, "privacy", key) for key, said in limits.items() if said is not None
    ]
    if policy.plan is not None:
        faults.append(policy.fault(_ONLY, "plan"))
    for name, column in policy.columns.items():
        faults += [policy.fault(_ONLY, "columns", name, key) for key in _of(column)]
    return faults
