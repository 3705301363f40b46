"""The requirements Papilio knows, and their translation for kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from papilio.data.table import Described, Table
from papilio.errors import DataError, InternalError
from papilio.kernels.demand import ENTRIES, Demand
from papilio.privacy.k_anonymity import KAnonymity
from papilio.privacy.ke_anonymity import KeAnonymity
from papilio.privacy.l_diversity import Diversity
from papilio.privacy.rules import (
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
    return demand._replace(sensitive=stack(columns, table.height)) if columns else demand


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
    # Rules of a column stand next to each other, so that its values are counted once per class.
    places = {key: place for place, key in enumerate(ruled_columns(requirements))}
    ordered = sorted(about, key=lambda each: places[_key(each)])
    return _compile(size, ordered, places, columns)._replace(total=rows)


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
