"""What permutation needs, and what only permutation has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papilio.data.column import ColumnType
from papilio.data.roles import Role
from papilio.data.table import Described
from papilio.errors import Fault, PolicyError
from papilio.privacy.ke_anonymity import KeAnonymity

if TYPE_CHECKING:
    from papilio.policy.policy import Policy

_ONE_COLUMN = "permutation is about exactly one sensitive column, a numeric one"


def misplaced_permutation(policy: Policy) -> list[Fault]:
    """Find demands and options that do not go with permutation, or only go with it."""
    return _not_for_permutation(policy) if policy.permutes else _only_for_permutation(policy)


def _only_for_permutation(policy: Policy) -> list[Fault]:
    faults = []
    if policy.privacy.e is not None:
        message = "e is about the groups of a permutation; give method: permutation, or no e"
        faults.append(policy.fault(message, "privacy", "e"))
    if policy.minimise is not None:
        faults.append(policy.fault("only the method permutation minimises", "minimise"))
    return faults


def _not_for_permutation(policy: Policy) -> list[Fault]:
    privacy = policy.privacy
    faults = _sensitive_faults(policy)
    if privacy.k is None:
        message = "permutation needs k: how many different values a group has at least"
        faults.append(policy.fault(message, "privacy"))
    ignored = {
        "l": privacy.l,
        "t": privacy.t,
        "suppress": privacy.suppress if policy.method != "permutation" else 0,
        "collusion_k": privacy.collusion_k,
        "association_loss": privacy.association_loss,
        "exposure": privacy.exposure,
    }
    faults += [
        policy.fault("permutation is for k and e; this does not go with it", "privacy", key)
        for key, said in ignored.items()
        if said
    ]
    if policy.recipients:
        message = "permutation makes one release for all; leave recipients out"
        faults.append(policy.fault(message, "recipients"))
    faults += [
        policy.fault("permutation keeps quasi-identifiers as they are; leave this out", key)
        for key in ("improve", "generalise", "wings", "plan", *_told_elsewhere(policy))
        if getattr(policy, key) is not None
    ]
    if policy.cells != "bounds":
        message = "permutation keeps quasi-identifiers as they are; leave this out"
        faults.append(policy.fault(message, "cells"))
    return faults


def _told_elsewhere(policy: Policy) -> tuple[str, ...]:
    """Options that :mod:`papilio.policy.checks.options` refuses if the method is named."""
    return () if policy.method == "permutation" else ("metric", "objective")


def _sensitive_faults(policy: Policy) -> list[Fault]:
    sensitive = policy.with_role(Role.SENSITIVE)
    if not sensitive:
        return [policy.fault(f"no column is sensitive; {_ONE_COLUMN}", "columns")]
    faults = [
        policy.fault(f"a second sensitive column; {_ONE_COLUMN}", "columns", name)
        for name in sensitive[1:]
    ]
    said = policy.columns[sensitive[0]]
    if said.type not in (None, ColumnType.NUMERIC) or said.values is not None:
        faults.append(policy.fault(f"not numeric; {_ONE_COLUMN}", "columns", sensitive[0]))
    return faults


def check_permutable(policy: Policy, table: Described) -> None:
    """Refuse a sensitive column that, now that types are known, is not numeric.

    Raises
    ------
    PolicyError
        Names the column and its type.
    """
    about = {each.column for each in policy.requirements if isinstance(each, KeAnonymity)}
    faults = [
        policy.fault(f"the column is {column.type}; {_ONE_COLUMN}", "columns", column.name)
        for column in table.columns
        if column.name in about and column.type is not ColumnType.NUMERIC
    ]
    if faults:
        raise PolicyError(faults)
