"""Accessibility of a page as axe sees it."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_SERIOUS = ("serious", "critical")


def serious_findings(page: Page) -> list[str]:
    """Rules that a page breaks seriously, with where."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in found
        if each["impact"] in _SERIOUS
        for node in each["nodes"]
    ]
