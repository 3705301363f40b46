"""From a policy to a verified release, in a real browser: runs, failures, cancelling."""

from __future__ import annotations

import random
import re

import pytest
from axe import serious_findings
from browser import Visit, question
from playwright.sync_api import Page, expect
from projects import example_project, table_project

_COUNT = """() => {
  for (const kind of ['click', 'keydown']) {
    document.addEventListener(kind, event => {
      if (!event.isTrusted) return;
      sessionStorage[kind] = Number(sessionStorage[kind] || 0) + 1;
    }, true);
  }
}"""

POLICY = """papilio: 1
source: data/table.csv
columns: {age: quasi, weight: quasi, height: quasi, disease: sensitive}
privacy: {k: 5}
method: hybrid
"""


def table(rows: int) -> str:
    draw = random.Random(7)
    numbers = ((draw.randint(0, 99), draw.randint(0, 9999), draw.random()) for _ in range(rows))
    lines = (f"{age},{weight},{height:.5f},{age % 5}" for age, weight, height in numbers)
    return "age,weight,height,disease\n" + "\n".join(lines) + "\n"


def run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).click()


def verified(page: Page) -> None:
    page.wait_for_url(re.compile(r"/result"))
    expect(page.get_by_role("heading", name="The claims hold: yes")).to_be_visible()


@pytest.mark.long
def test_adult_takes_less_than_ten_clicks_and_no_typing(visit: Visit) -> None:
    visit.context.add_init_script(f"({_COUNT})()")
    page = visit.page()
    page.get_by_role("button", name="Open the Adult sample").click()
    page.wait_for_url(re.compile(r"/data$"))
    page.get_by_role("button", name="Use these suggestions").click()
    page.wait_for_url(re.compile(r"/columns$"))
    for step in ("requirements", "run"):
        page.get_by_role("link", name=re.compile("^Next: ")).click()
        page.wait_for_url(re.compile(f"/{step}$"))
    run(page)
    verified(page)
    clicks, keys = page.evaluate("[sessionStorage.click, sessionStorage.keydown || '0']")
    assert int(clicks) < 10
    assert int(keys) == 0
    expect(page.get_by_text("rows in the smallest class; 10 demanded")).to_be_visible()


def test_the_run_page_says_what_will_be_done(visit: Visit) -> None:
    project = example_project(visit.server, "recipients")
    page = visit.open(f"/p/{project.name}/run")
    order = page.locator(".order")
    expect(order).to_contain_text("insurer knows age")
    expect(order).to_contain_text("butterfly")
    assert serious_findings(page) == []


@pytest.mark.long
def test_two_recipients_get_one_verified_release(visit: Visit) -> None:
    project = example_project(visit.server, "recipients")
    page = visit.open(f"/p/{project.name}/run")
    run(page)
    verified(page)
    page.get_by_text("What the verifier found").first.click()
    expect(page.get_by_text("for insurer").first).to_be_visible()
    expect(page.get_by_role("heading", name="Recipient: insurer")).to_be_visible()
    expect(page.get_by_role("heading", name="Recipient: personnel")).to_be_visible()
    together = page.get_by_role("heading", name="All recipients together", exact=True)
    expect(together).to_be_visible()
    assert project.release_numbers() == (1,)


@pytest.mark.long
def test_a_permutation_is_run_and_asked(visit: Visit) -> None:
    project = example_project(visit.server, "permutation")
    page = visit.open(f"/p/{project.name}/run")
    run(page)
    verified(page)
    page.get_by_role("link", name="Ask it in SQL").click()
    question(
        page,
        "SELECT gender, avg(salary) FROM staff WHERE age > 50 GROUP BY gender ORDER BY gender",
    )
    page.get_by_text("Show the true answer beside it").click()
    page.get_by_role("button", name="Ask", exact=True).click()
    rows = page.locator("#answer tbody tr")
    expect(rows).to_have_count(2)
    for row in rows.all():
        cells = row.locator("td").all_inner_texts()
        low, high, true = (float(cells[place].replace(",", "")) for place in (2, 3, 6))
        assert low <= true <= high
        assert low < high
    expect(page.get_by_role("img", name=re.compile("Bounds of avg"))).to_be_visible()


@pytest.mark.long
def test_a_cancelled_run_leaves_nothing_and_the_next_succeeds(visit: Visit) -> None:
    project = table_project(visit.server, "long", table(120_000), POLICY)
    page = visit.open(f"/p/{project.name}/run")
    run(page)
    expect(page.locator(".progress .stage")).to_have_text(
        re.compile("Dividing|Encoding|Writing gen")
    )
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing was written.")).to_be_visible()
    assert list(project.releases.iterdir()) == []
    assert not [path for path in project.folder.iterdir() if path.name.startswith(".")]
    run(page)
    verified(page)
    assert project.release_numbers() == (1,)


@pytest.mark.long
def test_a_second_run_at_the_same_time_is_refused(visit: Visit) -> None:
    project = table_project(visit.server, "twice", table(120_000), POLICY)
    first, second = (visit.open(f"/p/{project.name}/run") for _ in range(2))
    run(first)
    expect(first.locator(".progress .stage")).to_be_visible()
    run(second)
    expect(second.get_by_text("busy with another run")).to_be_visible()
    second.reload()
    expect(second.locator(".progress .stage")).to_be_visible()
    second.get_by_role("button", name="Cancel").click()
    expect(first.get_by_text("Cancelled. Nothing was written.")).to_be_visible()


def test_what_cannot_be_met_names_what_can_and_offers_it(visit: Visit) -> None:
    policy = POLICY.replace("k: 5", "k: 500")
    project = table_project(visit.server, "small", table(60), policy)
    page = visit.open(f"/p/{project.name}/run")
    run(page)
    expect(page.get_by_role("alert")).to_contain_text("at most 60 is accepted")
    page.get_by_role("button", name="Use that: k = 60").click()
    verified(page)
    assert "k: 60" in project.policy_file.read_text()


def test_an_incomplete_policy_cannot_be_run(visit: Visit) -> None:
    project = table_project(visit.server, "incomplete", table(20), "papilio: 1\n")
    page = visit.open(f"/p/{project.name}/run")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    expect(page.locator("#main")).to_contain_text("The policy is not complete yet")
