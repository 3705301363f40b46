"""What permutation needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.data.column import ColumnType
from papilio.data.roles import Role
from papilio.errors import Fault, PolicyError
from papilio.families.tables import one_source_faults
from papilio.privacy.ke_anonymity import KeAnonymity

if TYPE_CHECKING:
    from papilio.data.table import Described
    from papilio.policy.policy import Policy

_ONE_COLUMN = "permutation is about exactly one sensitive column, a numeric one"


def permutation_faults(policy: Policy) -> Iterator[Fault]:
    """Find what permutation needs and a policy for it lacks."""
    yield from one_source_faults(policy)
    yield from _sensitive_faults(policy)
    if policy.privacy.k is None:
        message = "permutation needs k: how many different values a group has at least"
        yield policy.fault(message, "privacy")


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
