"""From a policy and what is known of its original to the promise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from papilio.release.manifest import Manifest
from papilio.verify.promise.generalised import promise_generalised
from papilio.verify.promise.graph import promise_graph
from papilio.verify.promise.linked import promise_linked
from papilio.verify.promise.permuted import promise_disguised, promise_permuted
from papilio.verify.promise.projected import promise_projected
from papilio.verify.promise.promise import Facts, Promise

if TYPE_CHECKING:
    from papilio.policy.policy import Policy

#: Kind of release -> how its promise is derived.
PROMISES: Mapping[str, Callable[[Policy, Facts, Manifest], Promise]] = {
    "generalised": promise_generalised,
    "projected": promise_projected,
    "permuted": promise_permuted,
    "disguised": promise_disguised,
    "linked": promise_linked,
    "graph": promise_graph,
}


def promise_of(policy: Policy, facts: Facts, manifest: Manifest) -> Promise:
    """Derive what a release must have and claim.

    Parameters
    ----------
    policy
        The order.
    facts
        What is known of the original.
    manifest
        The manifest in question. It is asked only for what a policy leaves to the method and what
        cannot weaken a promise: which sensitive columns of projections go together, and how a table
        is called that came as a frame without a name.
    """
    return PROMISES[kind_of(policy)](policy, facts, manifest)


def kind_of(policy: Policy) -> str:
    """Kind of release that a policy orders."""
    if policy.graph is not None:
        return "graph"
    if policy.tables:
        return "linked"
    if policy.privacy.target:
        return "disguised"
    if policy.method in (None, "auto"):
        return _chosen(policy)
    return {"permutation": "permuted", "projections": "projected"}.get(
        policy.method or "", "generalised"
    )


def _chosen(policy: Policy) -> str:
    """Kind of release if the policy leaves the method open."""
    if policy.recipients:
        return "generalised"
    if policy.privacy.e is not None:
        return "permuted"
    limited = policy.privacy.association_loss is not None or policy.privacy.exposure is not None
    several = any(column.values is not None for column in policy.columns.values())
    return "projected" if limited or several else "generalised"
