"""The Recipients and Requirements steps in a browser, for all seven families."""

from __future__ import annotations

import pytest
from axe import serious_findings
from browser import PHONE, Visit, drawn
from playwright.sync_api import Browser, Locator, Page, expect
from projects import example_project
from running import Running

from papilio.families.disguise.family import DISGUISE
from papilio.families.family import Family
from papilio.families.graph.family import GRAPH
from papilio.families.linked.family import LINKED
from papilio.families.one_table.family import ONE_TABLE
from papilio.families.permutation.family import PERMUTATION
from papilio.families.projections.family import PROJECTIONS
from papilio.families.recipients.family import RECIPIENTS
from papilio.web.draft import load_draft
from papilio.web.forms.fields import family_of
from papilio.web.project import Project
from papilio.web.records import TableProfile, save_profiles, sources_of
from papilio.web.verbs.profile import profile
from sizes import some


def opened(visit: Visit, project: Project, step: str) -> Page:
    """A page whose tables were looked at before, so that nothing is drawn in between."""
    sources = sources_of(project)
    found = profile(project.folder, lambda stage, share: None, sources=sources)
    save_profiles(project, [TableProfile(**each) for each in found])
    return visit.open(f"/p/{project.name}/{step}")


def yaml(page: Page) -> Locator:
    return page.get_by_role("region", name="Policy as YAML")


def retype(page: Page, old: str, new: str) -> None:
    page.get_by_role("button", name="Edit", exact=True).click()
    area = page.get_by_role("textbox", name="Policy as YAML")
    text = area.input_value()
    assert old in text
    area.fill(text.replace(old, new))
    page.get_by_role("button", name="Apply").click()


def card(page: Page, family: Family) -> Locator:
    return page.locator(f"#family-{family.name}")


def choose(page: Page, project: Project, family: Family) -> None:
    page.locator(".family", has=page.locator(f"#family-{family.name}")).click()
    expect(card(page, family)).to_be_checked()
    drawn(page)
    assert family_of(load_draft(project).tree) is family


@pytest.mark.long
def test_two_recipients_are_named_and_know_different_things(visit: Visit) -> None:
    project = example_project(visit.server, "one-table")
    page = opened(visit, project, "recipients")
    page.get_by_text("Several named recipients").click()
    expect(yaml(page)).to_contain_text("insurer")
    page.get_by_role("group", name="insurer can know").get_by_role("checkbox", name="job").click()
    page.get_by_role("group", name="employer can know").get_by_role(
        "checkbox", name="postcode"
    ).click()
    picture = page.get_by_role("img", name="Known to insurer only: postcode.")
    expect(picture).to_be_visible()
    expect(page.get_by_role("switch", name="demanded")).to_be_checked()
    expect(yaml(page)).to_contain_text("collusion_k: 2")
    name = page.get_by_label("Name", exact=True).first
    name.fill("Allsafe")
    name.press("Enter")
    expect(yaml(page)).to_contain_text("Allsafe")
    said = load_draft(project)
    assert said.get(("recipients",)) == {
        "Allsafe": ["age", "sex", "postcode"], "employer": ["age", "sex", "job"],
    }  # fmt: skip
    assert said.faults() == ()
    retype(page, "collusion_k: 2", "collusion_k: 3")
    expect(page.get_by_label("Least number of rows together")).to_have_value("3")
    page.get_by_role("button", name="Remove employer").click()
    expect(page.get_by_role("button", name="Remove employer")).to_have_count(0)
    page.get_by_role("button", name="Remove Allsafe").click()
    expect(page.get_by_role("radio", name="Anybody may know everything")).to_be_checked()
    assert family_of(load_draft(project).tree) is ONE_TABLE


def test_numbers_are_written_and_faults_are_papilios_own(visit: Visit) -> None:
    project = example_project(visit.server, "one-table")
    page = opened(visit, project, "requirements")
    k = page.get_by_label("k", exact=True)
    k.fill("0")
    expect(page.locator(".demand").get_by_text("must be at least 1")).to_be_visible()
    k.fill("12")
    expect(yaml(page)).to_contain_text("k: 12")
    expect(page.get_by_text("must be at least 1")).to_have_count(0)
    retype(page, "k: 12", "k: 7")
    expect(k).to_have_value("7")
    expect(page.get_by_text("Method: hybrid (of the fast methods it loses least).")).to_be_visible()


@pytest.mark.long
def test_l_and_t_of_all_kinds(visit: Visit) -> None:
    project = example_project(visit.server, "one-table")
    page = opened(visit, project, "requirements")
    page.get_by_role("button", name="Demand diversity").click()
    expect(yaml(page)).to_contain_text("l: {diagnosis: 2}")
    page.get_by_label("Kind", exact=True).select_option("recursive")
    expect(yaml(page)).to_contain_text("recursive: [3, 2]")
    page.get_by_label("Kind", exact=True).select_option("entropy")
    expect(yaml(page)).to_contain_text("entropy: 2")
    page.get_by_label("l", exact=True).fill("2.5")
    expect(yaml(page)).to_contain_text("entropy: 2.5")
    page.get_by_role("button", name="Demand closeness").click()
    page.locator("#t-column-0").select_option("days")
    expect(yaml(page)).to_contain_text("t: {days: 0.3}")
    page.get_by_label("t, from 0 to 1").fill("0.4")
    page.get_by_label("Distance").select_option("ordered")
    page.get_by_role("checkbox", name="Large classes need not be close").click()
    expect(yaml(page)).to_contain_text("n: 1000")
    draft = load_draft(project)
    assert draft.get(("privacy", "l")) == {"diagnosis": {"entropy": 2.5}}
    assert draft.get(("privacy", "t")) == {"days": {"t": 0.4, "n": 1000, "distance": "ordered"}}
    assert draft.faults() == ()
    for column in ("diagnosis", "days"):
        remove = page.get_by_role("button", name=f"Remove the demand on {column}")
        remove.click()
        # The controls are drawn anew: a click on an old one would be lost.
        expect(remove).to_have_count(0)
    expect(yaml(page)).not_to_contain_text("entropy")
    page.get_by_role("switch", name="suppress").click()
    expect(yaml(page)).to_contain_text("suppress: 2%")


