"""The three lights on the Result page: words beside colours, remedies, a question at download."""

from __future__ import annotations

from axe import serious_findings
from browser import Visit
from playwright.sync_api import expect
from projects import published, table_project

from papilio.policy.policy import Policy
from papilio.web.records import save_comparison
from papilio.workflow.compare import compare

#: Two classes of three in which two columns vary; one of them shares its illness.
CSV = "age,sex,ill\n20,f,flu\n21,m,flu\n22,f,flu\n60,m,gout\n61,f,flu\n62,m,hiv\n"
POLICY = """\
papilio: 1
source: data/table.csv
columns: {age: quasi, sex: quasi, ill: sensitive}
privacy: {k: 3}
method: mondrian
"""


def shown(visit: Visit, name: str, policy: str):
    project = table_project(visit.server, name, CSV, policy)
    published(project)
    page = visit.open(f"/p/{project.name}/result")
    expect(page.locator("#risk .attacks").last).to_be_visible()
    return project, page


def test_a_secret_that_is_certain_is_red_and_its_remedy_is_one_click(visit: Visit) -> None:
    project, page = shown(visit, "red", POLICY)
    light = page.locator(".light[data-light=secret]")
    expect(light.get_by_role("heading")).to_have_text("What is marked secret stays secret: no")
    expect(light).to_contain_text("ill of 3 people (50%)")
    expect(page.get_by_role("heading", name="The claims hold: yes")).to_be_visible()
    assert serious_findings(page) == []
    light.get_by_role("button", name="Write into the policy").first.click()
    page.wait_for_url("**/run*")
    assert "ill: 2" in project.policy_file.read_text()


def test_a_red_release_is_handed_out_after_a_question_that_is_asked_once(visit: Visit) -> None:
    _, page = shown(visit, "asks", POLICY)
    page.get_by_role("button", name="Download the release").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("ill of 3 people (50%)")
    with page.expect_download() as loading:
        dialog.get_by_role("link", name="Download all the same").click()
    assert loading.value.suggested_filename.endswith(".zip")
    expect(dialog).to_be_hidden()
    with page.expect_download():
        page.get_by_role("link", name="Download the release").click()


def test_a_green_release_is_handed_out_at_once(visit: Visit) -> None:
    # Of six people, who asks why mondrian made one class of them knows two illnesses.
    policy = POLICY.replace("{k: 3}", "{k: 3, l: {ill: 2}}").replace("mondrian", "hybrid")
    _, page = shown(visit, "green", policy)
    for title in ("What is marked secret stays secret: yes", "Nobody stands alone: yes"):
        expect(page.get_by_role("heading", name=title)).to_be_visible()
    with page.expect_download():
        page.get_by_role("link", name="Download the release").click()


def test_what_follows_from_cells_alone_is_shown_and_made_safe_by_one_click(visit: Visit) -> None:
    alike = CSV.replace(",m,", ",f,").replace("62,f,hiv", "62,m,hiv")
    project = table_project(visit.server, "tight", alike, POLICY)
    published(project)
    page = visit.open(f"/p/{project.name}/result")
    light = page.locator(".light[data-light=alone]")
    expect(light.get_by_role("heading")).to_have_text("Nobody stands alone: no")
    expect(light).to_contain_text("as seen by anyone who reads the release")
    expect(page.get_by_role("heading", name="What follows from the release alone")).to_be_visible()
    expect(page.get_by_role("img", name="Complete rows that follow")).to_be_visible()
    assert serious_findings(page) == []
    light.get_by_role("button", name="cells: safe").click()
    page.wait_for_url("**/run*")
    assert "cells: safe" in project.policy_file.read_text()


def test_what_would_help_a_variant_is_one_click(visit: Visit) -> None:
    project = table_project(visit.server, "variants", CSV, POLICY)
    comparison = compare(Policy.load(project.policy_file), methods=["mondrian"], k=[3])
    save_comparison(project.folder, comparison)
    page = visit.open(f"/p/{project.name}/compare")
    expect(page.locator("tr.reason").first).to_contain_text("red: ill of 3 people (50%)")
    assert serious_findings(page) == []
    page.get_by_role(
        "button", name="Write into the policy, for mondrian, k = 3: privacy: {l: {ill: 2}}"
    ).click()
    page.wait_for_url("**/run*")
    text = project.policy_file.read_text()
    assert "ill: 2" in text
    assert "k: 3" in text
