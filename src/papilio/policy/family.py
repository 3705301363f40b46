"""The seven families of releases, and which one a policy orders."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


class Family(StrEnum):
    """A kind of release with requirements of its own."""

    ONE_TABLE = "one-table"
    RECIPIENTS = "recipients"
    PROJECTIONS = "projections"
    PERMUTATION = "permutation"
    DISGUISE = "disguise"
    LINKED = "linked"
    GRAPH = "graph"


#: Method -> the family it makes releases of. The table or the graph decides before the method.
FAMILY_OF_METHOD = {
    "mondrian": Family.ONE_TABLE,
    "relaxed-mondrian": Family.ONE_TABLE,
    "bottom-up": Family.ONE_TABLE,
    "hybrid": Family.ONE_TABLE,
    "incognito": Family.ONE_TABLE,
    "union": Family.RECIPIENTS,
    "butterfly": Family.RECIPIENTS,
    "projections": Family.PROJECTIONS,
    "permutation": Family.PERMUTATION,
    "disguise": Family.DISGUISE,
}


def family_of(policy: Policy) -> Family:
    """Say what a policy orders: by its data, else by its method, else by what it demands."""
    if policy.graph is not None:
        return Family.GRAPH
    if policy.tables:
        return Family.LINKED
    named = FAMILY_OF_METHOD.get(policy.method or "")
    # With recipients or a target, a method for one table is the mistake.
    other = named is Family.ONE_TABLE and (policy.recipients or policy.privacy.target)
    return _by_demands(policy) if named is None or other else named


def _by_demands(policy: Policy) -> Family:
    privacy = policy.privacy
    if policy.recipients:
        return Family.RECIPIENTS
    if privacy.target:
        return Family.DISGUISE
    if privacy.e is not None:
        return Family.PERMUTATION
    limited = privacy.association_loss is not None or privacy.exposure is not None
    if limited or any(column.values is not None for column in policy.columns.values()):
        return Family.PROJECTIONS
    return Family.ONE_TABLE
