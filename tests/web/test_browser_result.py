"""Releases of all kinds on the Result page; comparisons, reports, downloads."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator

import pytest
from axe import serious_findings
from browser import PHONE, Visit, drawn, press, question
from playwright.sync_api import Browser, expect
from projects import published_example
from running import Running

from sizes import some

KINDS = (
    "one-table",
    "recipients",
    "permutation",
    "disguise",
    "projections",
    "linked-tables",
    "graph",
)


@pytest.fixture
def phone(shared_browser: Browser, shared_workbench: Running) -> Iterator[Visit]:
    visitor = Visit(shared_browser, shared_workbench, PHONE)
    yield visitor
    visitor.context.close()


@pytest.mark.parametrize("name", some(KINDS, "one-table"))
def test_every_kind_of_release_is_shown(visit: Visit, phone: Visit, name: str) -> None:
    project = published_example(visit.server, name)
    page = visit.open(f"/p/{project.name}/result")
    expect(page.get_by_role("heading", name="The claims hold: yes")).to_be_visible()
    expect(page.locator("#risk .attacks").last).to_be_visible()
    expect(
        page.get_by_role("heading", name="What this release does not protect against")
    ).to_be_visible()
    assert page.locator(".drawing svg").count() >= 2
    assert page.locator(".message.error").count() == 0
    assert page.locator(".promises li").count() >= 1
    assert serious_findings(page) == []
    small = phone.open(f"/p/{project.name}/result")
    expect(
        small.get_by_role("heading", name="What this release does not protect against")
    ).to_be_visible()
    assert small.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.long
def test_rows_stand_before_and_after(visit: Visit) -> None:
    project = published_example(visit.server, "one-table")
    page = visit.open(f"/p/{project.name}/result")
    table = page.locator(".part table.examples")
    expect(table).to_be_visible()
    assert table.locator("del").count() == table.locator("ins").count() > 3


@pytest.mark.long
def test_a_population_changes_the_estimates(visit: Visit) -> None:
    project = published_example(visit.server, "one-table")
    page = visit.open(f"/p/{project.name}/result")
    expect(page.locator("#risk .attacks").last).to_be_visible()
    page.get_by_label("People it was drawn from").fill("5000")
    page.get_by_role("button", name="Estimate").click()
    expect(page.locator("#risk")).to_contain_text("random sample of 5,000 people")


def test_release_and_report_are_handed_out(visit: Visit) -> None:
    project = published_example(visit.server, "one-table")
    page = visit.open(f"/p/{project.name}/result")
    # Who knows the diagnosis learns the days of many: amber, so that it asks first.
    page.get_by_role("button", name="Download the release").click()
    # The attacks may end while the question is read; it stays.
    expect(page.locator("#risk .attacks").last).to_be_visible()
    with page.expect_download() as loading:
        page.get_by_role("link", name="Download all the same").click()
    packed = zipfile.ZipFile(io.BytesIO(loading.value.path().read_bytes()))
    assert {"1/release.json", "1/patients.parquet"} <= set(packed.namelist())
    page.get_by_role("button", name="Make the owner’s report").click()
    expect(page.get_by_role("button", name="Print / PDF")).to_be_visible()
    with visit.context.expect_page() as opening:
        page.get_by_role("link", name="Open the report").click()
    expect(opening.value.get_by_text("For the data owner only").first).to_be_visible()


@pytest.mark.long
def test_the_report_is_printed_in_the_browser(visit: Visit) -> None:
    project = published_example(visit.server, "one-table")
    page = visit.open(f"/p/{project.name}/result")
    page.get_by_role("button", name="Make the owner’s report").click()
    expect(page.get_by_role("button", name="Print / PDF")).to_be_visible()
    page.get_by_role("button", name="Print / PDF").click()
    frame = page.locator("iframe").element_handle().content_frame()
    frame.get_by_text("For the data owner only").first.wait_for(state="attached")
    # The call itself needs a screen; that it is allowed shows in the frame being reachable.
    assert (
        page.evaluate("typeof document.querySelector('iframe').contentWindow.print") == "function"
    )


@pytest.mark.long
def test_a_point_of_a_comparison_is_opened_by_keyboard(visit: Visit) -> None:
    project = published_example(visit.server, "one-table")
    page = visit.open(f"/p/{project.name}/compare")
    expect(page.locator(".trade-off .point")).to_have_count(0)
    page.get_by_role("button", name="Compare", exact=True).click()
    point = page.get_by_role("button", name=re.compile("Open mondrian, k = 10, loss"))
    expect(point).to_be_visible()
    point.focus()
    press(page, "Enter")
    page.wait_for_url(re.compile(r"/result\?release=2"))
    text = project.policy_file.read_text()
    assert "k: 10" in text
    assert "method: mondrian" in text
    page.goto(f"{visit.server.base}/p/{project.name}/compare")
    page.get_by_role("button", name="Open mondrian, k = 10", exact=True).click()
    page.wait_for_url(re.compile(r"/result\?release=2"))
    assert project.release_numbers() == (1, 2)
    page.goto(f"{visit.server.base}/p/{project.name}/compare")
    expect(page.locator(".trade-off .point").first).to_be_visible()
    assert serious_findings(page) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["permutation", "disguise"])
def test_other_families_are_compared_too(visit: Visit, name: str) -> None:
    project = published_example(visit.server, name)
    page = visit.open(f"/p/{project.name}/compare")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator(".trade-off .point").first).to_be_visible()
    assert page.locator(".trade-off .point").count() >= 6


@pytest.mark.parametrize("name", some(["one-table", "linked-tables", "graph"]))
def test_examples_of_questions_are_answered(visit: Visit, name: str) -> None:
    project = published_example(visit.server, name)
    page = visit.open(f"/p/{project.name}/ask")
    examples = page.get_by_role("group", name="Examples").get_by_role("button")
    expect(examples.first).to_be_visible()
    for place in range(examples.count()):
        examples.nth(place).click()
        expect(page.locator("#answer tbody tr").first).to_be_visible()
        assert page.locator("#answer .message.error").count() == 0
    assert serious_findings(page) == []


def test_a_question_that_cannot_be_bounded_is_refused_in_one_line(visit: Visit) -> None:
    project = published_example(visit.server, "permutation")
    page = visit.open(f"/p/{project.name}/ask")
    question(page, "SELECT age FROM staff WHERE salary > 40000")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("salary")


def test_an_example_is_not_written_into_a_question(visit: Visit) -> None:
    """Whoever is in the box may be typing already; who is not finds an example there."""
    project = published_example(visit.server, "one-table")
    page = visit.open(f"/p/{project.name}/ask")
    box = page.get_by_label("SQL", exact=True)
    box.focus()
    # Until the server has heard of it, an example may still be written.
    drawn(page)
    press(page, "ControlOrMeta+a", "Delete")
    expect(page.get_by_role("group", name="Examples")).to_be_visible()
    drawn(page)
    expect(box).to_have_value("")
    page.reload()
    expect(box).not_to_have_value("")
