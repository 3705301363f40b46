"""Dividing a table into classes by whichever method a policy names, and improving them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from papilio.data.encode import EncodedTable
from papilio.families.classes import Classes
from papilio.families.generalising.bottom_up import bottom_up
from papilio.families.generalising.full_domain import FullDomain, Vector
from papilio.families.generalising.full_domain_check import Metric as DomainMetric
from papilio.families.generalising.hybrid import Metric, Objective, hybrid
from papilio.families.generalising.improve import Budget, improve
from papilio.families.generalising.incognito import incognito
from papilio.families.generalising.names import INCOGNITO
from papilio.families.generalising.rising import rising
from papilio.families.generalising.top_down import relaxed_mondrian, strict_mondrian
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
        One of ``mondrian``, ``relaxed-mondrian``, ``bottom-up``, ``hybrid``, ``rising``.
    policy
        Options of the method, what may be left out, and how long to improve.
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
        case "rising":
            return rising(table, demand, randomness, suppress=policy.privacy.suppress)
        case _:
            metric = Metric[(policy.metric or "ncp").upper()]
            objective = Objective[(policy.objective or "sum").upper()]
            return hybrid(table, demand, metric=metric, objective=objective)


def union_demand(demand: Demand, together: int) -> Demand:
    """What a class on the union must satisfy: each recipient's demand, and its size for all."""
    return demand_together(demand, together)


#: Names of the metrics in a policy and in full.
_METRICS: dict[str | None, DomainMetric] = {
    None: "ncp",
    "ncp": "ncp",
    "dm": "discernibility",
    "height": "height",
}


@dataclass(frozen=True, eq=False)
class Grouping:
    """Classes of a table.

    Attributes
    ----------
    classes
        The rows that are published, by class.
    levels
        The level of each column if whole columns are generalised, else ``None``.
    """

    classes: Classes
    levels: Vector | None = None


def group(
    table: EncodedTable, demand: Demand, method: str, policy: Policy, randomness: Randomness
) -> Grouping:
    """Divide a table into classes that meet a demand.

    Parameters
    ----------
    table, demand
        The quasi-identifiers and what each class must satisfy.
    method
        One of the methods of a policy, not ``auto``.
    policy
        Options of the method, what may be left out, and how long to improve.
    randomness
        For methods that break ties at random.
    """
    if method != INCOGNITO:
        return Grouping(group_rows(table, demand, method, policy, randomness))
    found = find_levels(table, demand, policy)
    return Grouping(found.classes, found.levels)


def find_levels(
    table: EncodedTable,
    demand: Demand,
    policy: Policy,
    weights: NDArray[np.int64] | None = None,
) -> FullDomain:
    """Find the levels of whole columns that a policy asks for.

    ``weights`` says how many rows each row of the table stands for, if not for one.
    """
    return incognito(
        table,
        demand,
        suppress=policy.privacy.suppress,
        metric=_METRICS[policy.metric],
        monotone_with_suppression=all(
            each.monotone_with_suppression for each in policy.requirements
        ),
        weights=weights,
    )
