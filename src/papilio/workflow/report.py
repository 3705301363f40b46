"""The owner's report on a release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.data.table import Table
from papilio.errors import ReleaseError
from papilio.methods.choose import choose
from papilio.policy.policy import Policy
from papilio.release.manifest import PublishedTable
from papilio.release.release import Release
from papilio.release.store import disk_faults
from papilio.report.content import collect
from papilio.report.permuted_content import collect_permuted
from papilio.report.permuted_page import render_permuted
from papilio.report.write import check_place, write_page, write_report
from papilio.verify.verdict import Status, Verdict
from papilio.workflow.order import order_of
from papilio.workflow.progress import Progress, silent
from papilio.workflow.verify import verify


def report(
    release: Release | str | Path,
    path: str | Path,
    *,
    original: Policy,
    data: Any = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Write one self-contained HTML file for the owner's eyes.

    Parameters
    ----------
    release
        A release or the directory of one.
    path
        The file to write; never inside a release directory.
    original
        The policy the release was made with.
    data
        The original as a frame, instead of the policy's source.
    overwrite
        Replace the file if it exists.
    progress
        Told of each stage.

    Raises
    ------
    ReleaseError
        If the release is not what its manifest says, or was made with another policy.
    """
    tell = progress or silent
    with disk_faults(Path(path)):
        check_place(Path(path), overwrite=overwrite)
    tell("verifying", 0.0)
    verdict = verify(release)
    _check_readable(verdict)
    tell("reading", 0.2)
    opened = release if isinstance(release, Release) else Release.open(release)
    if opened.manifest.kind == "graph":
        return _graph(opened, Path(path), original, data, overwrite=overwrite)
    if opened.manifest.kind == "permuted":
        return _permuted(opened, Path(path), original, data, overwrite=overwrite)
    if opened.manifest.kind == "disguised":
        return _disguised(opened, Path(path), original, data, overwrite=overwrite)
    if opened.manifest.kind == "linked":
        return _linked(opened, Path(path), original, data, overwrite=overwrite)
    if opened.manifest.kind == "projected":
        return _projected(opened, Path(path), original, data, overwrite=overwrite)
    table = opened.manifest.tables[0]
    order, _ = order_of(data, original, table.name)
    _check_columns(table, order.table)
    tell("drawing", 0.4)
    content = collect(opened, order.table, verdict, choose(original, order.table.height).why)
    return write_report(content, Path(path), overwrite=overwrite)


def _graph(release: Release, path: Path, policy: Policy, data: Any, *, overwrite: bool) -> Path:
    """Write the report on a graph."""
    from papilio.report.graph_content import collect_graph
    from papilio.report.graph_page import render_graph

    if policy.graph is None:
        raise ReleaseError(
            "the release is a graph and the policy is not for one; give the policy it was made "
            "with",
            reason="another-policy",
        )
    verdict = verify(release.directory or release, original=policy, data=data)
    content = collect_graph(release, verdict, choose(policy, 0).why)
    return write_page(render_graph(content), path, overwrite=overwrite)


def _permuted(release: Release, path: Path, policy: Policy, data: Any, *, overwrite: bool) -> Path:
    """Write the report on a permuted release."""
    if not policy.permutes:
        raise ReleaseError(
            "the release is a permutation and the policy is not for one; give the policy it was "
            "made with",
            reason="another-policy",
        )
    verdict = verify(release.directory or release, original=policy, data=data)
    _check_readable(verdict)
    content = collect_permuted(release, verdict, choose(policy, 0).why)
    return write_page(render_permuted(content), path, overwrite=overwrite)


def _disguised(release: Release, path: Path, policy: Policy, data: Any, *, overwrite: bool) -> Path:
    """Write the report on a disguised release."""
    from papilio.report.disguised_content import collect_disguised
    from papilio.report.disguised_page import render_disguised

    if not policy.privacy.target:
        raise ReleaseError(
            "the release is disguised and the policy names no target; give the policy it was made "
            "with",
            reason="another-policy",
        )
    order, _ = order_of(data, policy, release.manifest.tables[0].name)
    verdict = verify(release.directory or release, original=policy, data=data)
    _check_readable(verdict)
    content = collect_disguised(release, order.table, verdict, choose(policy, 0).why)
    return write_page(render_disguised(content), path, overwrite=overwrite)


def _projected(release: Release, path: Path, policy: Policy, data: Any, *, overwrite: bool) -> Path:
    """Write the report on a release of projections."""
    from papilio.report.projected import collect_projected
    from papilio.report.projected_page import render_projected
    from papilio.workflow.planning import dependencies_of, limits_of

    name = release.manifest.tables[0].name.rpartition("_")[0]
    order, _ = order_of(data, policy, name)
    verdict = verify(release.directory or release, original=policy, data=data)
    why = choose(policy, order.table.height).why
    known, allowed = dependencies_of(order, policy), limits_of(policy)
    content = collect_projected(release, order.table, known, allowed, verdict, why)
    return write_page(render_projected(content), path, overwrite=overwrite)


def _linked(release: Release, path: Path, policy: Policy, data: Any, *, overwrite: bool) -> Path:
    """Write the report on linked tables."""
    from papilio.report.linked_content import collect_linked
    from papilio.report.linked_page import render_linked
    from papilio.workflow.make.linked import limits_of, linked_order_of

    verdict = verify(release.directory or release, original=policy, data=data)
    order, _ = linked_order_of(data, policy)
    why = choose(policy, order.snowflake.person.height).why
    content = collect_linked(release, order.snowflake, verdict, why, at_most=limits_of(policy))
    return write_page(render_linked(content), path, overwrite=overwrite)


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
