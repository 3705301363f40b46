"""The pages of one workspace as an application for a web server."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response
from nicegui import app as pages
from nicegui import ui
from starlette.staticfiles import StaticFiles

from papilio.document.html import style
from papilio.errors import PapilioError
from papilio.web.frame import foot, frame, top
from papilio.web.jobs.run import close, prepare
from papilio.web.pages import (
    ask,
    columns,
    compare,
    data,
    recipients,
    requirements,
    result,
    run,
    step_of,
)
from papilio.web.pages import start as start_page
from papilio.web.parts.blocks import heading, message
from papilio.web.project import Project, Workspace
from papilio.web.quiet import quiet_loop, words_for
from papilio.web.security.access import page_of
from papilio.web.transfers import add_downloads, add_uploads

_STATIC = Path(__file__).parent / "static"
_ICON = "🦋"
_HEAD = (
    '<meta name="papilio-limit" content="{limit}">'
    '<link rel="stylesheet" href="/static/papilio.css">'
    '<link rel="stylesheet" href="/static/runs.css">'
    '<script src="/static/upload.js" defer></script>'
)
# Loaded with the server: to load a page when it is first asked for would hold up all others.
_PAGES: dict[str, Callable[[Project], Awaitable[None] | None]] = {
    "data": data.page,
    "columns": columns.page,
    "recipients": recipients.page,
    "requirements": requirements.page,
    "run": run.page,
    "result": result.page,
    "compare": compare.page,
    "ask": ask.page,
}
#: As in the style sheet.
_ACCENT, _BAD = "#0f766e", "#b42318"


def application(workspace: Workspace, limit: int) -> FastAPI:
    """Put the pages, uploads and downloads of a workspace together.

    Pages say the ``limit`` of uploads in bytes beforehand; the guard enforces it.

    There can be one in a process.
    """
    made = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=_lifespan)
    add_downloads(made, workspace)
    add_uploads(made, workspace)
    made.mount("/static", StaticFiles(directory=_STATIC))
    _add_pages(workspace, limit)
    pages.config.quasar_config["brand"] = {"primary": _ACCENT, "negative": _BAD}
    pages.config.socket_io_js_transports = ["websocket"]
    ui.run_with(
        made,
        title="Papilio",
        favicon=_ICON,
        language="en-US",
        # Pages have a style sheet of their own; nothing is compiled in the browser.
        tailwind=False,
        # Nothing goes over a wire, so packing it would only cost time.
        gzip_middleware_factory=None,
        show_welcome_message=False,
        # A busy browser may be silent for seconds; a page that is given up loses what was typed.
        reconnect_timeout=30.0,
        binding_refresh_interval=None,
        storage_secret=None,
    )
    return made


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    del app
    quiet_loop()
    prepare()
    yield
    close()


def _add_pages(workspace: Workspace, limit: int) -> None:
    parts = f"<style>{style('parts.css')}</style>"
    ui.add_head_html(_HEAD.format(limit=limit) + parts, shared=True)
    pages.on_page_exception(_trouble)
    pages.add_exception_handler(404, _no_such_page)

    @ui.page("/")
    def start() -> None:
        start_page.page(workspace)

    @ui.page("/p/{project}/{key}")
    async def step(project: str, key: str) -> Response | None:
        try:
            found, wanted = workspace.project(project), step_of(key)
        except PapilioError as error:
            return HTMLResponse(page_of("There is no such project", str(error)), 404)
        if wanted is None:
            return _no_such_page()
        with frame(found, wanted):
            drawn = _PAGES[key](found)
            if inspect.isawaitable(drawn):
                await drawn
        return None


def _no_such_page(*asked: object) -> Response:
    del asked
    text = "The workbench has no page at this address. The start page lists your projects."
    return HTMLResponse(page_of("There is no such page", text), 404)


def _trouble(error: Exception) -> None:
    """Say on a page of its own why another could not be drawn."""
    top(None)
    with ui.element("main").props("id=main tabindex=-1"):
        heading("This page cannot be shown", 1)
        message(words_for(error), "error")
        ui.link("All projects", "/").classes("button secondary")
    foot()
