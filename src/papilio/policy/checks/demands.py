"""Demands on columns that do not fit them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.data.roles import Role
from papilio.errors import Fault
from papilio.policy.privacy_policy import EVERY
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.privacy.t_closeness import TCloseness

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def misplaced_demands(policy: Policy) -> list[Fault]:
    """Find demands on columns that are not there, not sensitive, or lack what is needed."""
    faults = _about_nothing(policy)
    for each in policy.requirements:
        if isinstance(each, KAnonymity | KeAnonymity):
            continue
        key = "t" if isinstance(each, TCloseness) else "l"
        column = policy.columns.get(each.column)
        if column is None:
            message = f"columns has no '{each.column}'; name a sensitive column"
        elif column.role is not Role.SENSITIVE:
            message = (
                f"the column is {column.role}, not sensitive; {key} is about sensitive columns"
            )
        elif each.parameters().get("distance") == "hierarchical" and column.hierarchy is None:
            message = "the hierarchical distance needs a hierarchy on the column"
        else:
            continue
        faults.append(policy.fault(message, "privacy", key, each.column))
    return faults


def _about_nothing(policy: Policy) -> list[Fault]:
    """A bare number is about every sensitive column; without one it would demand nothing."""
    if policy.with_role(Role.SENSITIVE):
        return []
    bare = (("l", EVERY in policy.privacy.l), ("t", EVERY in policy.privacy.t))
    return [
        policy.fault(
            f"{key} is about sensitive columns, and no column is sensitive", "privacy", key
        )
        for key, given in bare
        if given
    ]
