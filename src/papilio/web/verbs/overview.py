"""A release of a project at a glance."""

from __future__ import annotations

from pathlib import Path

from papilio.progress import Progress
from papilio.report.overview.overview import Overview
from papilio.web.allowed import policy_in
from papilio.web.project import Project
from papilio.web.records import load_record, with_loss
from papilio.workflow.overview import overview as overview_of_release


def overview(folder: Path, tell: Progress, text: str, number: int) -> Overview:
    """Gather what the Result page shows.

    Parameters
    ----------
    folder, tell
        As for every verb.
    text
        The policy the release was made with.
    number
        Number of the release.
    """
    project = Project(folder.name, folder)
    policy = policy_in(folder, text)
    found = overview_of_release(project.release(number), original=policy, progress=tell)
    record = load_record(project, number)
    if record is not None:
        with_loss(folder, record, found.loss)
    return found
