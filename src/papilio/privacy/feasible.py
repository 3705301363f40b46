"""Whether requirements can be met by a table at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from papilio.data.people import People, PeopleCounted
from papilio.data.table import Table
from papilio.errors import InfeasibleError
from papilio.kernels.demand import class_meets
from papilio.privacy.distinct_diversity import DistinctDiversity
from papilio.privacy.entropy_diversity import EntropyDiversity
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import KeAnonymity, check_spread
from papilio.privacy.l_diversity import Diversity
from papilio.privacy.recursive_diversity import RecursiveDiversity
from papilio.privacy.requirement import Requirement, counts_people, demand_of
from papilio.privacy.t_closeness import TCloseness

#: Numbers that need not be whole are looked for in steps of one over this.
_STEPS = 1000


def check_people(requirements: Iterable[Requirement], table: Table) -> None:
    """Check that the whole table, as one class, meets requirements over people.

    They are closed under unions, so if all rows as one class do not meet one, no division does.
    Unlike over rows, this may be so of closeness: without the rows of a person who has very many,
    the rest may be far from the whole.

    Raises
    ------
    InfeasibleError
        Names the nearest parameters that can be met; no value of a column.
    """
    for each in requirements:
        if isinstance(each, KeAnonymity) or not each.people or _met(each, table):
            continue
        if isinstance(each, KAnonymity):
            check_share(each.k, "k", table.people, table.height)
            continue
        demanded = ", ".join(
            f"{key} = {value}"
            for key, value in each.parameters().items()
            if key not in ("column", "unit", "distance", "order")
        )
        raise InfeasibleError(
            f"column '{each.column}': {each.name} with {demanded} over people cannot be met, not "
            "even by all rows as one class without those of one person",
            reason="not-diverse",
            nearest=_nearest(each, table),
        )


def check_share(k: int, key: str, people: People | PeopleCounted | None, rows: int) -> None:
    """Refuse a k of which one person has more than their share of all rows.

    Raises
    ------
    InfeasibleError
        Names the largest k that is accepted.
    """
    if people is not None and k * people.most > rows:
        raise InfeasibleError(
            f"{key} is {k} over people, but one of the {people.count} people has {people.most} of "
            f"the {rows} rows",
            reason="k-exceeds-people",
            nearest=f"a {key} of at most {rows // people.most} is accepted",
        )


def _met(requirement: Requirement, table: Table) -> bool:
    rows = np.arange(table.height, dtype=np.int32)
    return bool(class_meets(demand_of([requirement], table), rows))


def _nearest(requirement: Requirement, table: Table) -> str:
    """What all rows as one class do meet."""

    def met(**changes: object) -> bool:
        return _met(replace(requirement, **changes), table)  # type: ignore[arg-type]

    match requirement:
        case DistinctDiversity(l=least):
            most = least - _first(lambda less: met(l=least - less), 0, least - 1)
            return f"an l of at most {most} is accepted"
        case EntropyDiversity(l=least):
            top = int(least * _STEPS)
            less = _first(lambda n: met(l=Fraction(max(top - n, _STEPS), _STEPS)), 0, top - _STEPS)
            return f"an entropy l of at most {(top - less) / _STEPS} is accepted"
        case RecursiveDiversity(l=least):
            most = table.height + 1
            if not met(c=most):
                fewer = _first(lambda less: met(c=most, l=least - less), 0, least - 1)
                return f"an l of at most {least - fewer} is accepted, with a larger c"
            c = _first(lambda n: met(c=Fraction(max(n, 1), _STEPS)), 0, most * _STEPS) / _STEPS
            return f"with this l, a c of at least {c} is accepted"
        case TCloseness():
            t = _first(lambda n: met(t=Fraction(n, _STEPS)), 0, _STEPS) / _STEPS
            return f"a t of at least {t} is accepted"
    return ""


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The smallest number for which something holds that goes on to hold; ``high`` if unsure."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def check_feasible(requirements: Iterable[Requirement], table: Table) -> None:
    """Check that the whole table, as one class, meets what is demanded of its sensitive columns.

    All requirements are monotone, so if the table as one class does not meet one, no division of
    it does. t-closeness is always met by the whole table; how k compares with the number of
    rows is for the caller. Over people, see :func:`papilio.privacy.feasible.check_people`.

    Raises
    ------
    InfeasibleError
        Names the column and the nearest parameters that can be met; no value of the column.
    """
    every = tuple(requirements)
    if counts_people(every):
        check_people(every, table)
        return
    for each in every:
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
        f"{key} = {value}"
        for key, value in requirement.parameters().items()
        if key not in ("column", "unit")
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
