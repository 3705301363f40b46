"""Pick a method for a policy and say why."""

from __future__ import annotations

from dataclasses import dataclass

from papilio.policy.policy import Policy


@dataclass(frozen=True)
class Choice:
    """A method and the reason for it, in a sentence."""

    method: str
    why: str


def choose(policy: Policy) -> Choice:
    """Take the method the policy names, or the one that fits it best."""
    if policy.method is not None:
        return Choice(policy.method, "the policy names it")
    return Choice(
        "mondrian", "one table, one recipient, k-anonymity: fast, and classes do not overlap"
    )
