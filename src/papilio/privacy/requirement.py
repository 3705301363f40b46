"""The requirements Papilio knows, and their translation for kernels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from papilio.data.table import Described, Table
from papilio.errors import DataError, InternalError
from papilio.kernels.codes import Codes
from papilio.kernels.demand import ENTRIES, KIND, LEAST, PEOPLE, Demand
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.privacy.l_diversity import Diversity
from papilio.privacy.rules import (
    Rule,
    RuledColumn,
    coded,
    is_hierarchical,
    least_rows,
    rule_of,
    stack,
)
from papilio.privacy.t_closeness import TCloseness

Requirement: TypeAlias = KAnonymity | Diversity | TCloseness | KeAnonymity


def least_size(requirements: Iterable[Requirement]) -> int:
    """Largest k that is demanded; 1 if none is."""
    return max((each.k for each in requirements if isinstance(each, KAnonymity)), default=1)


def settled(requirements: Iterable[Requirement], table: Described) -> tuple[Requirement, ...]:
    """Requirements as they apply to a table: every t-closeness with its distance.

    Raises
    ------
    DataError
        If a column does not have what a distance needs.
    """
    return tuple(
        _settle(each, table) if isinstance(each, TCloseness) else each for each in requirements
    )


def demand_of(requirements: Iterable[Requirement], table: Table) -> Demand:
    """Compile requirements into what every class must satisfy, all at once.

    A class of fewer rows than an l has too few values, so the least size is the largest k or l.

    Parameters
    ----------
    requirements
        What is demanded.
    table
        The table; its sensitive columns are encoded, and their distributions are what t-closeness
        compares classes with.

    Notes
    -----
    Cost: encoding each sensitive column that is spoken of, 4 bytes per row and column.
    """
    every = settled(requirements, table)
    columns = [coded(table, name, hierarchical=tree) for name, tree in ruled_columns(every)]
    demand = compile_demand(every, columns)
    if columns:
        demand = demand._replace(sensitive=stack(columns, table.height))
    return _with_people(demand, table, least_size(every)) if counts_people(every) else demand


def over_people(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The same requirements over people; see :mod:`papilio.privacy.unit`."""
    return tuple(map(_over_people, requirements))


def _over_people(requirement: Requirement) -> Requirement:
    if isinstance(requirement, KeAnonymity):
        raise InternalError("(k,e)-anonymity is not defined over people", reason="demand")
    return replace(requirement, people=True)


def counts_people(requirements: Iterable[Requirement]) -> bool:
    """Whether requirements are over people."""
    return any(not isinstance(each, KeAnonymity) and each.people for each in requirements)


def _with_people(demand: Demand, table: Table, k: int) -> Demand:
    """Demand the same over people, whose codes are one more column."""
    people = table.people
    if people is None:
        raise InternalError("nobody says whose row it is", reason="no-people")
    codes = with_codes_of_people(demand.sensitive, people.codes)
    return with_rule_of_people(demand, people.several, people.most, k)._replace(sensitive=codes)


def with_rule_of_people(demand: Demand, several: int, most: int, k: int) -> Demand:
    """Demand the same over people: a rule about the column after all others, before all others.

    Parameters
    ----------
    demand
        What is demanded of rows.
    several, most
        People who have several rows, and the most rows that one has.
    k
        The size that is demanded of classes.
    """
    rule = Rule(PEOPLE, k, most).entries(demand.sensitive.shape[1], several + 1, 0)
    return demand._replace(
        rules=np.concatenate([np.array([rule], np.int64), demand.rules]),
        limits=np.concatenate([[0.0], demand.limits]),
    )


def with_codes_of_people(sensitive: NDArray[np.int32], people: Codes) -> NDArray[np.int32]:
    """Codes of sensitive columns, and behind them whose each row is."""
    together = np.empty((len(people), sensitive.shape[1] + 1), np.int32)
    if sensitive.shape[1]:
        together[:, :-1] = sensitive
    together[:, -1] = people
    return together


def demand_together(demand: Demand, together: int, *, alone: bool = False) -> Demand:
    """Demand classes of ``together`` rows besides, over people if the demand is.

    Parameters
    ----------
    demand
        What is demanded already.
    together
        Least size of a class.
    alone
        Whether nothing but the size is to be demanded.
    """
    least = together if alone else max(demand.least_size, together)
    if not is_over_people(demand):
        return Demand(least) if alone else demand._replace(least_size=least)
    rules = demand.rules[:1].copy() if alone else demand.rules.copy()
    rules[0, LEAST] = together if alone else max(int(rules[0, LEAST]), together)
    return demand._replace(least_size=least, rules=rules, limits=demand.limits[: len(rules)])


