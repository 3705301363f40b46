"""What pages show before anything is published: a hierarchy, a target, values, questions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from papilio.progress import Progress
from papilio.release.release import Release
from papilio.web.allowed import allowed, policy_in
from papilio.web.project import Project
from papilio.web.verbs.profile import column_of, source_of
from papilio.workflow.ask import example_questions
from papilio.workflow.previews import preview_hierarchy, preview_target
from papilio.workflow.value_counts import count_values


def hierarchy_preview(
    folder: Path, tell: Progress, *, source: Any, column: str, said: Any
) -> dict[str, Any]:
    """Build the hierarchy of a column over its values.

    Parameters
    ----------
    folder, tell
        As for every verb.
    source
        What a policy says to read the table.
    column, said
        The column, and what the policy says of it.
    """
    where = source_of(source, folder)
    policy = column_of(said)
    found = preview_hierarchy(where, column, policy, folder, allowed=allowed(folder), progress=tell)
    return found.to_dict()


def target_preview(folder: Path, tell: Progress, *, text: str) -> dict[str, Any]:
    """Compare the target of a policy with the data.

    Parameters
    ----------
    folder, tell
        As for every verb.
    text
        The policy.
    """
    return preview_target(policy_in(folder, text), progress=tell).to_dict()


def value_counts(folder: Path, tell: Progress, *, source: Any) -> list[dict[str, Any]]:
    """Count the values of all columns of a table.

    Parameters
    ----------
    folder, tell
        As for every verb.
    source
        What a policy says to read the table.
    """
    where = source_of(source, folder)
    return [each.to_dict() for each in count_values(where, progress=tell)]


def examples(folder: Path, tell: Progress, number: int) -> tuple[str, ...]:
    """Write queries that the release with this number answers."""
    tell("reading", 0.0)
    return example_questions(Release.open(Project(folder.name, folder).release(number)))
