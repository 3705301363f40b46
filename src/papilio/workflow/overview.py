"""A release at a glance, beside its original: what pages show of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.policy.policy import Policy
from papilio.progress import Progress, silent
from papilio.release.release import Release
from papilio.report.overview.overview import Overview
from papilio.workflow.report_content import report_content, report_kind


def overview(
    release: Release | str | Path,
    *,
    original: Policy,
    data: Any = None,
    progress: Progress | None = None,
) -> Overview:
    """Gather what there is to say and to draw about a release.

    Parameters
    ----------
    release
        A release or the directory of one.
    original
        The policy it was made with.
    data
        The original as a frame, instead of the policy's source.
    progress
        Told of each stage.

    Raises
    ------
    ReleaseError
        If the release is not what its manifest says, or was made with another policy.

    Notes
    -----
    For the owner's eyes: it shows rows of the original. Cost: verification, one reading of the
    original, and about 50 ms per drawing.
    """
    opened = release if isinstance(release, Release) else Release.open(release)
    kind, content = report_content(release, original, data, progress or silent)
    return report_kind(kind).overview(content, opened)
