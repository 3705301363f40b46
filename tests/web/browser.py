"""Chromium, a watch on what it asks for, and visitors who look before they act.

A page is drawn on the server: whatever a visitor does is sent there, and parts of the page come
back as new elements. An action that falls into that gap is lost, as it is meant for an element
which the server has replaced already, or which goes while the mouse button is down. People look
first; tests are faster than the page. So before each action, the page must show what came of all
actions before, and after it, what came of this one, lest a test takes what was there before for
the answer: :func:`drawn`. It waits on the server's word and on no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    expect,
    sync_playwright,
)
from running import Running

from installed_chromium import QUIET, installed_chromium

#: The widths pages are looked at.
DESK = {"width": 1400, "height": 900}
PHONE = {"width": 375, "height": 800}
#: Milliseconds to wait for what should be there: a busy machine is slow, not wrong.
PATIENCE = 120_000
expect.set_options(timeout=PATIENCE)
#: Messages are handled in the order in which they were sent. With the first answer, the server has
#: handled all that was done before; with the second, it has sent what it drew upon that.
_DRAWN = """async () => {
  if (!window.socket) return;
  while (!window.did_handshake) await new Promise(done => setTimeout(done, 10));
  for (let round = 0; round < 2; round++)
    await new Promise(done => window.socket.emit("ack", {
      client_id: window.clientId, next_message_id: window.nextMessageId,
    }, done));
  await new Promise(done => setTimeout(done));
}"""
#: What visitors do to an element.
_ACTIONS = ("click", "press", "select_option", "focus", "drag_to", "set_input_files")


def drawn(page: Page) -> None:
    """Wait until the page shows what came of everything that was done on it."""
    while True:
        try:
            page.evaluate(_DRAWN)
        except Error as error:
            # The page has just been left for another one, which is then waited for.
            if "context was destroyed" not in str(error):
                raise
        else:
            return


def press(page: Page, *keys: str) -> None:
    """Press keys, one after the other, wherever the focus is."""
    for key in keys:
        drawn(page)
        page.keyboard.press(key)


def write(page: Page, text: str) -> None:
    """Type where the focus is."""
    drawn(page)
    page.keyboard.type(text)


def question(page: Page, sql: str) -> None:
    """Write a question on the Ask page; examples may come at any time."""
    page.get_by_label("SQL", exact=True).fill(sql)


def _careful(action: Callable[..., Any]) -> Callable[..., Any]:
    """An action on an element, with the page drawn before and after it."""

    @wraps(action)
    def acted(element: Locator, *arguments: Any, **options: Any) -> Any:
        drawn(element.page)
        result = action(element, *arguments, **options)
        drawn(element.page)
        return result

    return acted


def _filled(element: Locator, value: str) -> None:
    """Fill a box in and be done with it, without the pause after which what is typed is sent."""
    drawn(element.page)
    box = element.element_handle()
    box.fill(value)
    box.dispatch_event("change")
    drawn(element.page)


Locator.fill = _filled  # type: ignore[method-assign, assignment]
for _name in _ACTIONS:
    setattr(Locator, _name, _careful(getattr(Locator, _name)))


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
        drawn(page)
        return page

    def open(self, path: str) -> Page:
        """A new tab on a page of the workbench."""
        page = self.page()
        page.goto(self.server.base + path)
        page.get_by_role("heading", level=1).wait_for()
        drawn(page)
        return page

    def elsewhere(self) -> set[str]:
        """Hosts other than the workbench that were asked for anything."""
        hosts = {
            urlsplit(url).netloc for url in self.asked if not url.startswith(("data:", "blob:"))
        }
        return hosts - {f"127.0.0.1:{self.server.port}"}
