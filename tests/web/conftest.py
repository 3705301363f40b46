"""One workbench and one browser for all tests that do not need their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import DESK, Visit, chromium
from playwright.sync_api import Browser
from running import Running, running


@pytest.fixture(scope="session")
def shared_workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A workbench that is started once."""
    with running(tmp_path_factory.mktemp("workbench")) as server:
        yield server


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[Browser]:
    """A browser that is started once."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Running]:
    """A workbench of one test."""
    with running(tmp_path) as server:
        yield server


@pytest.fixture
def visit(shared_browser: Browser, shared_workbench: Running) -> Iterator[Visit]:
    """A visitor at a desk; no page of theirs may ask another host for anything, or fail."""
    visitor = Visit(shared_browser, shared_workbench, DESK)
    yield visitor
    visitor.context.close()
    assert visitor.elsewhere() == set()
    assert visitor.errors == []
