"""The start page: all projects, and the ways to begin one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from nicegui import ui

from papilio.errors import PapilioError
from papilio.web.frame import foot, on_errors, top
from papilio.web.opening.database import open_database
from papilio.web.opening.file import ENDINGS, open_file
from papilio.web.opening.files import begin, settle
from papilio.web.opening.policy_file import POLICIES, open_policy
from papilio.web.opening.sample import open_sample
from papilio.web.pages import address
from papilio.web.parts.file_browser import pick_file
from papilio.web.parts.projects import projects
from papilio.web.parts.section import heading, paragraph, section
from papilio.web.parts.upload import upload_zone
from papilio.web.project import Project
from papilio.web.workspace import Workspace


def page(workspace: Workspace) -> None:
    """Draw the page."""
    ui.page_title("Papilio")
    on_errors()
    top(None)
    with ui.element("main").classes("page-alone").props("id=main tabindex=-1"):
        heading("Publish data about people without exposing them", 1)
        paragraph(
            "Bring data, say what its columns are and what must hold. Papilio anonymises it, and "
            "a second, independent part of it checks the result before you get it."
        )
        projects(workspace)
        with ui.element("div").classes("ways"):
            _sample(workspace)
            _upload(workspace)
            _file(workspace)
            _database(workspace)
            _policy(workspace)
    foot()


def _go(project: Project) -> None:
    ui.navigate.to(address(project, "data"))


def _sample(workspace: Workspace) -> None:
    async def start() -> None:
        button.disable()
        _go(await asyncio.to_thread(open_sample, workspace))

    with section("Try it with sample data", "30,162 people of the US census of 1994 (UCI Adult)."):
        button = ui.button("Open the Adult sample", icon="science", on_click=start)
        button.classes("primary")


def _upload(workspace: Workspace) -> None:
    def started(names: list[str]) -> tuple[Project, str]:
        return begin(workspace, names), "data"

    def done(project: Project, names: list[str], message: str) -> None:
        if not names:
            workspace.remove(project.name)
        elif not message:
            _settle(workspace, project, names)
            _go(project)

    with section("Upload files", "Copied into the workspace on this machine, nowhere else."):
        upload_zone(
            "Choose files",
            started,
            done,
            hint="or drop them here: CSV, TSV or Parquet, several for linked tables or a graph, "
            "and a policy file if you have one",
            endings=(*ENDINGS, *POLICIES),
        )


def _settle(workspace: Workspace, project: Project, names: list[str]) -> None:
    try:
        settle(project, names)
    except PapilioError:
        workspace.remove(project.name)
        raise


def _file(workspace: Workspace) -> None:
    with section("Open a file on this machine", "It stays where it is; nothing of it is copied."):
        _path("Path of a file or folder", ENDINGS, lambda path: _go(open_file(workspace, path)))


def _database(workspace: Workspace) -> None:
    def start() -> None:
        given, secret.value = secret.value or "", ""
        _go(open_database(workspace, place.value or "", given))

    with section("Read a database", "A table of PostgreSQL. The password stays in memory only."):
        place = ui.input("Address", placeholder="postgresql://user@host/database#table")
        place.classes("wide").props("outlined dense autocomplete=off")
        secret = ui.input("Password, if needed", password=True)
        secret.classes("wide").props("outlined dense autocomplete=off")
        with ui.element("div").classes("buttons"):
            ui.button("Connect", on_click=start).classes("secondary")


def _policy(workspace: Workspace) -> None:
    with section("Open a policy file", "Every page then shows what the policy says."):
        _path("Path of a policy file", POLICIES, lambda path: _go(open_policy(workspace, path)))


def _path(label: str, endings: tuple[str, ...], opens: Callable[[str], None]) -> None:
    """A path to type, or to pick among files with these endings; ``opens`` gets it."""

    def start() -> None:
        opens(path.value or "")

    def picked(text: str) -> None:
        path.value = text
        start()

    path = ui.input(label).classes("wide").props("outlined dense")
    path.on("keydown.enter", start)
    with ui.element("div").classes("buttons"):
        ui.button("Open", on_click=start).classes("secondary")
        ui.button(
            "Browse", icon="folder_open", on_click=lambda: pick_file(endings, picked)
        ).classes("secondary")
