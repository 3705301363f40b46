"""The owner's report on a release of a project."""

from __future__ import annotations

from pathlib import Path

from papilio.progress import Progress
from papilio.web.allowed import policy_in
from papilio.web.project import Project
from papilio.workflow.report import report as report_on_release


def report(folder: Path, tell: Progress, text: str, number: int, name: str) -> str:
    """Write the report and give its name.

    Parameters
    ----------
    folder, tell
        As for every verb.
    text
        The policy the release was made with.
    number
        Number of the release.
    name
        Name of the file; one that exists is replaced.
    """
    report_on_release(
        Project(folder.name, folder).release(number),
        folder / "reports" / name,
        original=policy_in(folder, text),
        overwrite=True,
        progress=tell,
    )
    return name
