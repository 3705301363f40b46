"""Options that the method does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.errors import Fault

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def misplaced_options(policy: Policy) -> list[Fault]:
    """Options that the method does not have would be ignored silently otherwise."""
    method = policy.generalise or policy.method or "auto"
    faults = []
    if policy.objective is not None and method not in ("auto", "hybrid"):
        faults.append(policy.fault("only the method hybrid has an objective", "objective"))
    if policy.metric is not None and method not in ("auto", "hybrid", "incognito"):
        message = "only the methods hybrid and incognito have a metric"
        faults.append(policy.fault(message, "metric"))
    if policy.metric == "height" and method not in ("auto", "incognito"):
        faults.append(policy.fault("only incognito chooses by height", "metric"))
    if policy.privacy.suppress and method not in ("auto", "incognito"):
        message = "only the method incognito leaves rows out"
        faults.append(policy.fault(message, "privacy", "suppress"))
    if policy.improve is not None and (method == "incognito" or policy.privacy.suppress):
        message = "incognito keeps one level per column, so its classes cannot be improved"
        faults.append(policy.fault(message, "improve"))
    return faults
