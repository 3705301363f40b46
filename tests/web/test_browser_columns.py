"""The Columns step in a browser: roles, hierarchies, lists of values, and the policy beside it."""

from __future__ import annotations

import re

import pytest
from axe import serious_findings
from browser import PHONE, Visit, drawn
from playwright.sync_api import Browser, Page, expect
from projects import example_project, table_project
from running import Running

from papilio.web.draft import load_draft
from papilio.web.project import Project


@pytest.fixture
def project(visit: Visit) -> Project:
    return example_project(visit.server, "one-table")


def columns(visit: Visit, project: Project) -> Page:
    page = visit.open(f"/p/{project.name}/columns")
    expect(page.locator(".picture svg").last).to_be_visible()
    return page


def panel(page: Page) -> str:
    return page.get_by_role("region", name="Policy as YAML").inner_text()


def role(page: Page, name: str):  # type: ignore[no-untyped-def]
    return page.get_by_role("combobox", name=f"Role of {name}", exact=True)


def retype(page: Page, old: str, new: str) -> None:
    """Edit the policy in the panel."""
    page.get_by_role("button", name="Edit", exact=True).click()
    area = page.get_by_role("textbox", name="Policy as YAML")
    area.fill(area.input_value().replace(old, new))
    page.get_by_role("button", name="Apply").click()


def test_roles_are_written_to_the_policy_and_back(visit: Visit, project: Project) -> None:
    page = columns(visit, project)
    expect(role(page, "admitted")).to_have_value("not published")
    role(page, "admitted").select_option("quasi")
    expect(page.get_by_role("region", name="Policy as YAML")).to_contain_text("admitted: quasi")
    role(page, "job").select_option("not published")
    expect(page.get_by_role("region", name="Policy as YAML")).not_to_contain_text("job")
    draft = load_draft(project)
    assert draft.get(("columns", "admitted")) == "quasi"
    assert draft.faults() == ()
    retype(page, "days:      sensitive", "days:      plain")
    expect(role(page, "days")).to_have_value("plain")
    page.get_by_role("button", name="Use all suggestions").click()
    expect(role(page, "days")).to_have_value("quasi")
    assert load_draft(project).get(("columns", "postcode", "hierarchy")) == {"prefix": [4, 3, 2]}


def test_what_the_profile_says_is_shown(visit: Visit, project: Project) -> None:
    page = columns(visit, project)
    row = page.locator(".column-row", has_text="diagnosis")
    expect(row).to_contain_text("category · 7 values")
    expect(row).to_contain_text("Suggested: sensitive")
    expect(row.get_by_role("img")).to_have_attribute("aria-label", re.compile("Most frequent: "))
    row.get_by_role("button", name="Details of diagnosis").click()
    expect(row.get_by_role("region", name="How often values of diagnosis occur")).to_be_visible()


def test_hierarchies_by_rule(visit: Visit, project: Project) -> None:
    page = columns(visit, project)
    page.get_by_role("button", name="Details of age").click()
    page.get_by_label("Hierarchy").select_option("intervals")
    policy = page.get_by_role("region", name="Policy as YAML")
    expect(policy).to_contain_text("intervals: [5, 20, 100]")
    levels = page.get_by_label("Width on each level")
    levels.fill("10, 25")
    expect(page.locator(".column-row .complaint", has_text="multiple")).to_be_visible()
    page.get_by_label("Width on each level").fill("10, 20")
    expect(page.get_by_text("The policy can be run.")).to_be_visible()
    assert load_draft(project).get(("columns", "age", "hierarchy")) == {"intervals": [10, 20]}
    page.get_by_label("Hierarchy").select_option("none")
    expect(page.get_by_role("region", name="Policy as YAML")).not_to_contain_text("intervals")
    assert load_draft(project).get(("columns", "age")) == "quasi"


@pytest.mark.long
def test_calendar_units(visit: Visit, project: Project) -> None:
    page = columns(visit, project)
    role(page, "admitted").select_option("quasi")
    page.get_by_role("button", name="Details of admitted").click()
    page.get_by_label("Hierarchy").select_option("dates")
    page.get_by_role("checkbox", name="quarter").click()
    expect(page.get_by_role("region", name="Policy as YAML")).to_contain_text(
        "[month, quarter, year, decade]"
    )


@pytest.mark.long
def test_order_and_harmless_values(visit: Visit, project: Project) -> None:
    page = columns(visit, project)
    page.get_by_role("button", name="Details of diagnosis").click()
    page.get_by_text("Order of the values").click()
    page.get_by_role("button", name="Fill in the values that occur").click()
    expect(page.get_by_role("region", name="Policy as YAML")).to_contain_text("domain:")
    assert len(load_draft(project).get(("columns", "diagnosis", "domain"))) == 7
    page.get_by_text("Harmless values", exact=True).first.click()
    page.get_by_role("textbox", name="Harmless values").fill("healthy\nnone")
    page.get_by_role("checkbox", name="A missing value is harmless").click()
    expect(page.get_by_role("region", name="Policy as YAML")).to_contain_text("harmless:")
    drawn(page)
    assert load_draft(project).get(("columns", "diagnosis", "harmless")) == [
        "healthy", "none", None,
    ]  # fmt: skip


