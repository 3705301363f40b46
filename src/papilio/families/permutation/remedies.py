"""Changes of a policy for permutation that stop somebody who learns something of its releases.

``open_identity`` has none: that rows are found is what this family leaves open, and it exposes
nobody. Who must not be found belongs in a family that generalises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from papilio.policy.edit import KeyPath
from papilio.policy.remedy import Remedy

if TYPE_CHECKING:
    from papilio.attack.result import Exposed
    from papilio.policy.policy import Policy

#: Width and share of the window that a policy which names none is advised to have.
_NEAR = {"width": "5%", "at_most": "50%"}


def no_frequent_value(found: Exposed, policy: Policy) -> Remedy | None:
    """No value may be too frequent in a group: a window of no width holds just one value."""
    near = policy.privacy.near
    if not found.people or near is not None:
        return None
    demanded = {"width": 0, "at_most": "50%"}
    why = f"At most half of the values of {found.column} in a group are then alike."
    return _remedy({"near": demanded}, policy, why)


def more_values(found: Exposed, policy: Policy) -> Remedy | None:
    """One value is enough only for k = 1; two are never certain, unless one is NULL."""
    if not found.people or (policy.privacy.k or 1) > 1:
        return None
    why = f"Every group then has at least 2 different values of {found.column}."
    return Remedy(((("privacy", "k"), 2),), why)


def no_near_guess(found: Exposed, policy: Policy) -> Remedy | None:
    """Limit what a window may hold; a limit that is demanded already holds."""
    if not found.people or policy.privacy.near is not None:
        return None
    why = (
        f"No window of a twentieth of the range of {found.column} then holds more than half of the "
        "values of a group."
    )
    return _remedy({"near": dict(_NEAR)}, policy, why)


def one_known_row(found: Exposed, policy: Policy) -> Remedy | None:
    """Demand that a group outlasts one learnt row."""
    if not found.people or policy.privacy.known:
        return None
    why = f"k and e then still hold for everybody else when any one {found.column} is known."
    changes: dict[str, Any] = {"known": 1}
    if policy.privacy.k == 1 and policy.privacy.e == 0:
        changes["k"] = 2
    return _remedy(changes, policy, why)


def _remedy(demands: dict[str, Any], policy: Policy, why: str) -> Remedy:
    """Demands under ``privacy``; goals that do not go with them are taken away."""
    changes: list[tuple[KeyPath, Any]] = [(("privacy", key), demands[key]) for key in demands]
    if policy.minimise in ("random", "max-exact"):
        changes.append((("minimise",), None))
    return Remedy(tuple(changes), why)
