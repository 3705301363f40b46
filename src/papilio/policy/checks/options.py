"""Options that the method does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.errors import Fault
from papilio.policy.family import Family, family_of

if TYPE_CHECKING:
    from papilio.policy.policy import Policy

_LOCAL = ("mondrian", "relaxed-mondrian", "bottom-up", "hybrid")
#: Option -> generalising methods that have it, and what is said of the others.
_OPTIONS = {
    ("objective",): (("hybrid",), "only the method hybrid has an objective"),
    ("metric",): (("hybrid", "incognito"), "only the methods hybrid and incognito have a metric"),
    ("privacy", "suppress"): (("incognito",), "only the method incognito leaves rows out"),
    ("improve",): (
        _LOCAL,
        "incognito keeps one level per column, so its classes cannot be improved",
    ),
    ("cells",): (_LOCAL, "incognito publishes labels of a level, in one column anyway"),
}


def misplaced_options(policy: Policy) -> list[Fault]:
    """Options that the method does not have would be ignored silently otherwise."""
    method = generalising_method(policy)
    if method is None:
        return []
    faults = [
        policy.fault(message, *path)
        for path, (methods, message) in _OPTIONS.items()
        if _given(policy, path) and method not in methods
    ]
    if policy.metric == "height" and method == "hybrid":
        faults.append(policy.fault("only incognito chooses by height", "metric"))
    return faults


def generalising_method(policy: Policy) -> str | None:
    """Generalising method that a policy leads to; ``None`` if there is none, or by its rows."""
    match family_of(policy):
        case Family.ONE_TABLE:
            named = policy.method not in (None, "auto")
            return policy.method if named else _chosen_by_options(policy)
        case Family.RECIPIENTS:
            return policy.generalise or "mondrian"
        case Family.PROJECTIONS:
            return policy.generalise or "hybrid"
        case Family.PERMUTATION | Family.DISGUISE | Family.LINKED | Family.GRAPH:
            return None


def _chosen_by_options(policy: Policy) -> str | None:
    """Method that has the options a policy gives, where it names none."""
    if policy.privacy.suppress or policy.metric == "height":
        return "incognito"
    return None if policy.metric is None and policy.objective is None else "hybrid"


def _given(policy: Policy, path: tuple[str, ...]) -> bool:
    if path == ("cells",):
        return policy.cells != "bounds"
    return bool(getattr(policy if len(path) == 1 else policy.privacy, path[-1]))