@pytest.mark.long
def test_several_values(visit: Visit) -> None:
    project = example_project(visit.server, "projections")
    page = columns(visit, project)
    page.get_by_role("button", name="Details of job").click()
    page.get_by_role("switch", name="A person may have several values").click()
    page.get_by_label("What stands between values of a cell").select_option("|")
    expect(page.get_by_role("region", name="Policy as YAML")).to_contain_text("separator:")
    said = load_draft(project).get(("columns", "job"))
    assert said == {"role": "sensitive", "values": "several", "separator": "|"}


def test_a_column_named_to_harm_is_only_text(visit: Visit, project: Project) -> None:
    bad = "<img src=x onerror=alert(1)>"
    path = project.folder / "patients.csv"
    path.write_text(path.read_text().replace("diagnosis", bad, 1).replace("asthma", bad))
    project.policy_file.write_text(
        f'papilio: 1\nsource: patients.csv\ncolumns:\n  "{bad}": quasi\nprivacy: {{k: 5}}\n'
    )
    page = columns(visit, project)
    expect(page.locator(".column-name", has_text="<img")).to_be_visible()
    page.get_by_role("button", name="Details of <img").click()
    expect(page.locator(".values", has_text="<img")).to_be_visible()
    page.goto(page.url + "?tree=" + bad)
    expect(page.get_by_role("treeitem", name="<img")).to_be_visible()
    assert page.locator("main img").count() == 0


@pytest.mark.long
def test_a_phone_and_axe(shared_browser: Browser, shared_workbench: Running) -> None:
    visit = Visit(shared_browser, shared_workbench, PHONE)
    project = example_project(shared_workbench, "one-table")
    page = columns(visit, project)
    page.get_by_role("button", name="Details of age").click()
    page.get_by_role("button", name="Details of diagnosis").click()
    page.get_by_label("Hierarchy").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert serious_findings(page) == []
    assert visit.errors == []
    visit.context.close()


def test_whose_row_it_is_is_asked_and_written(visit: Visit) -> None:
    rows = "".join(f"{row % 20},{20 + row % 7},{row % 3}\n" for row in range(60))
    policy = "papilio: 1\nsource: data/table.csv\ncolumns: {pid: identifier, age: quasi}\n"
    made = table_project(
        visit.server, "visits", f"pid,age,ill\n{rows}", policy + "privacy: {k: 2}\n"
    )
    page = columns(visit, made)
    expect(page.get_by_text("20 people have 60 rows (20 with 3)")).to_be_visible()
    asked = page.get_by_role("combobox", name="One person has")
    expect(asked).to_have_value("")
    asked.select_option("column pid")
    expect(page.get_by_role("region", name="Policy as YAML")).to_contain_text("person: pid")
    assert load_draft(made).faults() == ()
    asked.select_option("rows")
    expect(page.get_by_role("region", name="Policy as YAML")).to_contain_text("person: rows")
    asked.select_option("")
    expect(page.get_by_role("region", name="Policy as YAML")).not_to_contain_text("person:")
    retype(page, "privacy:", "person: age\nprivacy:")
    expect(page.get_by_text("so that it would be published").first).to_be_visible()
    assert serious_findings(page) == []


def test_rows_of_a_person_are_kept_together(visit: Visit) -> None:
    rows = "".join(f"{row % 20},{20 + row % 20},{row % 3}\n" for row in range(60))
    policy = "papilio: 1\nsource: data/table.csv\nmethod: hybrid\nperson: pid\n"
    columns_said = "columns: {pid: identifier, age: quasi, ward: quasi}\nprivacy: {k: 2}\n"
    made = table_project(visit.server, "together", f"pid,age,ward\n{rows}", policy + columns_said)
    page = columns(visit, made)
    said = page.get_by_role("region", name="Policy as YAML")
    expect(page.get_by_text("Here the same in all rows of a person: age.")).to_be_visible()
    together = page.get_by_role("switch", name="Keep a person's rows together")
    expect(together).to_have_attribute("aria-checked", "false")
    together.click()
    expect(said).to_contain_text("link: true")
    expect(page.get_by_text("Left out, as it does not go with this: method")).to_be_visible()
    expect(page.get_by_role("switch", name="Keep a person's rows together")).to_be_checked()
    assert load_draft(made).faults() == ()
    assert load_draft(made).get(("method",)) is None
    page.get_by_role("combobox", name="One person has").select_option("rows")
    expect(page.get_by_text("rows are kept together by the column").first).to_be_visible()
    page.get_by_role("switch", name="Keep a person's rows together").click()
    expect(said).not_to_contain_text("link:")
    expect(together).to_have_count(0)
    assert load_draft(made).faults() == ()
    assert serious_findings(page) == []
