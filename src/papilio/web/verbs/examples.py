"""Questions that fit a release of a project."""

from __future__ import annotations

from pathlib import Path

from papilio.progress import Progress
from papilio.release.release import Release
from papilio.web.project import Project
from papilio.workflow.example_questions import example_questions


def examples(folder: Path, tell: Progress, number: int) -> tuple[str, ...]:
    """Write queries that the release with this number answers."""
    tell("reading", 0.0)
    return example_questions(Release.open(Project(folder.name, folder).release(number)))
