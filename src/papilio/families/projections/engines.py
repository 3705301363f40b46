"""What of projections cannot be planned from counts, and so not by engines that only count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.errors import Fault

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def refused(policy: Policy, engine: str, instead: str) -> Iterator[Fault]:
    """Options that need all rows in one place, or a run for every attempt.

    Parameters
    ----------
    policy
        The order.
    engine
        ``"pieces"`` or ``"spark"``.
    instead
        How to do without the engine that counts, such as ``use local``.
    """
    from papilio.policy.several import several_columns

    if engine == "pieces":
        message = (
            "that projections keep within association_loss and exposure is verified beside the "
            f"original, which has to be in memory for that; {instead}, or use the engine spark"
        )
        yield policy.fault(message, "method")
        return
    for name in several_columns(policy):
        message = f"columns with several values need the whole table in memory; {instead}"
        yield policy.fault(message, "columns", name, "values")
    if policy.privacy.generalisation_loss is not None:
        message = (
            "a limit on generalisation needs a table for every plan that is tried, which is too "
            f"slow on Spark; {instead}, or limit association_loss or exposure alone"
        )
        yield policy.fault(message, "privacy", "generalisation_loss")
