"""Projects, their policies and what they are begun with, without a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import papilio as pp
from papilio.errors import DataError, PolicyError
from papilio.progress import silent
from papilio.web.draft import LONGEST, Draft, load_draft, save_draft
from papilio.web.forms.proposals import policy_of_table
from papilio.web.frame import coloured
from papilio.web.opening import (
    missing_files,
    needs_password,
    open_database,
    open_policy,
    open_sample,
    split_password,
)
from papilio.web.pages.start import begin, listed, settle
from papilio.web.project import Workspace, opened
from papilio.web.records import TableProfile, load_profiles, sources_of
from papilio.web.security.access import environment
from papilio.web.verbs.previews import profile

POLICY = "papilio: 1\nsource: x.csv\ncolumns: {age: quasi}\nprivacy: {k: 2, l: {age: 2}}\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with opened(tmp_path / "workspace") as made:
        yield made


def test_a_draft_is_kept_whole(workspace: Workspace) -> None:
    project = workspace.create("p")
    save_draft(project, Draft(POLICY, project.folder))
    assert load_draft(project) == Draft(POLICY, project.folder)
    for bad in ("a: [", "- 1", "x" * (LONGEST + 1)):
        with pytest.raises(PolicyError):
            save_draft(project, Draft(bad, project.folder))
    assert load_draft(project).text == POLICY
    assert [path.name for path in project.folder.iterdir() if path.name.startswith(".")] == []


def test_a_draft_never_fails_to_be_read() -> None:
    assert Draft("a: [").tree == {}
    assert Draft("a: [").faults() != ()
    assert Draft(POLICY.replace("k: 2", "k: none")).faults() != ()
    assert Draft(POLICY).get(("privacy", "l", "age")) == 2
    assert Draft(POLICY).get(("privacy", "l", "age", "deeper"), 7) == 7


def test_what_is_emptied_goes_but_not_what_a_policy_needs() -> None:
    draft = Draft(POLICY).without(("privacy", "l", "age"))
    assert draft.tree["privacy"] == {"k": 2}
    assert draft.without(("privacy", "k")).tree["privacy"] == {}
    assert draft.without(("columns", "age")).tree["columns"] == {}


def test_releases_are_counted_when_they_are_finished(workspace: Workspace) -> None:
    project = workspace.create("p")
    assert project.next_release().name == "1"
    (project.releases / "1").mkdir()
    (project.releases / ".papilio-draft").mkdir()
    assert project.release_numbers() == ()
    assert project.next_release().name == "2"
    (project.releases / "1" / "release.json").write_text("{}")
    assert project.release_numbers() == (1,)
    with pytest.raises(DataError, match="no release 2"):
        project.release(2)


def test_the_sample_suggests_a_policy_that_can_be_run(workspace: Workspace) -> None:
    project = open_sample(workspace)
    found = profile(project.folder, silent, sources=sources_of(project))
    draft = policy_of_table(TableProfile(**found[0]), load_draft(project))
    assert draft.faults() == ()
    assert draft.get(("source",)) == "data/adult.parquet"
    assert draft.get(("columns", "income")) == "sensitive"
    assert load_profiles(project) == ()
    lights = pp.publish(None, draft.policy(), seed=1).lights
    assert (lights.claims.colour, lights.alone.colour) == ("green", "green")
    # Of three sensitive columns in one row one tells another, which a line of the policy closes.
    assert (lights.secret.colour, lights.worst) == ("amber", "amber")
    assert all(each.beyond and each.remedy is not None for each in lights.secret.findings)


@pytest.mark.parametrize(
    ("text", "bare", "password"),
    [
        ("me@h/db#t", "me@h/db#t", None),
        ("me:a%2Fb@h/db#t", "me@h/db#t", "a/b"),
        ("me:a@b/c@h/db#t", "me@h/db#t", "a@b/c"),
        ("h/db?password=x&sslmode=require#t", "h/db?sslmode=require#t", "x"),
        ("h/db?sslmode=require&password=x#t", "h/db?sslmode=require#t", "x"),
        ("h/db?password=x#t", "h/db#t", "x"),
        ("h/db?sslpassword=x", "h/db", None),
    ],
)
def test_passwords_are_taken_out_of_addresses(text: str, bare: str, password: str | None) -> None:
    found = split_password(f"postgresql://{text}")
    assert (found.bare, found.password) == (f"postgresql://{bare}", password)


def test_a_password_is_for_the_child_alone(workspace: Workspace) -> None:
    project = open_database(workspace, "postgresql://me@h/db#t", "secret")
    other = open_database(workspace, "postgresql://me@h/db#t")
    assert environment(project) == {"PGPASSWORD": "secret"}
    assert environment(other) == {}
    assert needs_password(other)
    assert not needs_password(project)
    assert "secret" not in project.policy_file.read_text()
    with pytest.raises(DataError, match="no address of a database"):
        open_database(workspace, "people.csv")


def test_files_go_where_the_policy_expects_them(workspace: Workspace) -> None:
    project = begin(workspace, ["policy.yaml", "rows.csv"])
    assert project.name == "rows"
    (project.data / "policy.yaml").write_text(POLICY.replace("x.csv", "in/rows.csv"))
    (project.data / "rows.csv").write_text("age\n1\n")
    (project.data / "other.csv").write_text("a\n1\n")
    settle(project, ["policy.yaml"])
    assert [each.name for each in missing_files(project)] == ["in/rows.csv"]
    settle(project, ["rows.csv", "other.csv"])
    assert missing_files(project) == ()
    assert [each["source"] for each in sources_of(project)] == ["in/rows.csv", "data/other.csv"]


def test_a_policy_cannot_place_files_outside_its_project(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "up.csv").write_text("age\n1\n")
    (tmp_path / "from" / "p.yaml").write_text(POLICY.replace("x.csv", "../up.csv"))
    before = set(tmp_path.iterdir())
    project = open_policy(workspace, str(tmp_path / "from" / "p.yaml"))
    assert set(tmp_path.iterdir()) == before
    assert not (workspace.folder / "up.csv").exists()
    assert [each.name for each in missing_files(project)] == ["../up.csv"]


def test_browsing_stays_in_the_folders_it_may_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    for folder in (home / "sub", home / ".hidden", outside):
        folder.mkdir(parents=True)
    (home / "a.csv").write_text("")
    (home / "b.txt").write_text("")
    (home / "link").symlink_to(outside)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    folders, files = listed(home, (".csv",))
    assert [path.name for path in folders] == ["sub"]
    assert [path.name for path in files] == ["a.csv"]
    assert listed(outside, (".csv",)) == ([], [])
    assert listed(home / "sub" / ".." / "..", (".csv",)) == ([], [])


def test_only_new_lines_are_marked_and_nothing_is_taken_for_html() -> None:
    shown = coloured("a: 1  # <b>\nb: <i>\n", "a: 1  # <b>\n")
    assert shown == (
        "<pre><span><b>a</b>: 1<i>  # &lt;b&gt;</i></span>"
        '<span class="new"><b>b</b>: &lt;i&gt;</span></pre>'
    )


def test_a_link_out_of_the_workspace_is_no_project(workspace: Workspace, tmp_path: Path) -> None:
    workspace.create("own")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "policy.yaml").write_text("papilio: 1\n")
    (workspace.folder / "linked").symlink_to(outside)
    assert [project.name for project in workspace.projects()] == ["own"]


def test_a_project_that_is_being_deleted_can_still_be_listed(workspace: Workspace) -> None:
    project = workspace.create("going")
    project.releases.rmdir()
    project.policy_file.unlink()
    assert project.release_numbers() == ()
    assert project.changed == 0.0
