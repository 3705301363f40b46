"""Columns that must be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.errors import Fault

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def missing_roles(policy: Policy) -> list[Fault]:
    """Find that no column is a quasi-identifier."""
    if policy.quasi:
        return []
    return [policy.fault("no column is quasi; give at least one column this role", "columns")]
