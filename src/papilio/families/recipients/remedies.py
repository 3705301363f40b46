"""Changes of a policy that stop what recipients would learn of others, or together."""

from __future__ import annotations

from typing import Any

from papilio.attack.result import Exposed
from papilio.families.recipients.policy import UNION
from papilio.policy.policy import Policy
from papilio.policy.recipient_policy import least_together
from papilio.policy.remedy import Remedy

#: Values that stay possible, and rows that stay alike: with one more than one nobody is certain.
_LEAST = 2


def keep_secret(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Keep a column from every recipient who does not know it, as far as that is not said yet."""
    column = exposed.column
    if not exposed.people or column is None:
        return None
    known = policy.known
    open_to = [
        name
        for name, said in policy.recipients.items()
        if column not in known[name] and column not in said.secret
    ]
    if not open_to:
        return None
    changes = tuple((("recipients", name), _keeping(policy, name, column)) for name in open_to)
    why = (
        f"In every class of {' and '.join(open_to)} at least {_LEAST} different values of {column} "
        "then stay possible, at the price of wider cells."
    )
    return Remedy(changes, why)


def _keeping(policy: Policy, name: str, column: str) -> dict[str, Any]:
    """A recipient as the policy has them, with one more column to be kept from them."""
    said = policy.recipients[name]
    written = said.model_dump(mode="json", exclude_unset=True, exclude_defaults=True)
    written.setdefault("knows" if said.file is None else "file", [])
    return {**written, "secret": {**written.get("secret", {}), column: {"l": _LEAST}}}


def no_collusion(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Demand a class size for all recipients together, or classes on all columns for a value."""
    if not exposed.people or len(policy.recipients) < 2:
        return None
    if exposed.column is not None:
        return _diverse_together(exposed.column, policy)
    said = policy.privacy.collusion
    least = max(_LEAST, least_together(policy) or 1)
    path = ("privacy", "collusion_k") if said is None else ("privacy", "collusion", "all")
    why = (
        f"Even if recipients put together what they know, at least {least} rows then fit everybody."
    )
    return Remedy(((path, least),), why)


def _diverse_together(column: str, policy: Policy) -> Remedy | None:
    demanded = any(
        getattr(each, "column", None) == column and hasattr(each, "l")
        for each in policy.requirements
    )
    if demanded and policy.method == UNION:
        return None
    changes: tuple[tuple[tuple[str, ...], Any], ...] = ((("method",), UNION),)
    if not demanded:
        changes += ((("privacy", "l", column), _LEAST),)
    why = (
        f"With {UNION} rows are alike on all columns, so the different values of {column} in each "
        "class also hold against recipients who put together what they know."
    )
    return Remedy(changes, why)
