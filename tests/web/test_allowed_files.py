"""A policy in the workbench reads what is in its project or what the owner opened by its path."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from papilio.errors import DataError, PapilioError, PolicyError
from papilio.progress import silent
from papilio.web.allowed import allow, allowed, not_allowed, policy_in
from papilio.web.draft import Draft, load_draft, save_draft
from papilio.web.opening import open_file, open_policy
from papilio.web.pages.start import settle
from papilio.web.project import Project, Workspace, opened
from papilio.web.verbs.previews import hierarchy_preview, profile, value_counts
from papilio.web.verbs.publish import publish

ROWS = "age\n" + "1\n2\n" * 4
POLICY = "papilio: 1\nsource: x.csv\ncolumns: {age: quasi}\nprivacy: {k: 2}\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with opened(tmp_path / "workspace") as made:
        yield made


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A file of the owner outside of everything."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "rows.csv").write_text(ROWS)
    return tmp_path / "other" / "rows.csv"


def with_policy(workspace: Workspace, name: str) -> Project:
    """A project with a policy that came by upload and names a file."""
    project = workspace.create("p")
    (project.data / "policy.yaml").write_text(POLICY.replace("x.csv", name))
    settle(project, ["policy.yaml"])
    return project


def test_a_file_opened_by_its_path_may_be_read(workspace: Workspace, other: Path) -> None:
    project = open_file(workspace, str(other))
    assert allowed(project.folder) == (other,)
    (found,) = profile(project.folder, silent, sources=[{"name": None, "source": str(other)}])
    assert found["profile"]["rows"] == 8


def test_nothing_reads_what_an_uploaded_policy_names_elsewhere(
    workspace: Workspace, other: Path
) -> None:
    project = with_policy(workspace, str(other))
    text, folder = load_draft(project).text, project.folder
    assert "Data page" in load_draft(project).faults()[0].message
    for read in (
        lambda: profile(folder, silent, sources=[{"name": None, "source": str(other)}]),
        lambda: value_counts(folder, silent, source=str(other)),
        lambda: hierarchy_preview(folder, silent, source=str(other), column="age", said="quasi"),
        lambda: publish(folder, silent, text, 1),
    ):
        with pytest.raises(PapilioError, match="leads out"):
            read()


def test_a_hierarchy_elsewhere_is_not_previewed(workspace: Workspace, other: Path) -> None:
    project = workspace.create("p")
    (project.data / "x.csv").write_text(ROWS)
    said = {"role": "quasi", "hierarchy": str(other)}
    with pytest.raises(DataError, match="leads out"):
        hierarchy_preview(project.folder, silent, source="data/x.csv", column="age", said=said)


def test_the_owner_allows_a_file_that_the_policy_names(workspace: Workspace, other: Path) -> None:
    project = with_policy(workspace, str(other))
    assert not_allowed(project, load_draft(project).tree) == (other,)
    assert load_draft(project).faults() != ()
    allow(project, other)
    assert not_allowed(project, load_draft(project).tree) == ()
    assert load_draft(project).faults() == ()
    assert publish(project.folder, silent, load_draft(project).text, 1).rows == 8


def test_a_policy_opened_by_its_path_reads_its_own_folder(
    workspace: Workspace, other: Path
) -> None:
    folder = other.parent
    (folder / "p.yaml").write_text(POLICY.replace("x.csv", "rows.csv"))
    assert load_draft(open_policy(workspace, str(folder / "p.yaml"))).faults() == ()
    (folder / "p.yaml").write_text(POLICY.replace("x.csv", str(other)))
    assert load_draft(open_policy(workspace, str(folder / "p.yaml"))).faults() == ()


def test_links_beside_a_policy_are_not_brought_along(
    workspace: Workspace, other: Path, tmp_path: Path
) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "x.csv").symlink_to(other)
    (tmp_path / "from" / "p.yaml").write_text(POLICY)
    project = open_policy(workspace, str(tmp_path / "from" / "p.yaml"))
    assert not (project.folder / "x.csv").exists()
    assert other not in allowed(project.folder)


@pytest.mark.parametrize("name", ["state/allowed.json", "State/allowed.json", "releases/1/x.csv"])
def test_a_policy_puts_nothing_among_the_projects_own_files(
    workspace: Workspace, tmp_path: Path, name: str
) -> None:
    source = tmp_path / "from" / name
    source.parent.mkdir(parents=True)
    source.write_text('["/"]')
    (tmp_path / "from" / "p.yaml").write_text(POLICY.replace("x.csv", name))
    with pytest.raises(DataError, match="keeps its own"):
        open_policy(workspace, str(tmp_path / "from" / "p.yaml"))
    assert workspace.projects() == ()
    project = with_policy(workspace, name)
    (project.data / source.name).write_text('["/"]')
    with pytest.raises(DataError, match="keeps its own"):
        settle(project, [source.name])
    assert allowed(project.folder) == ()


def test_what_is_typed_into_the_panel_is_not_allowed_by_itself(
    workspace: Workspace, other: Path
) -> None:
    project = workspace.create("p")
    save_draft(project, Draft(POLICY.replace("x.csv", str(other)), project.folder))
    with pytest.raises(PolicyError, match="leads out"):
        policy_in(project.folder, load_draft(project).text)
