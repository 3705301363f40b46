"""What there is to know about a projected release beside its original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papilio.data.table import Role, Table
from papilio.errors import DataError
from papilio.families.projections.make import dependencies_of, limits_of
from papilio.families.projections.methods.codip import codip
from papilio.families.projections.methods.exact_plan import MOST_COLUMNS, front_of_plans
from papilio.families.projections.methods.plan import Limits, PlanPoint, weigh
from papilio.measure.dependencies import Dependencies
from papilio.measure.losses import Ncp, association_loss, exposure, ncp
from papilio.measure.published_classes import ClassSizes, class_sizes, published_classes
from papilio.policy.apply import Order
from papilio.policy.policy import Policy
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release


@dataclass(frozen=True)
class ProjectedTable:
    """One projected table.

    Attributes
    ----------
    name, sensitive, plain
        Its name and columns.
    sizes, loss
        Its classes, and what its quasi-identifiers lost.
    """

    name: str
    sensitive: tuple[str, ...]
    plain: tuple[str, ...]
    sizes: ClassSizes
    loss: Ncp


@dataclass(frozen=True, eq=False, kw_only=True)
class ProjectedFacts:
    """Figures of a projected release.

    Attributes
    ----------
    rows
        Number of people.
    known
        How the sensitive columns depend on each other.
    plan
        Numbers of the columns of each table.
    association_loss, exposure
        Ratios of the plan.
    allowed
        Limits of the policy on them.
    front
        All plans that no other beats; empty if there are too many columns to find them.
    greedy
        Plans that greedy merging passes through.
    tables
        The tables.
    """

    rows: int
    known: Dependencies
    plan: tuple[tuple[int, ...], ...]
    association_loss: float
    exposure: float
    allowed: Limits
    front: tuple[PlanPoint, ...]
    greedy: tuple[PlanPoint, ...]
    tables: tuple[ProjectedTable, ...]

    @property
    def loss(self) -> float:
        """Loss of an average cell, over the tables."""
        return average_loss(self.tables)


def projected_facts(release: Release, order: Order, policy: Policy) -> ProjectedFacts:
    """Measure a projected release beside its original.

    Raises
    ------
    DataError
        If the release was not made from this original, as far as columns tell.
    """
    original = order.table
    known = dependencies_of(order, policy)
    plan = _plan(release.manifest.tables, known)
    weights = weigh(known.information, known.exposable)
    few = len(known.names) <= MOST_COLUMNS
    return ProjectedFacts(
        rows=original.height,
        known=known,
        plan=plan,
        association_loss=association_loss(known, plan),
        exposure=exposure(known, plan),
        allowed=limits_of(policy),
        front=tuple(front_of_plans(weights)) if few else (),
        greedy=tuple(codip(weights, Limits())),
        tables=projected_tables(release, original),
    )


def projected_tables(release: Release, original: Table) -> tuple[ProjectedTable, ...]:
    """Classes and losses of each table. Cost: one grouping of its rows."""
    return tuple(_table(release, table, original) for table in release.manifest.tables)


def average_loss(tables: Sequence[ProjectedTable]) -> float:
    """Loss of an average cell, over the tables."""
    return sum(table.loss.overall for table in tables) / len(tables)


def _plan(tables: Sequence[PublishedTable], known: Dependencies) -> tuple[tuple[int, ...], ...]:
    number = {name: place for place, name in enumerate(known.names)}
    sensitive = [[c.name for c in table.columns if c.role == Role.SENSITIVE] for table in tables]
    if sorted(name for names in sensitive for name in names) != sorted(known.names):
        raise DataError(
            "the sensitive columns of the release are not those of the original; use the policy "
            "and the data it was made with",
            reason="other-original",
        )
    return tuple(tuple(number[name] for name in names) for names in sensitive)


def _table(release: Release, table: PublishedTable, original: Table) -> ProjectedTable:
    named = {column.name: column for column in original.columns}
    columns = tuple(named[column.name] for column in table.columns)
    part = Table(table.name, original.frame.select([c.name for c in columns]), columns)
    classes = published_classes(release, part)
    return ProjectedTable(
        table.name,
        tuple(c.name for c in columns if c.role is Role.SENSITIVE),
        tuple(c.name for c in columns if c.role is Role.PLAIN),
        class_sizes(classes),
        ncp(classes),
    )
