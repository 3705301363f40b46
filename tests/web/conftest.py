"""One workbench and one browser for all tests that do not need their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from browser import DESK, Visit, chromium
from playwright.sync_api import Browser
from running import Running, running


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Give a browser test a second chance: a busy machine loses a click, a fault fails twice."""
    if not item.path.name.startswith("test_browser_"):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if any(report.failed for report in reports):
        item._initrequest()  # type: ignore[attr-defined]
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


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
