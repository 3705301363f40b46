"""What there is to know about linked tables beside their original."""

from __future__ import annotations

from dataclasses import dataclass

from papilio.data.snowflake import Snowflake
from papilio.families.linked.example import ExampleEntity, example_entity
from papilio.families.linked.make import limits_of
from papilio.measure.class_sizes import ClassSizes, class_sizes
from papilio.measure.linked_loss import TableLoss, linked_loss
from papilio.measure.published_classes import PublishedClasses
from papilio.policy.policy import Policy
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release
from papilio.verify.linked_classes import people_per_class


@dataclass(frozen=True, kw_only=True)
class LinkedFacts:
    """Figures of linked tables.

    Attributes
    ----------
    name
        The table of people.
    tables
        The published tables and how they are read.
    losses
        What each table lost.
    sizes
        How many people have each tree.
    k
        Least number of people that is claimed.
    example
        One person before and after, if one can be shown.
    """

    name: str
    tables: tuple[PublishedTable, ...]
    losses: tuple[TableLoss, ...]
    sizes: ClassSizes
    k: int | None
    example: ExampleEntity | None


def linked_facts(release: Release, original: Snowflake, policy: Policy) -> LinkedFacts:
    """Measure linked tables beside their original."""
    manifest = release.manifest
    return LinkedFacts(
        name=original.person.name,
        tables=manifest.tables,
        losses=losses_of(release, original, policy),
        sizes=class_sizes(PublishedClasses(people_per_class(release), {}, {})),
        k=next((c.parameters["k"] for c in manifest.claims if "k" in c.parameters), None),
        example=example_entity(release, original),
    )


def losses_of(release: Release, original: Snowflake, policy: Policy) -> tuple[TableLoss, ...]:
    """What each table lost: rows, rows beyond the limits of the policy, and detail of cells."""
    return linked_loss(original, release, limits_of(policy))


def cell_loss(table: TableLoss) -> float:
    """Loss of an average cell of a table."""
    return sum(table.columns.values()) / len(table.columns) if table.columns else 0.0
