"""Which method a policy would be published with, and why."""

from __future__ import annotations

from papilio.families import choose
from papilio.families.family import Choice
from papilio.policy.policy import Policy


def choice_of(policy: Policy, rows: int) -> Choice:
    """Method that a policy names, or that Papilio would choose for so many rows."""
    return choose(policy, rows)
