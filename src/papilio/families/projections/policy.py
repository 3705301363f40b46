"""What projections need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from papilio.data.table import Role
from papilio.errors import Fault
from papilio.families.tables import one_source_faults
from papilio.policy.person import rows_only

if TYPE_CHECKING:
    from papilio.policy.policy import Policy


def refused(policy: Policy, engine: str, instead: str) -> Iterator[Fault]:  # noqa: ARG001
    """Options that need all rows in one place, or a run for every attempt.

    Parameters
    ----------
    policy
        The order.
    engine
        ``"pieces"`` or ``"spark"``.
    instead
        How to do without the engine that counts, such as ``use local``.
    """
    from papilio.policy.several import several_columns

    for name in several_columns(policy):
        message = f"columns with several values need the whole table in memory; {instead}"
        yield policy.fault(message, "columns", name, "values")
    if policy.privacy.generalisation_loss is not None:
        message = (
            "a limit on generalisation needs a table for every plan that is tried, not counts; "
            f"{instead}, or limit association_loss or exposure alone"
        )
        yield policy.fault(message, "privacy", "generalisation_loss")


_NOT_OVER_PEOPLE = (
    "how much of one sensitive column another gives away is measured by rows, and several rows of "
    "one person would count as several people; projections count rows"
)


def projection_faults(policy: Policy) -> list[Fault]:
    """Find what projections need and a policy for them lacks."""
    faults = [*one_source_faults(policy), *rows_only(policy, _NOT_OVER_PEOPLE)]
    faults += [
        policy.fault(f"'{column.key}' is not an identifier in columns", "columns", name, "key")
        for name, column in policy.columns.items()
        if column.key is not None
        and (
            column.key not in policy.columns
            or policy.columns[column.key].role is not Role.IDENTIFIER
        )
    ]
    if not policy.with_role(Role.SENSITIVE):
        message = "projections are about sensitive columns, and no column is sensitive"
        faults.append(policy.fault(message, "method"))
    if policy.privacy.suppress:
        message = (
            "with suppress, list all values that may occur as the domain of the column: otherwise "
            "one that only a left-out person has would be published as a column"
        )
        faults += [
            policy.fault(message, "columns", name)
            for name, column in policy.columns.items()
            if column.values is not None and column.domain is None
        ]
    if policy.privacy.k is None:
        message = "projections need a k, so that every table promises something"
        faults.append(policy.fault(message, "privacy"))
    return faults
