"""All that the report on a projected release says, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from papilio.data.roles import Role
from papilio.data.table import Table
from papilio.errors import DataError
from papilio.measure.association_loss import association_loss
from papilio.measure.class_sizes import ClassSizes, class_sizes
from papilio.measure.dependencies import Dependencies
from papilio.measure.exposure import exposure
from papilio.measure.ncp import Ncp, ncp
from papilio.measure.published_classes import published_classes
from papilio.methods.projections.codip import codip
from papilio.methods.projections.exact_plan import MOST_COLUMNS, front_of_plans
from papilio.methods.projections.plan import Limits, PlanPoint
from papilio.methods.projections.weights import weigh
from papilio.release.manifest import Claim, PublishedTable
from papilio.release.release import Release
from papilio.report.contract import assumptions, limits, promise
from papilio.report.head import Promise, ReportHead, head_of
from papilio.verify.verdict import Verdict

_JOINING = (
    "Dependencies across tables",
    "Tables are shuffled by themselves, so that nothing links their rows. Someone who knows from "
    "elsewhere how columns of different tables depend on each other can still tell likely "
    "combinations of a person’s values from unlikely ones.",
)
_WITHIN = (
    "Knowing a sensitive value",
    "Within a table, someone who knows one sensitive value of a person may read off the others. "
    "The exposure says how much of that is left; it is an average, not a bound for each person.",
)


@dataclass(frozen=True)
class TableContent:
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
class ProjectedContent(ReportHead):
    """Everything on the page; for the first parts see :class:`~papilio.report.content`.

    Attributes
    ----------
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
    tables: tuple[TableContent, ...]


def collect_projected(
    release: Release,
    original: Table,
    known: Dependencies,
    allowed: Limits,
    verdict: Verdict,
    why: str,
    *,
    made: date | None = None,
) -> ProjectedContent:
    """Gather what the report says about a projected release.

    Parameters
    ----------
    release, original
        The release and the table it was made from.
    known
        Dependencies of the sensitive columns of the original.
    allowed
        Limits of the policy.
    verdict, why, made
        As for :func:`papilio.report.content.collect`.

    Raises
    ------
    DataError
        If the release was not made from this original, as far as columns tell.
    """
    manifest = release.manifest
    plan = _plan(manifest.tables, known)
    weights = weigh(known.information, known.exposable)
    few = len(known.names) <= MOST_COLUMNS
    head = head_of(
        release,
        original.name,
        verdict,
        why,
        made,
        promises=tuple(_promises(manifest.claims)),
        assumptions=assumptions(manifest.claims),
        limits=(*limits(manifest.claims), _WITHIN, _JOINING),
    )
    return ProjectedContent(
        **vars(head),
        rows=original.height,
        known=known,
        plan=plan,
        association_loss=association_loss(known, plan),
        exposure=exposure(known, plan),
        allowed=allowed,
        front=tuple(front_of_plans(weights)) if few else (),
        greedy=tuple(codip(weights, Limits())),
        tables=tuple(_table(release, table, original) for table in manifest.tables),
    )


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


def _table(release: Release, table: PublishedTable, original: Table) -> TableContent:
    named = {column.name: column for column in original.columns}
    columns = tuple(named[column.name] for column in table.columns)
    part = Table(table.name, original.frame.select([c.name for c in columns]), columns)
    classes = published_classes(release, part)
    return TableContent(
        table.name,
        tuple(c.name for c in columns if c.role is Role.SENSITIVE),
        tuple(c.name for c in columns if c.role is Role.PLAIN),
        class_sizes(classes),
        ncp(classes),
    )


def _promises(claims: Sequence[Claim]) -> list[Promise]:
    """Sentences, one for all columns of a table of which the same is claimed."""
    grouped: dict[tuple[str, str, str], list[Claim]] = {}
    for claim in claims:
        others = {key: value for key, value in claim.parameters.items() if key != "column"}
        grouped.setdefault((claim.table, claim.claim, repr(others)), []).append(claim)
    return [
        Promise(f"{same[0].recipient}, of {table}", promise(_joined(same)))
        for (table, _, _), same in grouped.items()
    ]


def _joined(claims: list[Claim]) -> Claim:
    columns = [str(c.parameters["column"]) for c in claims if "column" in c.parameters]
    if len(columns) < 2:
        return claims[0]
    # The sentence puts quotation marks around the whole.
    return replace(claims[0], parameters={**claims[0].parameters, "column": "’, ‘".join(columns)})
