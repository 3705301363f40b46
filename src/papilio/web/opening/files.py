"""A project with files that were brought into it: tables, and perhaps a policy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from papilio.data.source import FileSource
from papilio.web.draft import Draft, load_draft, save_draft
from papilio.web.opening.policy_file import POLICIES, put_in_place, read_policy
from papilio.web.project import Project
from papilio.web.safe_name import inside
from papilio.web.workspace import Workspace


def begin(workspace: Workspace, names: Sequence[str]) -> Project:
    """Make a project for files of these names that are about to come in."""
    tables = [name for name in names if not name.lower().endswith(POLICIES)]
    first = (tables or list(names) or ["data"])[0]
    return workspace.create(FileSource(Path(first)).name)


def settle(project: Project, files: Sequence[str]) -> None:
    """Take uploaded files into use.

    A policy among them becomes that of the project, and the others go where it expects them.
    Without one, the first file becomes the source if the policy names no data yet.

    Raises
    ------
    DataError, PolicyError
        If a file with the name of a policy is none.
    """
    policies = [name for name in files if name.lower().endswith(POLICIES)]
    for name in policies[:1]:
        path = inside(project.data, name)
        save_draft(project, Draft(read_policy(path), project.folder))
        path.unlink()
    for name in files:
        if name not in policies:
            put_in_place(project, name)
    tables = [name for name in files if name not in policies]
    draft = load_draft(project)
    if tables and not any(key in draft.tree for key in ("source", "tables", "graph")):
        save_draft(project, draft.with_value(("source",), f"data/{tables[0]}"))