@pytest.mark.long
def test_options_of_methods(visit: Visit) -> None:
    project = example_project(visit.server, "one-table")
    page = opened(visit, project, "requirements")
    page.get_by_text("More options").click()
    page.get_by_label("Improve afterwards").select_option("10s")
    expect(yaml(page)).to_contain_text("improve: 10s")
    page.get_by_label("Method", exact=True).select_option("mondrian")
    expect(page.get_by_text("Method: mondrian (the policy names it).")).to_be_visible()
    page.get_by_label("Cells").select_option("text")
    assert load_draft(project).faults() == ()
    page.get_by_label("Method", exact=True).select_option("incognito")
    expect(page.get_by_text("cannot be improved").first).to_be_visible()
    page.get_by_label("Improve afterwards").select_option("")
    expect(page.get_by_text("The policy can be run.")).to_be_visible()


def test_families_are_switched_with_a_click(visit: Visit) -> None:
    project = example_project(visit.server, "permutation")
    page = opened(visit, project, "requirements")
    for family in (ONE_TABLE, DISGUISE, PROJECTIONS, RECIPIENTS):
        choose(page, project, family)
        expect(page.get_by_text("The policy can be run.")).to_be_visible()
        assert family_of(load_draft(project).tree) is family
    choose(page, project, PERMUTATION)
    expect(page.get_by_label("e, largest − smallest")).to_be_visible()
    assert load_draft(project).faults() == ()
    for family in (LINKED, GRAPH):
        expect(card(page, family)).to_be_disabled()


@pytest.mark.long
def test_one_secret_is_asked_for(visit: Visit) -> None:
    project = example_project(visit.server, "one-table")
    page = opened(visit, project, "requirements")
    choose(page, project, PERMUTATION)
    page.get_by_label("Sensitive column", exact=True).select_option("days")
    expect(yaml(page)).not_to_contain_text("diagnosis:")
    expect(page.get_by_text("The policy can be run.")).to_be_visible()
    assert "diagnosis" not in load_draft(project).get(("columns",))


@pytest.mark.long
def test_a_target_is_drawn_beside_the_data(visit: Visit) -> None:
    project = example_project(visit.server, "disguise")
    page = opened(visit, project, "requirements")
    expect(page.get_by_role("img", name="Line: the target.")).to_be_visible()
    page.get_by_label("Distribution", exact=True).select_option("zipf")
    page.get_by_label("Exponent").fill("1.5")
    expect(yaml(page)).to_contain_text("exponent: 1.5")
    page.get_by_label("Smallest value").fill("10")
    parts = page.get_by_role("group", name="A target of its own for each")
    parts.get_by_role("checkbox", name="region").click()
    expect(yaml(page)).not_to_contain_text("by:")
    said = load_draft(project).get(("privacy", "target", "salary"))
    assert said["exponent"] == 1.5
    assert said["tree"]["lowest"] == 10
    assert "mean" not in said


def test_linked_tables_are_put_together(visit: Visit) -> None:
    project = example_project(visit.server, "linked-tables")
    before = load_draft(project).policy()
    for name in ("student", "takes", "book"):
        (project.folder / f"{name}.csv").rename(project.data / f"{name}.csv")
    project.policy_file.write_text(
        "papilio: 1\nsource: data/student.csv\ncolumns: {gpa: quasi}\nprivacy: {k: 2}\n"
    )
    page = opened(visit, project, "requirements")
    choose(page, project, LINKED)
    expect(page.get_by_label("One row per person in")).to_have_value("student")
    draft = load_draft(project)
    for name, table in before.tables.items():
        assert draft.get(("tables", name, "parent")) == table.parent
    page.get_by_label("At most rows each").last.fill("3")
    expect(yaml(page)).to_contain_text("at_most: 3")
    page.get_by_label("Hangs off").last.select_option("student")
    page.get_by_role("button", name="Leave this table out").last.click()
    page.get_by_role("button", name="Add takes").or_(
        page.get_by_role("button", name="Add book")
    ).click()
    expect(page.locator(".table-card")).to_have_count(3)


def test_a_graph_is_put_together(visit: Visit) -> None:
    project = example_project(visit.server, "graph")
    page = opened(visit, project, "requirements")
    expect(page.locator("#graph-edges-left")).to_have_value("customer")
    page.get_by_label("l, right side").fill("6")
    page.get_by_text("More options").click()
    page.get_by_label("Order of nodes").select_option("degree")
    expect(yaml(page)).to_contain_text("order: degree")
    assert load_draft(project).get(("privacy", "l")) == 6
    page.locator("#graph-edges-left").select_option("product")
    expect(page.locator(".table-card .complaint").last).to_contain_text("same column")


@pytest.mark.parametrize("example", some(["projections", "disguise", "linked-tables"]))
def test_a_phone_and_axe(example: str, shared_browser: Browser, shared_workbench: Running) -> None:
    visit = Visit(shared_browser, shared_workbench, PHONE)
    page = opened(visit, example_project(shared_workbench, example), "requirements")
    for summary in page.locator("main summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert serious_findings(page) == []
    assert visit.errors == []
    visit.context.close()
