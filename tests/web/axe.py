"""Accessibility of a page as axe sees it."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_SERIOUS = ("serious", "critical")


#: What fades in or out has no colours of its own until it is there; what turns for ever is let be.
_STILL = """() => Promise.all(
  document.getAnimations()
    .filter(each => each.effect.getComputedTiming().endTime !== Infinity)
    .map(each => each.finished.catch(() => {}))
).then(() => {})"""


def serious_findings(page: Page) -> list[str]:
    """Rules that a page breaks seriously, with where, once nothing on it is moving."""
    page.evaluate(_STILL)
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in found
        if each["impact"] in _SERIOUS
        for node in each["nodes"]
    ]
