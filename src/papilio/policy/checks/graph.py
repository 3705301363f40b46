"""What does not go with a graph, and what a graph needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.data.roles import Role
from papilio.errors import Fault
from papilio.policy.graph_policy import EntitiesPolicy
from papilio.policy.privacy_policy import EVERY

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def graph_faults(policy: Policy) -> list[Fault]:
    """Find what does not fit between ``graph`` and the other keys."""
    if policy.graph is None:
        if policy.method != "grouping":
            return []
        return [policy.fault("grouping is for graphs; give the key graph", "method")]
    faults = _sizes(policy)
    for side, entities in (("left", policy.graph.left), ("right", policy.graph.right)):
        faults += _columns(policy, side, entities)
    if policy.method not in (None, "auto", "grouping"):
        faults.append(policy.fault("a graph is published by grouping", "method"))
    return faults


def _sizes(policy: Policy) -> list[Fault]:
    """Both k and l as bare numbers, and not both 1."""
    faults = []
    if policy.privacy.k is None:
        message = "a graph needs k, the least size of a group of left nodes; 1 hides none of them"
        faults.append(policy.fault(message, "privacy"))
    if bare_l(policy) is None:
        message = (
            "a graph needs l as a bare number, the least size of a group of right nodes; 1 hides "
            "none of them"
        )
        where = ("privacy", "l") if policy.privacy.l else ("privacy",)
        faults.append(policy.fault(message, *where))
    if policy.privacy.k == 1 and bare_l(policy) == 1:
        message = "k and l are both 1, which would publish every link; raise one of them"
        faults.append(policy.fault(message, "privacy"))
    return faults


def bare_l(policy: Policy) -> int | None:
    """The bare number of ``privacy.l``, if that is what it is."""
    said = policy.privacy.l.get(EVERY, ())
    return said[0].distinct if len(policy.privacy.l) == 1 == len(said) else None


def _columns(policy: Policy, side: str, entities: EntitiesPolicy) -> list[Fault]:
    faults, seen = [], {"group": "group"}
    for name, column in entities.columns.items():
        message = _column_fault(name, column.role, entities.key, seen)
        if message is not None:
            faults.append(policy.fault(message, "graph", side, "columns", name))
    return faults


def _column_fault(name: str, role: Role, key: str, seen: dict[str, str]) -> str | None:
    if role is Role.IDENTIFIER:
        return None
    if name == key:
        return "the key is never published; leave it out"
    other = seen.setdefault(name.casefold(), name)
    if name.casefold() == "group":
        return "a published column is called group already; rename this one in the source"
    if other != name:
        return f"differs from '{other}' in letter case only; rename one of them"
    return None
