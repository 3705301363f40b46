"""The seven families of releases, which one a policy is of, and which ones the data allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from papilio.policy.family import Family
from papilio.web.forms.edits import mapping_at, value_at
from papilio.web.forms.facts import Facts

_BY_METHOD = {
    "union": Family.RECIPIENTS,
    "butterfly": Family.RECIPIENTS,
    "projections": Family.PROJECTIONS,
    "permutation": Family.PERMUTATION,
    "disguise": Family.DISGUISE,
    "miracle": Family.LINKED,
    "grouping": Family.GRAPH,
}


@dataclass(frozen=True)
class Offer:
    """A family and, if the data does not allow it, what it lacks."""

    family: Family
    lacks: str = ""

    @property
    def possible(self) -> bool:
        """Whether the family can be chosen."""
        return not self.lacks


def family_of(tree: Mapping[str, Any]) -> Family:
    """Family of a policy, by the rules by which Papilio chooses a method."""
    if tree.get("graph") is not None:
        return Family.GRAPH
    if tree.get("tables"):
        return Family.LINKED
    method = tree.get("method")
    if isinstance(method, str) and method in _BY_METHOD:
        return _BY_METHOD[method]
    return _by_demands(tree)


def _by_demands(tree: Mapping[str, Any]) -> Family:
    privacy = mapping_at(tree, ("privacy",))
    if tree.get("recipients"):
        return Family.RECIPIENTS
    if privacy.get("target"):
        return Family.DISGUISE
    if privacy.get("e") is not None:
        return Family.PERMUTATION
    limited = any(privacy.get(key) is not None for key in ("association_loss", "exposure"))
    if limited or _several_values(tree):
        return Family.PROJECTIONS
    return Family.ONE_TABLE


def _several_values(tree: Mapping[str, Any]) -> bool:
    names = mapping_at(tree, ("columns",))
    return any(value_at(tree, ("columns", name, "values")) is not None for name in names)


def offers(tree: Mapping[str, Any], facts: Facts) -> tuple[Offer, ...]:
    """Say for each family whether the data at hand allows it; the present one always is."""
    present = family_of(tree)
    return tuple(
        Offer(family, "" if family is present else _lacks(family, tree, facts)) for family in Family
    )


def _lacks(family: Family, tree: Mapping[str, Any], facts: Facts) -> str:
    columns = [each for table in facts for each in table.columns]
    in_database = isinstance(tree.get("database"), str)
    match family:
        case Family.LINKED if len(facts) < 2 and not in_database:
            return "needs at least two tables; add them under Data"
        case Family.GRAPH if len(facts) < 3:
            return "needs three tables: two kinds of entities, and the links; add them under Data"
        case Family.PERMUTATION if facts and not any(e.type == "numeric" for e in columns):
            return "needs a numeric column"
        case Family.RECIPIENTS if facts and not any(len(table.columns) > 1 for table in facts):
            return "needs at least two columns"
    return ""
