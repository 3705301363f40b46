"""Projects in the workspace of a running workbench, without clicking them together."""

from __future__ import annotations

import shutil
from pathlib import Path

from running import Running

from papilio.web.project import Project, Workspace
from papilio.web.verbs.publish import publish

EXAMPLES = Path(__file__).parents[2] / "examples"


def example_project(server: Running, name: str) -> Project:
    """A project with the data and the policy of an example."""
    project = Workspace(server.workspace).create(name)
    for path in (EXAMPLES / name).glob("*.csv"):
        shutil.copy(path, project.folder)
    shutil.copy(EXAMPLES / name / "policy.yaml", project.policy_file)
    return project


def published_example(server: Running, name: str) -> Project:
    """The same with one release."""
    project = example_project(server, name)
    published(project)
    return project


def published(project: Project) -> None:
    """Make a release of a project, as its policy says."""
    publish(project.folder, lambda stage, share: None, project.policy_file.read_text(), 1)


def table_project(server: Running, name: str, csv: str, policy: str) -> Project:
    """A project of a table and a policy, whose source is ``data/table.csv``."""
    project = Workspace(server.workspace).create(name)
    (project.data / "table.csv").write_text(csv)
    project.policy_file.write_text(policy)
    return project
