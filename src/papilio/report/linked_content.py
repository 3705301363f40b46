"""All that the report on linked tables says, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from papilio.data.snowflake import Snowflake
from papilio.measure.class_sizes import ClassSizes, class_sizes
from papilio.measure.linked_loss import TableLoss, linked_loss
from papilio.measure.published_classes import PublishedClasses
from papilio.release.manifest import Claim, PublishedTable
from papilio.release.release import Release
from papilio.report.head import Promise, ReportHead, head_of
from papilio.report.linked_example import ExampleEntity, example_entity
from papilio.report.number_text import count, plural
from papilio.verify.linked_classes import people_per_class
from papilio.verify.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class LinkedContent(ReportHead):
    """Everything on the page; the first attributes are those of every report.

    Attributes
    ----------
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

    tables: tuple[PublishedTable, ...]
    losses: tuple[TableLoss, ...]
    sizes: ClassSizes
    k: int | None
    example: ExampleEntity | None


def collect_linked(
    release: Release,
    original: Snowflake,
    verdict: Verdict,
    why: str,
    *,
    at_most: Mapping[str, int] | None = None,
    made: date | None = None,
) -> LinkedContent:
    """Gather what the report says about linked tables.

    Parameters
    ----------
    release, original
        The tables after and before.
    verdict
        What the verifier found.
    why
        Why the method was taken, in a sentence.
    at_most
        Limits of the policy on rows below one row, by table.
    made
        Date of the report; left out, today.
    """
    manifest = release.manifest
    sizes = people_per_class(release)
    name = original.person.name
    head = head_of(
        release,
        name,
        verdict,
        why,
        made,
        promises=tuple(Promise(claim.recipient, _promise(claim)) for claim in manifest.claims),
        assumptions=_ASSUMPTIONS,
        limits=_LIMITS,
    )
    return LinkedContent(
        **vars(head),
        tables=manifest.tables,
        losses=linked_loss(original, release, at_most),
        sizes=class_sizes(PublishedClasses(sizes, {}, {})),
        k=next((c.parameters["k"] for c in manifest.claims if "k" in c.parameters), None),
        example=example_entity(release, original),
    )


def _promise(claim: Claim) -> str:
    if "k" in claim.parameters:
        k = claim.parameters["k"]
        return (
            "Whatever someone knows of the quasi-identifiers of a person’s rows, in however many "
            f"tables, fits at least {plural(k, 'person', 'people')} of this release or none; they "
            f"pick the right one with a chance of at most 1 in {count(k)}."
        )
    said = ", ".join(
        f"{key} = {value}" for key, value in claim.parameters.items() if key != "column"
    )
    kind = claim.claim.removeprefix("entity-")
    return (
        f"Wherever a row of ‘{claim.table}’ stands in the trees of a class, the values of "
        f"‘{claim.parameters.get('column')}’ there meet {kind} with {said}."
    )


_ASSUMPTIONS = (
    "The attacker knows quasi-identifiers, of any rows of a person in any table, and how many rows "
    "there are; no sensitive value.",
    "The attacker has this release and no other release about the same people.",
    "Keys are drawn at random and rows are shuffled, so neither tells anything.",
)
_LIMITS = (
    (
        "Homogeneity",
        "If the rows at one place of the trees of a class share a sensitive value, everyone in the "
        "class has it. Demand l of the column against that.",
    ),
    (
        "Sensitive values as clues",
        "A row keeps its sensitive values, also beside those of the person’s other rows. Someone "
        "who knows one of them may find the person and read the rest.",
    ),
    (
        "Removed rows",
        "Rows without counterpart in their class are missing. Counts over the release are lower "
        "bounds, and removal falls on unusual people first.",
    ),
    (
        "Joining two releases",
        "Two releases about the same people, each anonymous by itself, may single people out when "
        "they are joined.",
    ),
)
