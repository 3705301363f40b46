"""What to change in a policy for several recipients, so that they learn nothing of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from papilio.families.generalising.remedies import diverse
from papilio.families.recipients.policy import UNION
from papilio.policy.remedy import Remedy

if TYPE_CHECKING:
    from papilio.attack.result import Exposed
    from papilio.policy.edit import KeyPath
    from papilio.policy.policy import Policy


def for_coalitions(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Demand rows, or values, of what all recipients know together."""
    if exposed.column is None:
        least = max(policy.privacy.collusion_k or 1, 1) + 1
        if least > (policy.privacy.k or least):
            return None
        return Remedy(
            ((("privacy", "collusion_k"), least),),
            "Whoever puts together what all recipients know is then left with at least "
            f"{least} rows for everybody.",
        )
    needed = diverse(exposed.column, policy)
    together = _together(policy)
    changes = (*(() if needed is None else needed.changes), *together)
    if not changes:
        return None
    return Remedy(
        changes,
        "Classes over what all recipients know together then have at least 2 different values of "
        f"{exposed.column}.",
    )


def for_others(exposed: Exposed, policy: Policy) -> Remedy | None:
    """Form classes over what all recipients know together."""
    changes = _together(policy)
    if not changes:
        return None
    return Remedy(
        changes,
        f"{exposed.column} is then generalised in the same classes as what a recipient knows, of "
        "at least k rows, instead of beside it.",
    )


def _together(policy: Policy) -> tuple[tuple[KeyPath, Any], ...]:
    """Changes that make one division for all recipients; none if there is one already."""
    if policy.method == UNION:
        return ()
    wings = () if policy.wings is None else ((("wings",), None),)
    return ((("method",), UNION), *wings)
