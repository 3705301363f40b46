"""Chromium, and a watch on what it asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from running import Running

from installed_chromium import QUIET, installed_chromium

#: The widths pages are looked at.
DESK = {"width": 1400, "height": 900}
PHONE = {"width": 375, "height": 800}
#: Milliseconds to wait for what should be there: a busy machine is slow, not wrong.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; tests are skipped where there is none."""
    found = installed_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=QUIET)
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """One visitor with cookies of their own; everything their pages ask for is noted."""

    def __init__(self, browser: Browser, server: Running, viewport: dict[str, int]) -> None:
        self.server = server
        self.context: BrowserContext = browser.new_context(viewport=viewport)
        self.context.set_default_timeout(PATIENCE)
        self.asked: list[str] = []
        self.errors: list[str] = []
        self.context.on("request", lambda request: self.asked.append(request.url))

    def page(self) -> Page:
        """A new tab on the start page."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(self.server.address)
        page.wait_for_url(f"{self.server.base}/")
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_function("window.did_handshake === true")
        return page

    def open(self, path: str) -> Page:
        """A new tab on a page of the workbench."""
        page = self.page()
        page.goto(self.server.base + path)
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_function("window.did_handshake === true")
        return page

    def elsewhere(self) -> set[str]:
        """Hosts other than the workbench that were asked for anything."""
        hosts = {
            urlsplit(url).netloc for url in self.asked if not url.startswith(("data:", "blob:"))
        }
        return hosts - {f"127.0.0.1:{self.server.port}"}
