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
from papilio.report.write import check_place, write_report
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
    table = opened.manifest.tables[0]
    order, _ = order_of(data, original, table.name)
    _check_columns(table, order.table)
    tell("drawing", 0.4)
    content = collect(opened, order.table, verdict, choose(original, order.table.height).why)
    return write_report(content, Path(path), overwrite=overwrite)


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
