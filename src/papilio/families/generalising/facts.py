"""What there is to know about one generalised table beside its original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from papilio.attack.holdings import holdings_after
from papilio.attack.result import AttackResult
from papilio.data.table import Role, Table
from papilio.errors import DataError
from papilio.families.generalising.distributions import Distribution, distributions
from papilio.families.generalising.example_rows import ExampleRow, example_rows
from papilio.measure.losses import Ncp, discernibility, ncp, uncertainty_penalty
from papilio.measure.published_classes import ClassSizes, class_sizes, published_classes
from papilio.policy.policy import Policy
from papilio.privacy.safe_cells import SafeCells
from papilio.release.manifest import Claim, PublishedColumn
from papilio.release.release import Release

#: Rows shown before and after.
EXAMPLES = 5


@dataclass(frozen=True)
class PeopleFacts:
    """People of a release, and people in the class that has fewest of them."""

    people: int
    fewest: int


@dataclass(frozen=True)
class TableFacts:
    """Figures of a generalised table.

    Attributes
    ----------
    name, columns
        The table, its columns and how they are published.
    k
        Least class size that is claimed, if any claim has one.
    sizes
        Sizes of the classes.
    loss
        Normalised certainty penalty, overall and per column.
    discernibility
        Sum of squared class sizes.
    uncertainty_penalty
        Sum over rows and columns of the share of the domain a cell spans.
    distributions
        Each quasi-identifier before and after.
    examples
        Rows before and after.
    people
        People, if they may have several rows.
    alone
        What attackers found who have the release and nothing else.
    """

    name: str
    columns: tuple[PublishedColumn, ...]
    k: int | None
    sizes: ClassSizes
    loss: Ncp
    discernibility: int
    uncertainty_penalty: float
    distributions: tuple[Distribution, ...]
    examples: tuple[ExampleRow, ...]
    people: PeopleFacts | None = None
    alone: tuple[AttackResult, ...] = ()


def table_facts(release: Release, original: Table, policy: Policy) -> TableFacts:
    """Measure a generalised table beside its original, and read what follows from it alone.

    Raises
    ------
    DataError
        If the release was not made from this original, as far as columns and labels tell.
    """
    check_fit(release, original)
    # First, because it tells an original that does not fit from one that does.
    shares = distributions(release, original)
    classes = published_classes(release, original)
    return TableFacts(
        name=original.name,
        columns=release.manifest.table(original.name).columns,
        k=least_size(release.manifest.claims),
        sizes=class_sizes(classes),
        loss=ncp(classes),
        discernibility=discernibility(classes),
        uncertainty_penalty=uncertainty_penalty(classes),
        distributions=shares,
        examples=tuple(example_rows(release, original, EXAMPLES)),
        people=people_facts(release, original, [c.name for c in original.with_role(Role.QUASI)]),
        alone=found_alone(release, original, policy),
    )


def found_alone(release: Release, original: Table, policy: Policy) -> tuple[AttackResult, ...]:
    """What attackers of the policy's family find who have the release and nothing else."""
    attacks = (each for each in policy.family.attacks if each.alone)
    return tuple(found for each in attacks for found in each.on(release, original, policy))


def people_facts(release: Release, original: Table, columns: Sequence[str]) -> PeopleFacts | None:
    """Count people as somebody sees them who knows some columns; ``None`` if rows are people.

    Cost: that of :func:`papilio.attack.holdings.holdings_after`.
    """
    if original.people is None:
        return None
    held = holdings_after(release, release.manifest.table(original.name), original, columns)
    return PeopleFacts(held.people, int(held.people_of_classes.min(initial=held.people)))


def check_fit(release: Release, original: Table) -> None:
    """Refuse an original whose columns are not those the release describes."""
    described = release.manifest.table(original.name).columns
    published = [(column.name, column.role, column.type) for column in described]
    if published != [(column.name, column.role, column.type) for column in original.columns]:
        raise DataError(
            f"table '{original.name}': the columns of the release, their roles and types are not "
            "those of the original; use the policy and the data it was made with",
            reason="other-original",
        )


def least_size(claims: tuple[Claim, ...]) -> int | None:
    """The largest k that is claimed: classes are at least as large."""
    sizes = (claim.parameters.get("k") for claim in claims if claim.claim != SafeCells.name)
    return max((size for size in sizes if isinstance(size, int)), default=None)
