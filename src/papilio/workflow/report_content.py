"""What there is to say about a release beside its original, for reports and pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.attack.homogeneity import homogeneity
from papilio.attack.risk import views_of
from papilio.data.table import Table
from papilio.errors import ReleaseError
from papilio.methods.choose import choose
from papilio.policy.policy import Policy
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release
from papilio.report.head import ReportHead
from papilio.report.risk import RiskContent
from papilio.verify.verdict import Status, Verdict
from papilio.workflow.order import order_of
from papilio.workflow.progress import Progress
from papilio.workflow.risk import assumption_of, check_population
from papilio.workflow.verify import verify


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
    match opened.manifest.kind:
        case "graph":
            content = _graph(opened, original, data)
        case "permuted":
            content = _permuted(opened, original, data)
        case "disguised":
            content = _disguised(opened, original, data)
        case "linked":
            content = _linked(opened, original, data)
        case "projected":
            content = _projected(opened, original, data)
        case _:
            content = _generalised(opened, original, data, verdict, population)
    tell("drawing", 0.6)
    return opened.manifest.kind, content


def _generalised(
    release: Release, policy: Policy, data: Any, verdict: Verdict, population: int | None
) -> ReportHead:
    from papilio.report.content import collect

    table = release.manifest.tables[0]
    order, _ = order_of(data, policy, table.name)
    _check_columns(table, order.table)
    why = choose(policy, order.table.height).why
    risk = _risk(release, order.table, policy, population)
    return collect(release, order.table, verdict, why, risk=risk)


def _risk(release: Release, table: Table, policy: Policy, population: int | None) -> RiskContent:
    """How easily people are found; attacks that take longer are left to :mod:`workflow.risk`."""
    check_population(population, table)
    learnt = homogeneity(release, table, policy)
    views = views_of(release, table, policy, population)
    return RiskContent(views, assumption_of(population), tuple(learnt))


def _graph(release: Release, policy: Policy, data: Any) -> ReportHead:
    from papilio.report.graph_content import collect_graph

    if policy.graph is None:
        raise ReleaseError(
            "the release is a graph and the policy is not for one; give the policy it was made "
            "with",
            reason="another-policy",
        )
    verdict = verify(release.directory or release, original=policy, data=data)
    return collect_graph(release, verdict, choose(policy, 0).why)


def _permuted(release: Release, policy: Policy, data: Any) -> ReportHead:
    from papilio.report.permuted_content import collect_permuted

    if not policy.permutes:
        raise ReleaseError(
            "the release is a permutation and the policy is not for one; give the policy it was "
            "made with",
            reason="another-policy",
        )
    verdict = verify(release.directory or release, original=policy, data=data)
    _check_readable(verdict)
    return collect_permuted(release, verdict, choose(policy, 0).why)


def _disguised(release: Release, policy: Policy, data: Any) -> ReportHead:
    from papilio.report.disguised_content import collect_disguised

    if not policy.privacy.target:
        raise ReleaseError(
            "the release is disguised and the policy names no target; give the policy it was made "
            "with",
            reason="another-policy",
        )
    order, _ = order_of(data, policy, release.manifest.tables[0].name)
    verdict = verify(release.directory or release, original=policy, data=data)
    _check_readable(verdict)
    return collect_disguised(release, order.table, verdict, choose(policy, 0).why)


def _projected(release: Release, policy: Policy, data: Any) -> ReportHead:
    from papilio.report.projected import collect_projected
    from papilio.workflow.planning import dependencies_of, limits_of

    name = release.manifest.tables[0].name.rpartition("_")[0]
    order, _ = order_of(data, policy, name)
    verdict = verify(release.directory or release, original=policy, data=data)
    why = choose(policy, order.table.height).why
    known, allowed = dependencies_of(order, policy), limits_of(policy)
    return collect_projected(release, order.table, known, allowed, verdict, why)


def _linked(release: Release, policy: Policy, data: Any) -> ReportHead:
    from papilio.report.linked_content import collect_linked
    from papilio.workflow.make.linked import limits_of, linked_order_of

    verdict = verify(release.directory or release, original=policy, data=data)
    order, _ = linked_order_of(data, policy)
    why = choose(policy, order.snowflake.person.height).why
    return collect_linked(release, order.snowflake, verdict, why, at_most=limits_of(policy))


def _check_readable(verdict: Verdict) -> None:
    """Refuse a release that is not what its manifest says; a claim may be violated."""
    for finding in verdict.findings:
        if finding.recipient is None and finding.status is not Status.HOLDS:
            raise ReleaseError(
                f"the release cannot be reported on: {finding.claim}: {finding.measured}",
                reason="not-as-described",
            )


def _check_columns(published: PublishedTable, original: Table) -> None:
    known = original.frame.columns
    strange = [column.name for column in published.columns if column.name not in known]
    if strange:
        raise ReleaseError(
            f"the policy does not publish '{strange[0]}', which the release has; give the policy "
            "it was made with",
            reason="another-policy",
        )
