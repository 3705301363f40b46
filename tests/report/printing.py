"""A page on paper, as Chromium prints it."""

from __future__ import annotations

import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from installed_chromium import QUIET, installed_chromium
from missing import missing

_BOX = re.compile(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]")


@dataclass(frozen=True)
class Printed:
    """A page on paper.

    Attributes
    ----------
    sheets
        Width and height of each sheet in points.
    pdf
        The file.
    facts
        What a script found on the page while it was laid out for print.
    """

    sheets: list[tuple[int, int]]
    pdf: bytes
    facts: Any

    def texts(self) -> list[str]:
        """Text of each sheet, from top to bottom."""
        if shutil.which("pdftotext") is None:
            missing("pdftotext is not installed")
        found = subprocess.run(
            ["pdftotext", "-layout", "-", "-"], input=self.pdf, capture_output=True, check=True
        )
        return found.stdout.decode().split("\f")[:-1]


def print_page(html: str, paper: str, script: str) -> Printed:
    """Print a page on a kind of paper, without backgrounds, as most printers are set."""
    found = installed_chromium()
    # In a thread of its own: another browser may be open in this one.
    with ThreadPoolExecutor(1) as thread:
        pdf, facts = thread.submit(_print, found, html, paper, script).result()
    sheets = [(round(float(w)), round(float(h))) for w, h in _BOX.findall(pdf)]
    return Printed(sheets, pdf, facts)


def _print(browser_path: str, html: str, paper: str, script: str) -> tuple[bytes, Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=QUIET)
        page = browser.new_page()
        page.set_content(html)
        page.emulate_media(media="print")
        facts = page.evaluate(script)
        pdf = page.pdf(format=paper, print_background=False)
        browser.close()
    return pdf, facts
