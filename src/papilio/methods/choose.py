"""Pick a method for a policy and say why."""

from __future__ import annotations

from dataclasses import dataclass

from papilio.policy.policy import Policy

#: Above this many rows, speed counts for more than the last bit of loss.
_MANY_ROWS = 1_000_000


@dataclass(frozen=True)
class Choice:
    """A method and the reason for it, in a sentence."""

    method: str
    why: str


def choose(policy: Policy, rows: int) -> Choice:
    """Take the method the policy names, or the one that fits it and the size of the table best."""
    if policy.method not in (None, "auto"):
        return Choice(policy.method, "the policy names it")
    if policy.privacy.suppress:
        return Choice("incognito", "the policy allows rows to be left out, which only it does")
    if rows > _MANY_ROWS:
        return Choice("mondrian", f"fast on {rows:,} rows, of which even small classes lose little")
    return Choice("hybrid", "of the fast methods it loses least")
