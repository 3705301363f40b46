"""What there is to say about a release of a project."""

from __future__ import annotations

from pathlib import Path

from papilio.document import Document
from papilio.progress import Progress
from papilio.web.allowed import policy_in
from papilio.web.project import Project
from papilio.web.records import load_record, with_loss
from papilio.workflow.report import document as document_of_release


def document(folder: Path, tell: Progress, text: str, number: int) -> Document:
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
    told = document_of_release(project.release(number), original=policy, progress=tell)
    record = load_record(project, number)
    if record is not None:
        with_loss(folder, record, told.loss)
    return told
