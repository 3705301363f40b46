"""Options that the generalising method does not have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from papilio.data.table import Role
from papilio.errors import Fault
from papilio.policy.recipients import EVERY
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.privacy.requirement import Requirement
from papilio.privacy.t_closeness import TCloseness

if TYPE_CHECKING:
    from papilio.families.family import Method
    from papilio.policy.policy import Policy


def misplaced_demands(policy: Policy) -> list[Fault]:
    """Find demands on columns that are not there, not sensitive, or lack what is needed."""
    faults = _about_nothing(policy)
    demanded = policy.privacy.requirements(policy.with_role(Role.SENSITIVE))
    return [*faults, *demand_faults(policy, demanded, "privacy")]


def demand_faults(policy: Policy, demanded: Iterable[Requirement], *path: str) -> list[Fault]:
    """Find demands under a key on columns that are not there, not sensitive, or lack something."""
    faults = []
    for each in demanded:
        if isinstance(each, KAnonymity | KeAnonymity):
            continue
        key = "t" if isinstance(each, TCloseness) else "l"
        column = policy.columns.get(each.column)
        if column is None:
            message = f"columns has no '{each.column}'; name a sensitive column"
        elif column.role is not Role.SENSITIVE:
            message = (
                f"the column is {column.role}, not sensitive; {key} is about sensitive columns"
            )
        elif each.parameters().get("distance") == "hierarchical" and column.hierarchy is None:
            message = "the hierarchical distance needs a hierarchy on the column"
        else:
            continue
        faults.append(policy.fault(message, *path, key, each.column))
    return faults


def _about_nothing(policy: Policy) -> list[Fault]:
    """A bare number is about every sensitive column; without one it would demand nothing."""
    if policy.with_role(Role.SENSITIVE):
        return []
    bare = (("l", EVERY in policy.privacy.l), ("t", EVERY in policy.privacy.t))
    return [
        policy.fault(
            f"{key} is about sensitive columns, and no column is sensitive", "privacy", key
        )
        for key, given in bare
        if given
    ]


def missing_roles(policy: Policy) -> list[Fault]:
    """Find that no column is a quasi-identifier."""
    if policy.quasi:
        return []
    return [policy.fault("no column is quasi; give at least one column this role", "columns")]


#: Option -> what only the methods that have it do with it, and why others do not.
_OPTIONS: Mapping[tuple[str, ...], tuple[str, str]] = {
    ("objective",): ("has an objective", ""),
    ("metric",): ("has a metric", ""),
    ("privacy", "suppress"): ("leaves rows out", ""),
    ("improve",): (
        "can be improved",
        "{} keeps one level per column, so its classes cannot be improved",
    ),
    ("cells",): (
        "has cells of several forms",
        "{} publishes labels of a level, in one column anyway",
    ),
}


def misplaced_options(policy: Policy) -> list[Fault]:
    """Options that the method does not have would be ignored silently otherwise."""
    from papilio.families import family_named, family_of

    method = family_of(policy).generalising(policy)
    family = family_named(method)
    if method is None or family is None:
        return []
    faults = []
    for path, (what, why) in _OPTIONS.items():
        having = [each.name for each in family.methods if path[-1] in each.options]
        if _given(policy, path) and method not in having:
            message = why.format(method) or _only(having, what)
            faults.append(policy.fault(message, *path))
    if policy.metric == "height" and method in _cutting(family.methods):
        by_level = [each.name for each in family.methods if "suppress" in each.options]
        faults.append(policy.fault(f"only {by_level[0]} chooses by height", "metric"))
    return faults


def _cutting(methods: tuple[Method, ...]) -> list[str]:
    """Methods that cut classes, by an objective."""
    return [method.name for method in methods if "objective" in method.options]


def _only(methods: list[str], what: str) -> str:
    if len(methods) == 1:
        return f"only the method {methods[0]} {what}"
    return f"only the methods {' and '.join(methods)} {what.replace('has ', 'have ', 1)}"


def _given(policy: Policy, path: tuple[str, ...]) -> bool:
    if path == ("cells",):
        return policy.cells != "bounds"
    return bool(getattr(policy if len(path) == 1 else policy.privacy, path[-1]))
