"""What of permutation cannot be planned from counts, and so not by engines that only count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.errors import Fault
from papilio.privacy.ke_anonymity import KeAnonymity

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def refused(policy: Policy, engine: str, instead: str) -> Iterator[Fault]:  # noqa: ARG001
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
    if policy.minimise == "random":
        message = (
            "random divides rows one after the other, which cannot be planned from counts; "
            f"{instead}, or sum, max, max-exact or groups"
        )
        yield policy.fault(message, "minimise")
    trivial = any(
        isinstance(each, KeAnonymity) and each.k == 1 and each.exact_e == 0
        for each in policy.requirements
    )
    if policy.minimise == "groups" and trivial:
        message = f"with k = 1 and e = 0 every row would be a group; {instead}, or a larger k or e"
        yield policy.fault(message, "minimise")