def is_over_people(demand: Demand) -> bool:
    """Whether a demand is over people."""
    return len(demand.rules) > 0 and bool(demand.rules[0, KIND] == PEOPLE)


def ruled_columns(requirements: Iterable[Requirement]) -> tuple[tuple[str, bool], ...]:
    """Sensitive columns that settled requirements speak of, and whether by their hierarchy."""
    return tuple(dict.fromkeys(map(_key, _about(requirements))))


def compile_demand(
    requirements: tuple[Requirement, ...], columns: Sequence[RuledColumn], rows: int = 0
) -> Demand:
    """Compile settled requirements into a demand that has no rows yet.

    Parameters
    ----------
    requirements
        What is demanded.
    columns
        What is known of each of :func:`ruled_columns`, in their order.
    rows
        Rows of the whole table, if the demand will be asked about parts of it.
    """
    about = _about(requirements)
    size = max(least_size(requirements), *(least_rows(each) for each in about), 1)
    if not about:
        return Demand(size)
    places = {key: place for place, key in enumerate(ruled_columns(requirements))}
    return _compile(size, _ordered(about), places, columns)._replace(total=rows)


def _ordered(about: Iterable[Diversity | TCloseness]) -> list[Diversity | TCloseness]:
    """Rules of a column next to each other, so that its values are counted once per class."""
    listed = list(about)
    keys = list(dict.fromkeys(map(_key, listed)))
    return sorted(listed, key=lambda each: keys.index(_key(each)))


@dataclass(frozen=True, eq=False)
class Share:
    """Which part of a demand is meant for one of several recipients.

    Attributes
    ----------
    k, least
        Size of a class by its k alone, and with what else is demanded.
    rules
        Which rules, in their order in the demand; the rule of people is none of them.
    """

    k: int
    least: int
    rules: NDArray[np.bool_]

    def __or__(self, other: Share) -> Share:
        return Share(max(self.k, other.k), max(self.least, other.least), self.rules | other.rules)

    def of(self, demand: Demand) -> Demand:
        """The part of a demand."""
        people = is_over_people(demand)
        kept = np.concatenate([np.ones(int(people), bool), self.rules])
        rules = demand.rules[kept]
        if people:
            rules[0, LEAST] = self.k
        return demand._replace(least_size=self.least, rules=rules, limits=demand.limits[kept])


def share_of(every: Iterable[Requirement], some: Collection[Requirement]) -> Share:
    """Find some requirements among all that a demand was compiled of; both with their distances."""
    size = least_size(some)
    about = _about(some)
    least = max(size, *(least_rows(each) for each in about), 1)
    return Share(size, least, np.array([each in about for each in _ordered(_about(every))], bool))


def _about(requirements: Iterable[Requirement]) -> list[Diversity | TCloseness]:
    every = tuple(requirements)
    if any(isinstance(each, KeAnonymity) for each in every):
        raise InternalError("(k,e)-anonymity is about groups, not classes", reason="demand")
    return [each for each in every if isinstance(each, Diversity | TCloseness)]


def _compile(
    size: int,
    about: list[Diversity | TCloseness],
    places: dict[tuple[str, bool], int],
    columns: Sequence[RuledColumn],
) -> Demand:
    entries: list[list[int]] = []
    start = 0
    rules = []
    for each in about:
        place = places[_key(each)]
        rule = rule_of(each, columns[place])
        entries.append(rule.entries(place, columns[place].size, start))
        rules.append(rule)
        start += len(rule.base)
    return Demand(
        size,
        np.empty((0, len(columns)), np.int32),
        np.array(entries, np.int64).reshape(-1, ENTRIES),
        np.array([rule.limit for rule in rules]),
        np.concatenate([rule.base for rule in rules]),
    )


def _key(requirement: Diversity | TCloseness) -> tuple[str, bool]:
    return requirement.column, is_hierarchical(requirement)


def _settle(requirement: TCloseness, table: Described) -> TCloseness:
    column = next(each for each in table.columns if each.name == requirement.column)
    try:
        return requirement.settle(column)
    except ValueError as error:
        raise DataError(f"column '{column.name}': {error}", reason="no-distance") from None
