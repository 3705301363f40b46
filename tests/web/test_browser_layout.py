"""Every page can be read on a phone, used with a keyboard, and heard."""

from __future__ import annotations

import re

import pytest
from axe import serious_findings
from browser import PHONE, Visit, drawn, press
from playwright.sync_api import Browser, Page, expect
from running import Running

from papilio.samples import FOLDER
from papilio.web.draft import Draft, load_draft, save_draft
from papilio.web.opening import open_sample
from papilio.web.pages import STEPS, address
from papilio.web.project import Project, Workspace


@pytest.fixture(scope="module")
def project(shared_workbench: Running) -> Project:
    made = open_sample(Workspace(shared_workbench.workspace))
    text = (FOLDER / "policy.yaml").read_text()
    draft = Draft(text, made.folder).with_value(("source",), "data/adult.parquet")
    save_draft(made, draft)
    return made


def settled(page: Page) -> None:
    """Wait until nothing on the page is under way."""
    page.wait_for_function("!document.querySelector('.waiting')")
    drawn(page)


@pytest.mark.long
def test_no_page_is_wider_than_a_phone_or_hard_to_use_without_eyes(
    shared_browser: Browser, shared_workbench: Running, project: Project
) -> None:
    visit = Visit(shared_browser, shared_workbench, PHONE)
    page = visit.page()
    paths = ["/", *(address(project, step.key) for step in STEPS), "/p/nobody/data"]
    troubles = {}
    for path in paths:
        page.goto(shared_workbench.base + path)
        page.get_by_role("heading", level=1).wait_for()
        settled(page)
        wide = page.evaluate("document.documentElement.scrollWidth")
        troubles[path] = ([] if wide <= PHONE["width"] else [f"{wide} px"]) + serious_findings(page)
    assert {path: found for path, found in troubles.items() if found} == {}
    assert visit.elsewhere() == set()
    assert visit.errors == []
    visit.context.close()


@pytest.mark.long
def test_every_step_has_one_main_heading_and_says_where_one_is(
    visit: Visit, project: Project
) -> None:
    page = visit.page()
    for step in STEPS:
        page.goto(visit.server.base + address(project, step.key))
        expect(page.get_by_role("heading", level=1)).to_have_text(step.purpose)
        expect(page.locator("[aria-current=step]")).to_contain_text(step.title)
        assert page.title().startswith(step.title)


def press_until(page: Page, name: str, kind: str = "") -> None:
    """Press Tab until something of this name, and of this kind, has the focus."""
    for _ in range(150):
        press(page, "Tab")
        tag, words = page.evaluate(
            "[document.activeElement.tagName, (document.activeElement.getAttribute('aria-label')"
            " || document.activeElement.innerText || '').trim()]"
        )
        # The last line, since an icon comes first as the word it is drawn for.
        if words.rpartition("\n")[2] == name and kind in ("", tag):
            return
    pytest.fail(f"{name} cannot be reached with the Tab key")


@pytest.mark.long
def test_the_whole_way_without_a_mouse(visit: Visit) -> None:
    page = visit.page()
    press_until(page, "Skip to content")
    press_until(page, "Open the Adult sample")
    press(page, "Enter")
    page.wait_for_url(re.compile(r"/p/adult[-\d]*/data$"))
    expect(page.get_by_role("button", name="Use these suggestions")).to_be_visible()
    for name, leads_to in (
        ("Use these suggestions", r"/columns$"),
        ("Next: Requirements", r"/requirements$"),
        ("Next: Run", r"/run$"),
    ):
        press_until(page, name)
        press(page, "Enter")
        page.wait_for_url(re.compile(leads_to))
        expect(page.get_by_role("main").locator("a.primary, button.primary").first).to_be_visible()
    project = Workspace(visit.server.workspace).project(page.url.split("/")[-2])
    assert load_draft(project).faults() == ()
    press_until(page, "Run", "BUTTON")
    press(page, "Enter")
    page.wait_for_url(re.compile(r"/result"))
    assert project.release_numbers() == (1,)
