"""The projects of a workspace, to go on with or to delete."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

from nicegui import ui

from papilio.web.jobs.run import cancel_all
from papilio.web.pages import address
from papilio.web.parts.section import heading, section
from papilio.web.project import Project
from papilio.web.workspace import Workspace


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
