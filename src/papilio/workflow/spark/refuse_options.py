"""Options of single families that a Spark engine cannot follow, said before anything starts."""

from __future__ import annotations

from papilio.errors import Fault, PolicyError
from papilio.families.family import Choice
from papilio.policy.policy import Policy
from papilio.privacy.ke_anonymity import KeAnonymity


def check_options(policy: Policy, choice: Choice) -> None:
    """Refuse options that need all rows in one place, or a run for every attempt.

    Raises
    ------
    PolicyError
        Names the option and what is accepted instead.
    """
    checks = {
        "permutation": _permutation_faults,
        "disguise": _disguise_faults,
        "projections": _projection_faults,
    }
    check = checks.get(choice.method)
    faults = [] if check is None else check(policy)
    if faults:
        raise PolicyError(faults)


def _permutation_faults(policy: Policy) -> list[Fault]:
    if policy.minimise == "random":
        message = (
            "random divides rows one after the other, which Spark cannot; use local, or sum, max, "
            "max-exact or groups"
        )
        return [policy.fault(message, "minimise")]
    trivial = any(
        isinstance(each, KeAnonymity) and each.k == 1 and each.exact_e == 0
        for each in policy.requirements
    )
    if policy.minimise == "groups" and trivial:
        message = "with k = 1 and e = 0 every row would be a group; use local, or a larger k or e"
        return [policy.fault(message, "minimise")]
    return []


def _disguise_faults(policy: Policy) -> list[Fault]:
    ((name, target),) = policy.privacy.target.items()
    if policy.privacy.personal is None or target.mode != "per-class":
        return []
    message = (
        "personal levels in every class cannot be planned from counts, as Spark would have to; "
        "use local, or mode: whole"
    )
    return [policy.fault(message, "privacy", "target", name, "mode")]


def _projection_faults(policy: Policy) -> list[Fault]:
    if policy.privacy.generalisation_loss is None:
        return []
    message = (
        "a limit on generalisation needs a table for every plan that is tried, which is too slow "
        "on Spark; use local, or limit association_loss or exposure alone"
    )
    return [policy.fault(message, "privacy", "generalisation_loss")]
