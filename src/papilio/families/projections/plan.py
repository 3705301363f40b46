"""The plan of projections from counts: which columns go into which table.

Whoever can count pairs of values (passes over files, an engine with many workers) has the tables
planned here, as those of a table in memory are. Each is then published as a table of its own, by
itself, so that nothing but quasi-identifiers links two of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol, TypeAlias

import polars as pl

from papilio.data.table import Role
from papilio.families.projections.make import Planned, place_of_plain, plan_from, shared_key
from papilio.measure.dependencies import (
    Bins,
    Dependencies,
    Harmless,
    dependencies_of_sums,
    shared_information,
)
from papilio.measure.mutual_information import PairSums
from papilio.policy.harmless import harmless_values
from papilio.policy.policy import Policy
from papilio.policy.recipients import EVERY
from papilio.policy.source_policy import SourcePolicy

#: Sums over the pairs of values of two columns, by their numbers.
Sums: TypeAlias = dict[tuple[int, int], PairSums]


class PairCounter(Protocol):
    """Somebody who can count values of a source."""

    @property
    def rows(self) -> int:
        """Number of rows."""

    @property
    def dtypes(self) -> Mapping[str, pl.DataType]:
        """Types of the columns."""

    def sums(self, names: Sequence[str], pairs: Sequence[tuple[int, int]], bins: Bins) -> Sums:
        """Sum up the contingency tables of pairs of columns, some of them by bins.

        Raises
        ------
        DataError
            If two columns have more pairs of values than can be counted or verified.
        """

    def harmless(self, said: Harmless) -> Mapping[str, int]:
        """Rows of some columns whose value is among the harmless ones."""

    def same_values(self, one: str, other: str) -> bool:
        """Whether two columns hold the same values, each of them once and none NULL."""


@dataclass(frozen=True, eq=False)
class TablePlan:
    """Which columns go into which table.

    Attributes
    ----------
    policy
        The whole order.
    known
        How sensitive columns depend on each other.
    planned
        The tables of sensitive columns.
    plain
        Number of the table, from 1, of each plain column.
    """

    policy: Policy
    known: Dependencies
    planned: Planned
    plain: Mapping[str, int]

    def orders(self, name: str, method: str) -> Iterator[Policy]:
        """Orders for the tables of a plan, each as if it were the only one.

        Parameters
        ----------
        name
            Name of the whole table.
        method
            How to generalise each.
        """
        for number, columns in enumerate(self.planned.tables, 1):
            mine = [column for column, place in self.plain.items() if place == number]
            yield projected_policy(self.policy, name, number, (*columns, *mine), method)


def plan_tables(policy: Policy, counter: PairCounter) -> TablePlan:
    """Choose which sensitive columns go together, and where plain ones go.

    As :func:`papilio.families.projections.make.make_projected`.

    Raises
    ------
    DataError
        If there is too much to count, or if two columns would number the rows of different tables
        alike.
    InfeasibleError, PolicyError
        As for :func:`papilio.families.projections.make.plan_from`.
    """
    names = [*policy.with_role(Role.SENSITIVE), *policy.with_role(Role.PLAIN)]
    bins = policy.bins
    sums = counter.sums(names, pairs_of(policy), bins)
    known = dependencies_from(policy, counter, sums)
    planned, many = plan_from(known, policy), len(known.names)
    plain = {
        name: place_of_plain([shared_information(sums, i, many + at) for i in range(many)], planned)
        for at, name in enumerate(policy.with_role(Role.PLAIN))
    }
    # What numbers the rows is a matter of values, whatever they are measured by.
    itself = [(i, i) for i, name in enumerate(names) if name in bins]
    raw = counter.sums(names, itself, {}) if itself else {}
    _check_keys(counter, names, sums | raw, planned, plain)
    return TablePlan(policy, known, planned, plain)


def pairs_of(policy: Policy) -> list[tuple[int, int]]:
    """Each column with itself, sensitive columns with each other and with plain ones."""
    sensitive, plain = (len(policy.with_role(role)) for role in (Role.SENSITIVE, Role.PLAIN))
    itself = [(i, i) for i in range(sensitive + plain)]
    together = list(combinations(range(sensitive), 2))
    return [
        *itself,
        *together,
        *((i, sensitive + j) for i in range(sensitive) for j in range(plain)),
    ]


def dependencies_from(policy: Policy, counter: PairCounter, sums: Sums) -> Dependencies:
    """How sensitive columns depend on each other, from sums over their values."""
    names = policy.with_role(Role.SENSITIVE)
    said = harmless_values(policy, {})
    asked = {name: said[name] for name in names if name in said}
    found = counter.harmless(asked) if asked else {}
    return dependencies_of_sums(names, sums, [found.get(name, 0) for name in names])


def _check_keys(
    counter: PairCounter,
    names: Sequence[str],
    sums: Sums,
    planned: Planned,
    plain: Mapping[str, int],
) -> None:
    """Refuse two columns that would number the rows of different tables alike."""
    places = {name: place for place, table in enumerate(planned.tables, 1) for name in table}
    where, dtypes = {**places, **plain}, counter.dtypes
    # As many different values as rows: NULL, of which several are one value, is at most one.
    keys = [name for i, name in enumerate(names) if sums[i, i].pairs == counter.rows > 1]
    for one, other in combinations(keys, 2):
        apart = where[one] != where[other] and dtypes[one] == dtypes[other]
        if apart and counter.same_values(one, other):
            raise shared_key(one, other)


def as_texts(series: pl.Series) -> pl.Series:
    """Text that tells equal values from different ones; NULL is one more value."""
    return ("=" + series.cast(pl.String)).fill_null("").alias(series.name)


def projected_policy(
    policy: Policy, name: str, number: int, columns: tuple[str, ...], method: str
) -> Policy:
    """The order for one table of a plan, as if it were the only one.

    Parameters
    ----------
    policy
        The whole order.
    name, number
        Name of the whole table, and number of this one.
    columns
        Its sensitive and plain columns.
    method
        How to generalise it.
    """
    wanted = {*policy.quasi, *columns}
    privacy, about = policy.privacy, {*wanted, EVERY}
    demands = {
        key: {column: each for column, each in getattr(privacy, key).items() if column in about}
        for key in ("l", "t")
    }
    limits = dict.fromkeys(("association_loss", "exposure", "generalisation_loss"))
    return policy.model_copy(
        update={
            "source": (policy.source or SourcePolicy()).model_copy(
                update={"name": f"{name}_{number}"}
            ),
            "columns": {n: each for n, each in policy.columns.items() if n in wanted},
            "privacy": privacy.model_copy(update={**demands, **limits}),
            "method": method,
            "generalise": None,
            "plan": None,
        }
    )
