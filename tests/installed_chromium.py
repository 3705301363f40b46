"""The Chromium of this machine, for tests that look at pages."""

from __future__ import annotations

import shutil

from missing import missing

_NAMES = ("chromium", "chromium-browser", "google-chrome")
#: Arguments with which it asks for nothing by itself.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def installed_chromium() -> str:
    """Where it is; see :func:`missing.missing` for where there is none."""
    found = next((path for path in map(shutil.which, _NAMES) if path), None)
    return found or missing(f"none of {', '.join(_NAMES)} is installed")
