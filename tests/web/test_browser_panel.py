"""The policy beside the page: shown, edited, and the same in every tab."""

from __future__ import annotations

import pytest
from browser import Visit
from playwright.sync_api import Page, expect

from papilio.web.draft import Draft, load_draft, save_draft
from papilio.web.project import Project, Workspace

POLICY = """\
# of the panel
papilio: 1
source: nothing.csv
columns:
  age: quasi
  disease: sensitive
privacy:
  k: 10
"""


@pytest.fixture
def project(visit: Visit) -> Project:
    made = Workspace(visit.server.workspace).create("panel")
    save_draft(made, Draft(POLICY, made.folder))
    return made


def edit(page: Page, text: str) -> None:
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Policy as YAML").fill(text)
    page.get_by_role("button", name="Apply").click()


def shown(page: Page) -> str:
    return page.get_by_role("region", name="Policy as YAML").inner_text()


def test_an_edit_is_saved_whole_with_its_faults_said(visit: Visit, project: Project) -> None:
    page = visit.open(f"/p/{project.name}/columns")
    assert "# of the panel" in shown(page)
    expect(page.get_by_text("The policy can be run.")).to_be_visible()
    edit(page, POLICY.replace("k: 10", "k: none"))
    expect(page.get_by_text("line 8: privacy.k:")).to_be_visible()
    assert load_draft(project).get(("privacy", "k")) == "none"
    edit(page, POLICY.replace("k: 10", "k: 12"))
    expect(page.get_by_text("The policy can be run.")).to_be_visible()
    assert load_draft(project).text == POLICY.replace("k: 10", "k: 12")


def test_what_is_no_yaml_is_not_saved_and_not_lost(visit: Visit, project: Project) -> None:
    page = visit.open(f"/p/{project.name}/data")
    edit(page, "columns: [age")
    expect(page.get_by_text("not valid YAML")).to_be_visible()
    assert load_draft(project).text == POLICY
    expect(page.get_by_role("textbox", name="Policy as YAML")).to_have_value("columns: [age")
    page.get_by_role("complementary").get_by_role("button", name="Cancel").click()
    assert "# of the panel" in shown(page)


@pytest.mark.long
def test_another_tab_is_told_and_can_load_the_change(visit: Visit, project: Project) -> None:
    first = visit.open(f"/p/{project.name}/data")
    second = visit.open(f"/p/{project.name}/columns")
    other = Workspace(visit.server.workspace).create("apart")
    third = visit.open(f"/p/{other.name}/data")
    notice = "The policy was changed in another tab."
    edit(second, POLICY.replace("k: 10", "k: 33"))
    expect(first.get_by_text(notice)).to_be_visible()
    expect(second.get_by_text(notice)).not_to_be_visible()
    expect(third.get_by_text(notice)).not_to_be_visible()
    assert "k: 10" in shown(first)
    first.get_by_role("button", name="Load it").click()
    expect(first.get_by_text(notice)).not_to_be_visible()
    expect(first.get_by_role("region", name="Policy as YAML")).to_contain_text("k: 33")


@pytest.mark.long
def test_the_policy_can_be_downloaded(visit: Visit, project: Project) -> None:
    page = visit.open(f"/p/{project.name}/data")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.path().read_text() == POLICY
    assert download.value.suggested_filename == "policy.yaml"


def test_text_of_a_policy_is_never_taken_for_html(visit: Visit, project: Project) -> None:
    strange = '<img src=x onerror="document.title=1">'
    save_draft(project, Draft(POLICY + f"# {strange}\n'{strange}': {strange}\n", project.folder))
    page = visit.open(f"/p/{project.name}/data")
    assert strange in shown(page)
    assert page.locator("img").count() == 0
