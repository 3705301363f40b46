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
    if policy.graph is not None:
        return Choice("grouping", "it is the method for bipartite graphs")
    if policy.tables:
        return Choice("miracle", "it is the method for people with linked tables")
    if policy.recipients:
        return Choice("butterfly", "of the methods for several recipients it loses least")
    if policy.privacy.target:
        return Choice("disguise", "the policy names a target distribution")
    if policy.privacy.e is not None:
        return Choice("permutation", "e is about groups of permuted values")
    if policy.privacy.association_loss is not None or policy.privacy.exposure is not None:
        return Choice("projections", "the policy limits what sensitive columns say of each other")
    if any(column.values is not None for column in policy.columns.values()):
        return Choice("projections", "a column holds several values per person")
    if policy.privacy.suppress:
        return Choice("incognito", "the policy allows rows to be left out, which only it does")
    if policy.metric == "height":
        return Choice("incognito", "the policy chooses by height, which only it does")
    if policy.metric is not None or policy.objective is not None:
        return Choice("hybrid", "the policy has an option of it")
    if rows > _MANY_ROWS:
        return Choice("mondrian", f"fast on {rows:,} rows, of which even small classes lose little")
    return Choice("hybrid", "of the fast methods it loses least")
