"""What there is to say about a release beside its original, for reports and pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papilio.attack.homogeneity import homogeneity
from papilio.attack.risk import views_of
from papilio.data.table import Table
from papilio.errors import ReleaseError
from papilio.families import choose
from papilio.policy.order import order_of
from papilio.policy.policy import Policy
from papilio.progress import Progress
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release
from papilio.report.head import ReportHead
from papilio.report.overview.overview import Overview
from papilio.report.risk import RiskContent
from papilio.verify.verdict import Verdict
from papilio.workflow.as_described import check_as_described
from papilio.workflow.risk import assumption_of, check_population
from papilio.workflow.verify import verify


@dataclass(frozen=True)
class Asked:
    """What a report is asked for: a release, the policy and the data it was made with.

    ``verdict`` is what the verifier says of the release alone.
    """

    release: Release
    policy: Policy
    data: Any
    verdict: Verdict
    population: int | None


@dataclass(frozen=True)
class ReportKind:
    """How a kind of release is reported on.

    Attributes
    ----------
    collect
        Gathers what there is to say; the class of what it gives goes with the kind.
    page
        Writes that as a page.
    overview
        Makes it the overview of the release.
    """

    collect: Callable[[Asked], ReportHead]
    page: Callable[[Any], str]
    overview: Callable[[Any, Release], Overview]


def report_kind(kind: str) -> ReportKind:
    """Look up how releases of a kind are reported on; only what this kind needs is loaded."""
    match kind:
        case "permuted":
            from papilio.report.overview.permuted import permuted
            from papilio.report.permuted_page import render_permuted

            return ReportKind(_permuted, render_permuted, permuted)
        case "disguised":
            from papilio.report.disguised_page import render_disguised
            from papilio.report.overview.disguised import disguised

            return ReportKind(_disguised, render_disguised, disguised)
        case "projected":
            from papilio.report.overview.projected import projected
            from papilio.report.projected_page import render_projected

            return ReportKind(_projected, render_projected, lambda content, _: projected(content))
        case "linked":
            from papilio.report.linked_page import render_linked
            from papilio.report.overview.linked import linked

            return ReportKind(_linked, render_linked, lambda content, _: linked(content))
        case "graph":
            from papilio.report.graph_page import render_graph
            from papilio.report.overview.graph import graph

            return ReportKind(_graph, render_graph, lambda content, _: graph(content))
        case _:
            from papilio.report.overview.generalised import generalised
            from papilio.report.page import render

            return ReportKind(_generalised, render, lambda content, _: generalised(content))


def report_content(
    release: Release | str | Path,
    original: Policy,
    data: Any,
    tell: Progress,
    population: int | None = None,
) -> tuple[str, ReportHead]:
    """Verify a release, read its original, and gather what a report says.

    Returns the kind of the release and the content, whose class goes with the kind.

    Raises
    ------
    ReleaseError
        If the release is not what its manifest says, or was made with another policy.
    """
    tell("verifying", 0.0)
    verdict = verify(release)
    _check_readable(verdict)
    tell("reading", 0.2)
    opened = release if isinstance(release, Release) else Release.open(release)
    asked = Asked(opened, original, data, verdict, population)
    content = report_kind(opened.manifest.kind).collect(asked)
    tell("drawing", 0.6)
    return opened.manifest.kind, content


def _generalised(asked: Asked) -> ReportHead:
    from papilio.report.content import collect

    table = asked.release.manifest.tables[0]
    order, _ = order_of(asked.data, asked.policy, table.name)
    _check_columns(table, order.table)
    why = choose(asked.policy, order.table.height).why
    risk = _risk(asked, order.table)
    return collect(asked.release, order.table, asked.verdict, why, risk=risk)


def _risk(asked: Asked, table: Table) -> RiskContent:
    """How easily people are found; attacks that take longer are left to :mod:`workflow.risk`."""
    check_population(asked.population, table.height)
    learnt = homogeneity(asked.release, table, asked.policy)
    views = views_of(asked.release, table, asked.policy, asked.population)
    return RiskContent(views, assumption_of(asked.population), tuple(learnt))


def _graph(asked: Asked) -> ReportHead:
    from papilio.report.graph_content import collect_graph

    if asked.policy.graph is None:
        raise ReleaseError(
            "the release is a graph and the policy is not for one; give the policy it was made "
            "with",
            reason="another-policy",
        )
    verdict = _beside_original(asked)
    return collect_graph(asked.release, verdict, choose(asked.policy, 0).why)


def _permuted(asked: Asked) -> ReportHead:
    from papilio.report.permuted_content import collect_permuted

    if asked.policy.family.name != "permutation":
        raise ReleaseError(
            "the release is a permutation and the policy is not for one; give the policy it was "
            "made with",
            reason="another-policy",
        )
    verdict = _beside_original(asked)
    _check_readable(verdict)
    return collect_permuted(asked.release, verdict, choose(asked.policy, 0).why)


def _disguised(asked: Asked) -> ReportHead:
    from papilio.report.disguised_content import collect_disguised

    if not asked.policy.privacy.target:
        raise ReleaseError(
            "the release is disguised and the policy names no target; give the policy it was made "
            "with",
            reason="another-policy",
        )
    order, _ = order_of(asked.data, asked.policy, asked.release.manifest.tables[0].name)
    verdict = _beside_original(asked)
    _check_readable(verdict)
    return collect_disguised(asked.release, order.table, verdict, choose(asked.policy, 0).why)


def _projected(asked: Asked) -> ReportHead:
    from papilio.families.projections.planning import dependencies_of, limits_of
    from papilio.report.projected import collect_projected

    name = asked.release.manifest.tables[0].name.rpartition("_")[0]
    order, _ = order_of(asked.data, asked.policy, name)
    verdict = _beside_original(asked)
    why = choose(asked.policy, order.table.height).why
    known, allowed = dependencies_of(order, asked.policy), limits_of(asked.policy)
    return collect_projected(asked.release, order.table, known, allowed, verdict, why)


def _linked(asked: Asked) -> ReportHead:
    from papilio.families.linked.make import limits_of, linked_order_of
    from papilio.report.linked_content import collect_linked

    verdict = _beside_original(asked)
    order, _ = linked_order_of(asked.data, asked.policy)
    why = choose(asked.policy, order.snowflake.person.height).why
    return collect_linked(
        asked.release, order.snowflake, verdict, why, at_most=limits_of(asked.policy)
    )


def _beside_original(asked: Asked) -> Verdict:
    """Verify the release once more, as what the original has become."""
    release = asked.release
    return verify(release.directory or release, original=asked.policy, data=asked.data)


def _check_readable(verdict: Verdict) -> None:
    """Refuse a release that is not what its manifest says; a claim may be violated."""
    check_as_described(verdict, "reported on")


def _check_columns(published: PublishedTable, original: Table) -> None:
    known = original.frame.columns
    strange = [column.name for column in published.columns if column.name not in known]
    if strange:
        raise ReleaseError(
            f"the policy does not publish '{strange[0]}', which the release has; give the policy "
            "it was made with",
            reason="another-policy",
        )
