"""What projections need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from papilio.data.table import Role
from papilio.errors import Fault
from papilio.families.generalising.names import INCOGNITO, RISING
from papilio.families.generalising.remedies import diverse
from papilio.families.tables import one_source_faults
from papilio.policy.person import rows_only
from papilio.policy.remedy import Remedy

if TYPE_CHECKING:
    from papilio.attack.result import Exposed
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
    if policy.safe_cells:
        message = f"cells of projections are made safe in memory; {instead}, or use bounds or text"
        yield policy.fault(message, "cells")
    if policy.classes is not None:
        message = f"classes that all tables share are formed in memory; {instead}"
        yield policy.fault(message, "classes")
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
    if policy.privacy.suppress and policy.generalise == RISING:
        message = (
            f"{RISING} leaves other rows out of each table; give generalise: {INCOGNITO}, or leave "
            "suppress out"
        )
        faults.append(policy.fault(message, "privacy", "suppress"))
    if policy.privacy.k is None:
        message = "projections need a k, so that every table promises something"
        faults.append(policy.fault(message, "privacy"))
    return faults


def tables_of_their_own(exposed: Exposed, policy: Policy) -> Remedy | None:
    """What stops a known value from leading to others: no two columns in one table."""
    if exposed.column is None or policy.privacy.exposure == 0:
        return None
    changes: list[tuple[tuple[str, ...], Any]] = [(("privacy", "exposure"), 0.0)]
    if policy.privacy.association_loss is not None:
        changes.append((("privacy", "association_loss"), None))
    return Remedy(
        tuple(changes),
        "Every sensitive column then has a table of its own, so that a known value leads to no "
        "other; what columns say of each other is lost.",
    )


def several_values(exposed: Exposed, policy: Policy) -> Remedy | None:
    """What keeps a class from having one value: l-diversity of at least 2."""
    if exposed.column is None:
        return None
    # A boolean column of one with several values is called after both.
    known = exposed.column in policy.columns
    return diverse(exposed.column if known else exposed.column.partition("=")[0], policy)


def same_classes(exposed: Exposed, policy: Policy) -> Remedy | None:
    """What keeps tables from telling on each other: the same classes in all of them."""
    if exposed.column is None or policy.classes is not None:
        return None
    return Remedy(
        ((("classes",), "shared"),),
        "All tables are then divided into the same classes of people, so that nothing follows from "
        "putting them side by side.",
    )


def rule_of_quasi(exposed: Exposed, policy: Policy) -> Remedy | None:
    """What keeps a column from telling what was generalised: it is generalised as well."""
    name = exposed.through
    if not exposed.people or name not in policy.columns:
        return None
    said = policy.columns[name]
    if said.role is not Role.PLAIN:
        return None
    value = "quasi" if said.type is None else {"role": "quasi", "type": said.type.value}
    why = f"{name} is then generalised in every table, as whoever knows the rule knows it."
    return Remedy(((("columns", name), value),), why)
