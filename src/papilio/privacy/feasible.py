"""Whether requirements can be met by a table at all."""

from __future__ import annotations

from collections.abc import Iterable

from papilio.data.table import Table
from papilio.errors import InfeasibleError
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import KeAnonymity, check_spread
from papilio.privacy.l_diversity import Diversity
from papilio.privacy.requirement import Requirement
from papilio.privacy.t_closeness import TCloseness


def check_feasible(requirements: Iterable[Requirement], table: Table) -> None:
    """Check that the whole table, as one class, meets what is demanded of its sensitive columns.

    All requirements are monotone, so if the table as one class does not meet one, no division of
    it does. t-closeness is always met by the whole table; how k compares with the number of
    rows is for the caller.

    Raises
    ------
    InfeasibleError
        Names the column and the nearest parameters that can be met; no value of the column.
    """
    for each in requirements:
        if isinstance(each, KAnonymity | TCloseness):
            continue
        if isinstance(each, KeAnonymity):
            values = table.frame.get_column(each.column).drop_nulls().unique().sort()
            check_spread(each, values.to_numpy())
            continue
        check_diverse(each, _counts(table, each.column))


def check_diverse(requirement: Diversity, counts: list[int]) -> None:
    """Check that all rows as one class are diverse enough.

    Parameters
    ----------
    requirement
        What is demanded.
    counts
        How often each value of its column occurs.

    Raises
    ------
    InfeasibleError
        As :func:`check_feasible`.
    """
    if requirement.holds(counts):
        return
    demanded = ", ".join(
        f"{key} = {value}" for key, value in requirement.parameters().items() if key != "column"
    )
    raise InfeasibleError(
        f"column '{requirement.column}': {requirement.name} with {demanded} cannot be met, not "
        "even by all rows as one class",
        reason="not-diverse",
        nearest=requirement.nearest(counts),
    )


def _counts(table: Table, name: str) -> list[int]:
    series = table.frame.get_column(name).alias("value")
    return series.value_counts().get_column("count").to_list()
