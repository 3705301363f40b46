"""What of a disguise cannot be planned from counts, and so not by engines that only count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.errors import Fault

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def refused(policy: Policy, engine: str, instead: str) -> Iterator[Fault]:
    """Options that need all rows in one place.

    Parameters
    ----------
    policy
        The order.
    engine
        ``"pieces"`` or ``"spark"``.
    instead
        How to do without the engine that counts, such as ``use local``.
    """
    ((name, target),) = policy.privacy.target.items()
    if engine == "pieces":
        message = (
            "that a disguise has the target of the policy is verified beside the original, which "
            f"has to be in memory for that; {instead}, or use the engine spark"
        )
        yield policy.fault(message, "privacy", "target", name)
        return
    if policy.privacy.personal is not None and target.mode == "per-class":
        message = (
            "personal levels in every class cannot be planned from counts; "
            f"{instead}, or mode: whole"
        )
        yield policy.fault(message, "privacy", "target", name, "mode")
