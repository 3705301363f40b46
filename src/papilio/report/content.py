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
from papilio.report.head import Promise, ReportHead, head_of
from papilio.report.recipients import Sharing, sharing_of
from papilio.report.risk import RiskContent
from papilio.verify.verdict import Verdict

#: Rows shown before and after.
EXAMPLES = 5


@dataclass(frozen=True, kw_only=True)
class ReportContent(ReportHead):
    """Everything on the page.

    Attributes
    ----------
    columns
        Its columns and how they are published.
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
    sharing
        What there is to say because there are several recipients; ``None`` if there is one.
    risk
        How easily people are found; ``None`` if nobody asked.
    """

    columns: tuple[PublishedColumn, ...]
    k: int | None
    sizes: ClassSizes
    loss: Ncp
    discernibility: int
    uncertainty_penalty: float
    distributions: tuple[Distribution, ...]
    examples: tuple[ExampleRow, ...]
    sharing: Sharing | None = None
    risk: RiskContent | None = None


def collect(
    release: Release,
    original: Table,
    verdict: Verdict,
    why: str,
    *,
    made: date | None = None,
    risk: RiskContent | None = None,
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
    risk
        How easily people are found, if the report is to say it.

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
    head = head_of(
        release,
        original.name,
        verdict,
        why,
        made,
        promises=tuple(Promise(claim.recipient, promise(claim)) for claim in manifest.claims),
        assumptions=assumptions(manifest.claims),
        limits=limits(manifest.claims),
    )
    return ReportContent(
        **vars(head),
        columns=manifest.table(original.name).columns,
        k=_least_size(manifest.claims),
        sizes=class_sizes(classes),
        loss=loss,
        discernibility=discernibility(classes),
        uncertainty_penalty=uncertainty_penalty(classes),
        distributions=shares,
        examples=tuple(example_rows(release, original, EXAMPLES)),
        sharing=sharing_of(release, original, verdict, loss),
        risk=risk,
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
