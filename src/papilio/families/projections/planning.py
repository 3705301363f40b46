"""The plan for several sensitive columns: which of them are published together, and how found."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from papilio.data.roles import Role
from papilio.errors import InfeasibleError, PolicyError
from papilio.families.projections.methods.codip import codip
from papilio.families.projections.methods.exact_plan import MOST_COLUMNS, exact_plans
from papilio.families.projections.methods.plan import TOLERANCE, Feasible, Limits, PlanPoint, always
from papilio.families.projections.methods.weights import Weights, weigh
from papilio.measure.dependencies import Dependencies, dependencies
from papilio.policy.apply import Order
from papilio.policy.harmless import harmless_values
from papilio.policy.policy import Policy

#: Limits that can be met are told in parts of this many, rounded up.
_PARTS = 10_000


@dataclass(frozen=True, eq=False)
class Planned:
    """A plan and what it was chosen from.

    Attributes
    ----------
    names
        The sensitive columns.
    known
        How they depend on each other.
    best
        The plan.
    how
        ``exact`` or ``greedy``.
    """

    names: tuple[str, ...]
    known: Dependencies
    best: PlanPoint
    how: str

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """Names of the sensitive columns of each table."""
        return tuple(tuple(self.names[column] for column in table) for table in self.best.plan)


def limits_of(policy: Policy) -> Limits:
    """Limits of a policy on a plan."""
    return Limits(policy.privacy.association_loss, policy.privacy.exposure)


def dependencies_of(order: Order, policy: Policy) -> Dependencies:
    """How the sensitive columns of a table depend on each other."""
    names = [column.name for column in order.table.with_role(Role.SENSITIVE)]
    return dependencies(order.table.frame, names, harmless_values(policy, order.several))


def plan_projections(order: Order, policy: Policy, feasible: Feasible = always) -> Planned:
    """Find the plan a policy asks for; see :func:`plan_from`."""
    return plan_from(dependencies_of(order, policy), policy, feasible)


def plan_from(known: Dependencies, policy: Policy, feasible: Feasible = always) -> Planned:
    """Find the plan a policy asks for.

    Parameters
    ----------
    known
        How the sensitive columns depend on each other.
    policy
        What is demanded.
    feasible
        Whether columns, by their numbers, can be published together.

    Raises
    ------
    InfeasibleError
        If no plan keeps to the limits; says which limits could be met.
    PolicyError
        If an exact plan is asked for and there are too many columns.
    """
    how = _how(policy, len(known.names))
    weights = weigh(known.information, known.exposable)
    search = exact_plans if how == "exact" else codip
    limits = limits_of(policy)
    found = search(weights, limits, feasible)
    if not found:
        raise InfeasibleError(
            "a sensitive column cannot be published within the generalisation_loss, not even in a "
            "table of its own",
            reason="too-much-loss",
            nearest="a larger generalisation_loss, or weaker requirements, are accepted",
        )
    best = found[-1]
    if best.association_loss > limits.most_lost + TOLERANCE:
        raise _out_of_reach(weights, limits, best, search, feasible)
    return Planned(known.names, known, best, how)


def _how(policy: Policy, columns: int) -> str:
    if policy.plan == "exact" and columns > MOST_COLUMNS:
        message = (
            f"an exact plan is for at most {MOST_COLUMNS} sensitive columns, counting one per "
            f"value of a column with several values, and there are {columns}; use greedy"
        )
        raise PolicyError([policy.fault(message, "plan")])
    return policy.plan or ("exact" if columns <= MOST_COLUMNS else "greedy")


def _out_of_reach(
    weights: Weights,
    limits: Limits,
    best: PlanPoint,
    search: Callable[[Weights, Limits, Feasible], list[PlanPoint]],
    feasible: Feasible,
) -> InfeasibleError:
    """Say which limit would have to give way, and how far."""
    nearest = f"an association_loss of {_rounded_up(best.association_loss)} is accepted"
    other = search(weights, Limits(association_loss=limits.association_loss), feasible)[-1]
    if limits.exposure is not None and other.association_loss <= limits.most_lost + TOLERANCE:
        nearest = (
            f"with this exposure {nearest}, with this association_loss an exposure of "
            f"{_rounded_up(other.exposure)}"
        )
    return InfeasibleError(
        "no plan keeps to the limits on association_loss and exposure",
        reason="no-plan",
        nearest=nearest,
    )


def _rounded_up(ratio: float) -> float:
    return min(1.0, math.ceil(ratio * _PARTS) / _PARTS)
