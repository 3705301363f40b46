"""The owner's report on a release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.methods.choose import choose
from papilio.policy.policy import Policy
from papilio.release.release import Release
from papilio.release.store import disk_faults
from papilio.report.content import collect
from papilio.report.write import check_place, write_report
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
    """
    tell = progress or silent
    with disk_faults(Path(path)):
        check_place(Path(path), overwrite=overwrite)
    tell("reading", 0.0)
    opened = release if isinstance(release, Release) else Release.open(release)
    name = opened.manifest.tables[0].name
    order, _ = order_of(data, original, name)
    tell("verifying", 0.2)
    verdict = verify(release)
    tell("drawing", 0.4)
    content = collect(opened, order.table, verdict, choose(original, order.table.height).why)
    return write_report(content, Path(path), overwrite=overwrite)
