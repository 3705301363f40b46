"""A family that is added from outside goes through the pages of the workbench."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import DESK, Visit
from playwright.sync_api import Browser, expect
from projects import example_project
from running import SOURCES, running

TESTS = Path(__file__).parents[1]
TOY = TESTS / "families" / "toy_papilio.py"


@pytest.fixture
def visit(shared_browser: Browser, tmp_path: Path) -> Iterator[Visit]:
    """A visitor of a workbench that knows the eighth family."""
    path = os.pathsep.join([str(SOURCES), str(TESTS), str(TOY.parent)])
    with running(tmp_path, program=(str(TOY),), PYTHONPATH=path) as server:
        visitor = Visit(shared_browser, server, DESK)
        yield visitor
        visitor.context.close()
        assert visitor.errors == []


@pytest.mark.long
def test_it_is_chosen_published_shown_compared_and_asked(visit: Visit) -> None:
    project = example_project(visit.server, "one-table")
    page = visit.open(f"/p/{project.name}/requirements")
    page.locator(".family", has=page.locator("#family-toy")).click()
    expect(page.locator("#family-toy")).to_be_checked()
    expect(page.get_by_role("region", name="Policy as YAML")).to_contain_text("method: one-class")
    page.goto(f"{visit.server.base}/p/{project.name}/run")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**/result*")
    expect(page.get_by_text("Everybody is in it.")).to_be_visible()
    expect(page.get_by_text("Nobody can be told apart from the others.")).to_be_visible()
    page.goto(f"{visit.server.base}/p/{project.name}/compare")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("cell", name="one-class").first).to_be_visible()
    page.goto(f"{visit.server.base}/p/{project.name}/ask")
    page.get_by_role("group", name="Examples").get_by_role("button").first.click()
    expect(page.locator("#answer tbody tr").first).to_be_visible()
