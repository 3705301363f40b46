"""The start page: all projects, and the ways to begin one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path

from nicegui import ui

from papilio.data.source import FileSource
from papilio.errors import PapilioError
from papilio.web.draft import Draft, load_draft, save_draft
from papilio.web.frame import foot, on_errors, top
from papilio.web.jobs.run import cancel_all
from papilio.web.opening import (
    ENDINGS,
    POLICIES,
    open_database,
    open_file,
    open_policy,
    open_sample,
    put_in_place,
    read_policy,
)
from papilio.web.pages import address
from papilio.web.parts.blocks import heading, paragraph, section
from papilio.web.parts.files import upload_zone
from papilio.web.project import Project, Workspace
from papilio.web.safe_name import inside


def begin(workspace: Workspace, names: Sequence[str]) -> Project:
    """Make a project for files of these names that are about to come in."""
    tables = [name for name in names if not name.lower().endswith(POLICIES)]
    first = (tables or list(names) or ["data"])[0]
    return workspace.create(FileSource(Path(first)).name)


def settle(project: Project, files: Sequence[str]) -> None:
    """Take uploaded files into use.

    A policy among them becomes that of the project, and the others go where it expects them.
    Without one, the first file becomes the source if the policy names no data yet.

    Raises
    ------
    DataError, PolicyError
        If a file with the name of a policy is none.
    """
    policies = [name for name in files if name.lower().endswith(POLICIES)]
    for name in policies[:1]:
        path = inside(project.data, name)
        save_draft(project, Draft(read_policy(path), project.folder))
        path.unlink()
    for name in files:
        if name not in policies:
            put_in_place(project, name)
    tables = [name for name in files if name not in policies]
    draft = load_draft(project)
    if tables and not any(key in draft.tree for key in ("source", "tables", "graph")):
        save_draft(project, draft.with_value(("source",), f"data/{tables[0]}"))


def projects(workspace: Workspace) -> None:
    """List all projects, the one changed last first; nothing if there is none."""
    found = workspace.projects()
    if not found:
        return
    with section("Your projects"), ui.element("ul").classes("projects"):
        for project in found:
            with ui.element("li") as row:
                _project(workspace, project, row)


def _project(workspace: Workspace, project: Project, row: ui.element) -> None:
    with ui.link(target=address(project, "data")):
        ui.label(project.name).classes("h3")
        ui.label(_about(project)).classes("hint")

    async def remove() -> None:
        await asyncio.to_thread(cancel_all, project)
        await asyncio.to_thread(workspace.remove, project.name)
        row.delete()

    button = ui.button(icon="delete_outline", color=None, on_click=lambda: _ask(project, remove))
    button.props(f'flat round aria-label="Delete {project.name}"')


def _about(project: Project) -> str:
    count = len(project.release_numbers())
    made = f"{count or 'no'} release{'' if count == 1 else 's'}"
    when = datetime.fromtimestamp(project.changed)
    return f"{made} · changed {when:%-d %B %Y, %H:%M}"


def _ask(project: Project, remove: Callable[[], Awaitable[None]]) -> None:
    with (
        ui.dialog(value=True).props(f'aria-label="Delete {project.name}?"') as dialog,
        ui.card().classes("browser"),
    ):
        heading(f"Delete {project.name}?", 2)
        ui.label(
            "Its policy, uploaded files, releases and reports are deleted from this machine. "
            "Files outside the workspace stay."
        )

        async def agreed() -> None:
            dialog.close()
            await remove()

        with ui.element("div").classes("buttons"):
            ui.button("Delete", on_click=agreed).classes("secondary danger")
            ui.button("Keep it", on_click=dialog.close).classes("secondary")


#: Most entries of one folder that are shown.
MOST = 300


def roots() -> dict[str, Path]:
    """Folders that can be looked into, by what they are called."""
    found = {"Home folder": Path.home(), "Where papilio was started": Path.cwd()}
    return {name: path.resolve() for name, path in found.items()}


def listed(folder: Path, endings: Sequence[str]) -> tuple[list[Path], list[Path]]:
    """Folders and files of a folder, as far as they can be picked.

    Hidden ones, and links that lead out of the roots, are left out.
    """
    inside = [path for path in roots().values() if folder.resolve().is_relative_to(path)]
    if not inside:
        return [], []
    folders, files = [], []
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name.lower())
    except OSError:
        return [], []
    for path in entries:
        if path.name.startswith(".") or not _within(path, inside):
            continue
        if path.is_dir():
            folders.append(path)
        elif path.name.lower().endswith(tuple(endings)):
            files.append(path)
    return folders[:MOST], files[:MOST]


def _within(path: Path, folders: Sequence[Path]) -> bool:
    try:
        real = path.resolve()
    except OSError:
        return False
    return any(real.is_relative_to(folder) for folder in folders)


def pick_file(endings: Sequence[str], on_pick: Callable[[str], None]) -> None:
    """Open a dialogue that lists folders and files; calls back with the path picked."""
    with (
        ui.dialog().props('aria-label="Pick a file"') as dialog,
        ui.card().classes("browser"),
    ):
        heading("Pick a file", 2)
        body = ui.element("div").classes("browser-body")
        ui.button("Cancel", on_click=dialog.close).classes("secondary")

    def pick(path: Path) -> None:
        dialog.close()
        on_pick(str(path))

    def show(folder: Path | None) -> None:
        body.clear()
        with body:
            _rows(folder, endings, show, pick)

    show(None)
    dialog.open()


def _rows(
    folder: Path | None,
    endings: Sequence[str],
    show: Callable[[Path | None], None],
    pick: Callable[[Path], None],
) -> None:
    if folder is None:
        for name, path in roots().items():
            _row(name, "folder", lambda path=path: show(path))  # type: ignore[misc]
        return
    ui.label(str(folder)).classes("hint")
    above = None if folder in roots().values() else folder.parent
    _row("Up", "arrow_upward", lambda: show(above))
    folders, files = listed(folder, endings)
    for path in folders:
        _row(path.name, "folder", lambda path=path: show(path))  # type: ignore[misc]
    for path in files:
        _row(path.name, "description", lambda path=path: pick(path))  # type: ignore[misc]
    if not files:
        ui.label(f"No file here ends in {', '.join(endings)}.").classes("hint")


def _row(text: str, icon: str, on_click: Callable[[], None]) -> None:
    ui.button(text, icon=icon, on_click=on_click, color=None).props("flat no-caps align=left")


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
