"""What to change in a policy about classes of rows, so that an attack finds nothing any more.

Each function is given whom an attack exposes, and the policy, and says what to write instead; it
says nothing where no key of the policy closes what was found. The changes always make a policy that
is accepted; whether the data can meet it is seen when it is published.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from papilio.data.table import Role
from papilio.policy.recipients import EVERY
from papilio.policy.remedy import Remedy

if TYPE_CHECKING:
    from papilio.attack.result import Exposed
    from papilio.policy.edit import KeyPath
    from papilio.policy.policy import Policy

#: The k for a policy that has none.
_K = 5


def for_classes(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Demand larger classes, or more values in each of them."""
    if exposed.column is not None:
        return diverse(exposed.column, policy)
    if (policy.privacy.k or 1) >= 2:
        return None
    change = (("privacy", "k"), _K)
    return Remedy(
        (change,), f"Everybody then shares their quasi-identifiers with at least {_K - 1} others."
    )


def diverse(column: str, policy: Policy) -> Remedy | None:
    """Demand two values of a column in each class, if that is not demanded already."""
    if column not in policy.with_role(Role.SENSITIVE) or _values(column, policy) >= 2:
        return None
    said = policy.privacy.l.get(column, ())
    others = [each for each in said if each.distinct is None]
    value: Any = [2, *others] if others else 2
    return Remedy(
        ((("privacy", "l", column), value),),
        f"Every class then has at least 2 different values of {column}, so that none gives it "
        "away.",
    )


def _values(column: str, policy: Policy) -> int:
    """Different values of a column that are demanded of each class."""
    every = (*policy.privacy.l.get(column, ()), *policy.privacy.l.get(EVERY, ()))
    return max((each.distinct for each in every if each.distinct is not None), default=1)


def for_dependencies(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Generalise the column that follows from what is known, or that says it."""
    through = exposed.through
    if through is None or policy.columns[through].role is not Role.PLAIN:
        return None
    changes: list[tuple[KeyPath, Any]] = [(("columns", through, "role"), Role.QUASI.value)]
    changes += [
        (("recipients", name), (*known, through)) for name, known in policy.recipients.items()
    ]
    return Remedy(
        tuple(changes),
        f"{through} is then generalised like what people know, and says no more than that.",
    )


def for_joins(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Publish sensitive columns in separate tables."""
    del exposed
    if policy.recipients or policy.person is not None or policy.privacy.k is None:
        return None
    own: list[tuple[KeyPath, Any]] = [(("method",), "projections")]
    if policy.method not in (None, "auto", "projections"):
        own.append((("generalise",), policy.method))
    return Remedy(
        (*own, (("privacy", "exposure"), 0)),
        "Sensitive columns that say something of each other are then published in separate tables.",
    )
