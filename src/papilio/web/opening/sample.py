"""A project with the sample data that comes with Papilio."""

from __future__ import annotations

import shutil

from papilio.samples import FOLDER, adult
from papilio.web.draft import load_draft, save_draft
from papilio.web.project import Project
from papilio.web.workspace import Workspace


def open_sample(workspace: Workspace) -> Project:
    """Make a project with the Adult sample and the hierarchies that go with it."""
    project = workspace.create("adult")
    adult().write_parquet(project.data / "adult.parquet")
    for path in sorted((FOLDER / "hierarchies").glob("*.csv")):
        shutil.copyfile(path, project.hierarchies / path.name)
    save_draft(project, load_draft(project).with_value(("source",), "data/adult.parquet"))
    return project
