"""What is shown before anything is published: profiles, a hierarchy, a target, questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from papilio.data.source import Source
from papilio.errors import PolicyError
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.faults import faults_of
from papilio.policy.source_policy import SourcePolicy
from papilio.progress import Progress
from papilio.release.release import Release
from papilio.web.allowed import allowed, policy_in
from papilio.web.project import Project
from papilio.workflow.ask import example_questions
from papilio.workflow.draft import profile as profile_of
from papilio.workflow.previews import preview_hierarchy, preview_target
from papilio.workflow.value_counts import count_values


def source_of(said: Any, folder: Path) -> Source:
    """Where rows are, as a policy says it; files are relative to ``folder``, the project's.

    Raises
    ------
    PolicyError
        If it is no source.
    DataError
        If it names a file that the owner did not allow.
    """
    try:
        return SourcePolicy.model_validate(said).source(folder, allowed(folder))
    except ValidationError as error:
        raise PolicyError(faults_of(error, SourcePolicy)) from None


def column_of(said: Any) -> ColumnPolicy:
    """What a column is, as a policy says it.

    Raises
    ------
    PolicyError
        If it is no column.
    """
    try:
        return ColumnPolicy.model_validate(said)
    except ValidationError as error:
        raise PolicyError(faults_of(error, ColumnPolicy)) from None


def profile(
    folder: Path, tell: Progress, *, sources: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Profile tables one after the other.

    Parameters
    ----------
    folder
        Folder of the project, which file names are relative to.
    tell
        Told of each stage.
    sources
        What a policy says to read each (``source``), and its ``name`` or ``None``.

    Returns
    -------
    list
        For each its ``name``, its ``source`` and its ``profile`` as plain data.
    """
    found = []
    for number, each in enumerate(sources):
        source = source_of(each["source"], folder)
        made = profile_of(source, progress=_part(tell, number, len(sources)))
        name = each["name"] or source.name
        found.append({"name": name, "source": each["source"], "profile": made.to_dict()})
    return found


def _part(tell: Progress, number: int, count: int) -> Callable[[str, float], None]:
    return lambda stage, share: tell(stage, (number + share) / count)


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
