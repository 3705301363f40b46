"""Take the pictures of the workbench that its page in the manual shows.

    PYTHONPATH=src python docs/screenshots.py

Goes the way a user goes, in Chromium, with the Adult sample; writes docs/images/workbench-*.png.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "web"))

from browser import Visit, chromium  # noqa: E402
from running import running  # noqa: E402

IMAGES = ROOT / "docs" / "images"
WINDOW = {"width": 1280, "height": 820}
LARGEST = 200_000


def picture(page: Page, name: str, *, top: str | None = None) -> None:
    """Save what the window shows, from an element on if one is named."""
    if top is not None:
        page.get_by_role("heading", name=top, exact=True).first.evaluate(
            "element => window.scrollTo(0, element.getBoundingClientRect().top + scrollY - 80)"
        )
    # Whatever moves or fades has come to rest.
    page.wait_for_timeout(1500)
    path = IMAGES / f"workbench-{name}.png"
    page.screenshot(path=path)
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)}  {size / 1000:.0f} kB")
    if size > LARGEST:
        raise SystemExit(f"{path.name} is larger than {LARGEST / 1000:.0f} kB")


def go_through(page: Page) -> None:
    picture(page, "start")
    page.get_by_role("button", name="Open the Adult sample").click()
    page.get_by_role("button", name="Use these suggestions").wait_for(timeout=120_000)
    picture(page, "data")
    page.get_by_role("button", name="Use these suggestions").click()
    page.wait_for_url(re.compile("/columns$"))
    page.wait_for_load_state("networkidle")
    picture(page, "columns")
    page.get_by_role("link", name="Next: Requirements").click()
    page.wait_for_url(re.compile("/requirements$"))
    picture(page, "requirements")
    page.get_by_role("link", name="Next: Run").click()
    page.wait_for_url(re.compile("/run$"))
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url(re.compile("/result"), timeout=300_000)
    page.get_by_role("heading", name="The claims hold: yes").wait_for(timeout=300_000)
    for part in ("What is promised", "What attackers could learn"):
        page.get_by_role("heading", name=part).first.wait_for()
    picture(page, "result")
    picture(page, "risk", top="Risk")
    results(page)


def results(page: Page) -> None:
    project = page.url.rpartition("/")[0]
    page.goto(f"{project}/ask")
    page.get_by_role("group", name="Examples").get_by_role("button").last.click()
    page.locator("#answer tbody tr").first.wait_for()
    picture(page, "ask")
    page.goto(f"{project}/compare")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("button", name=re.compile("^Open .*loss")).first.wait_for(timeout=300_000)
    picture(page, "compare", top="Loss and privacy")


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder)) as server,
        chromium() as browser,
    ):
        visit = Visit(browser, server, WINDOW)
        visit.context.set_default_timeout(120_000)
        go_through(visit.page())
        visit.context.close()


if __name__ == "__main__":
    main()
