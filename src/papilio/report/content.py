"""All that the report says, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from papilio.data.table import Table
from papilio.errors import DataError
from papilio.measure.class_sizes import ClassSizes, class_sizes
from papilio.measure.discernibility import discernibility
from papilio.measure.ncp import Ncp, ncp
from papilio.measure.published_classes import published_classes
from papilio.measure.uncertainty_penalty import uncertainty_penalty
from papilio.release.manifest import Claim, PublishedColumn
from papilio.release.release import Release
from papilio.report.contract import assumptions, limits, promise
from papilio.report.distributions import Distribution, distributions
from papilio.report.example_rows import ExampleRow, example_rows
from papilio.report.recipients import Sharing, sharing_of
from papilio.verify.verdict import Verdict
from papilio.version import __version__

#: Rows shown before and after.
EXAMPLES = 5


@dataclass(frozen=True)
class Promise:
    """A claim in a sentence, and the recipient it holds for."""

    recipient: str
    sentence: str


@dataclass(frozen=True)
class ReportContent:
    """Everything on the page.

    Attributes
    ----------
    title
        Heading of the page.
    table
        Name of the table.
    columns
        Its columns and how they are published.
    method, why
        The method and the reason for it.
    promises
        The claims in sentences.
    assumptions
        What the claims assume about the attacker.
    limits
        What the claims do not protect against: a name and an explanation each.
    k
        Least class size that is claimed, if any claim has one.
    verdict
        What the verifier found.
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
    seeded
        Whether the release was made with a seed and must not go out.
    papilio
        Version of Papilio that wrote the report.
    made
        When the report was written.
    sharing
        What there is to say because there are several recipients; ``None`` if there is one.
    """

    title: str
    table: str
    columns: tuple[PublishedColumn, ...]
    method: str
    why: str
    promises: tuple[Promise, ...]
    assumptions: tuple[str, ...]
    limits: tuple[tuple[str, str], ...]
    k: int | None
    verdict: Verdict
    sizes: ClassSizes
    loss: Ncp
    discernibility: int
    uncertainty_penalty: float
    distributions: tuple[Distribution, ...]
    examples: tuple[ExampleRow, ...]
    seeded: bool
    papilio: str
    made: date
    sharing: Sharing | None = None


def collect(
    release: Release, original: Table, verdict: Verdict, why: str, *, made: date | None = None
) -> ReportContent:
    """Gather what the report says about a release of one table.

    Parameters
    ----------
    release
        A generalised release.
    original
        The table it was made from.
    verdict
        What the verifier found.
    why
        Why its method was taken, in a sentence.
    made
        Date of the report; left out, today.

    Raises
    ------
    DataError
        If the release was not made from this original, as far as columns and labels tell.
    """
    check_fit(release, original)
    manifest = release.manifest
    # First, because it tells an original that does not fit from one that does.
    shares = distributions(release, original)
    classes = published_classes(release, original)
    loss = ncp(classes)
    return ReportContent(
        title=f"Anonymisation report: {original.name}",
        table=original.name,
        columns=manifest.table(original.name).columns,
        method=manifest.method,
        why=why,
        promises=tuple(Promise(claim.recipient, promise(claim)) for claim in manifest.claims),
        assumptions=assumptions(manifest.claims),
        limits=limits(manifest.claims),
        k=_least_size(manifest.claims),
        verdict=verdict,
        sizes=class_sizes(classes),
        loss=loss,
        discernibility=discernibility(classes),
        uncertainty_penalty=uncertainty_penalty(classes),
        distributions=shares,
        examples=tuple(example_rows(release, original, EXAMPLES)),
        seeded=manifest.seeded,
        papilio=__version__,
        made=made or date.today(),
        sharing=sharing_of(release, original, verdict, loss),
    )


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


def _least_size(claims: tuple[Claim, ...]) -> int | None:
    return max(
        (int(claim.parameters["k"]) for claim in claims if "k" in claim.parameters), default=None
    )
