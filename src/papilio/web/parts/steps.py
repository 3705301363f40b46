"""The way from one step to the next."""

from __future__ import annotations

from nicegui import ui

from papilio.web.pages import address, step_of
from papilio.web.project import Project


def next_button(project: Project, key: str) -> None:
    """The button at the end of a page that leads on; there is one per page."""
    step = step_of(key)
    if step is None:
        return
    with ui.element("div").classes("next"):
        ui.link(f"Next: {step.title}", address(project, key)).classes("button primary")
