"""Run the method a policy asks for, and improve its classes if the policy says so."""

from __future__ import annotations

from papilio.data.encode import EncodedTable
from papilio.families.classes import Classes
from papilio.families.generalising.bottom_up import bottom_up
from papilio.families.generalising.hybrid import Metric, Objective, hybrid
from papilio.families.generalising.improve import Budget, improve
from papilio.families.generalising.mondrian import strict_mondrian
from papilio.families.generalising.relaxed_mondrian import relaxed_mondrian
from papilio.kernels.demand import Demand
from papilio.policy.policy import Policy
from papilio.privacy.requirement import demand_together
from papilio.randomness import Randomness


def group_rows(
    table: EncodedTable, demand: Demand, method: str, policy: Policy, randomness: Randomness
) -> Classes:
    """Divide a table into classes that meet a demand.

    Parameters
    ----------
    table, demand
        The quasi-identifiers and what each class must satisfy.
    method
        One of ``mondrian``, ``relaxed-mondrian``, ``bottom-up``, ``hybrid``.
    policy
        Options of the method, and how long to improve.
    randomness
        For methods that break ties at random.
    """
    classes = _group(table, demand, method, policy, randomness)
    if policy.improve is None:
        return classes
    budget = Budget(policy.improve.seconds, policy.improve.steps)
    return improve(table, classes, demand, budget).classes


def _group(
    table: EncodedTable, demand: Demand, method: str, policy: Policy, randomness: Randomness
) -> Classes:
    match method:
        case "mondrian":
            return strict_mondrian(table, demand)
        case "relaxed-mondrian":
            return relaxed_mondrian(table, demand, randomness)
        case "bottom-up":
            return bottom_up(table, demand)
        case _:
            metric = Metric[(policy.metric or "ncp").upper()]
            objective = Objective[(policy.objective or "sum").upper()]
            return hybrid(table, demand, metric=metric, objective=objective)


def union_demand(demand: Demand, together: int) -> Demand:
    """What a class on the union must satisfy: each recipient's demand, and its size for all."""
    return demand_together(demand, together)
