"""What stands around every page of a project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from nicegui import ui

from papilio.version import __version__
from papilio.web.changes import watch
from papilio.web.draft import load_draft
from papilio.web.pages import STEPS, Step, address
from papilio.web.parts.policy_panel import PolicyPanel
from papilio.web.parts.section import heading
from papilio.web.project import Project
from papilio.web.quiet import tell, words_for

LOGO = (
    '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">'
    '<path fill="currentColor" d="M15 9C12 4 6 3 3 5c-1 5 1 9 6 10-3 1-5 4-4 8 4 3 8 1 10-4z"/>'
    '<path fill="currentColor" opacity=".55" '
    'd="M17 9c3-5 9-6 12-4 1 5-1 9-6 10 3 1 5 4 4 8-4 3-8 1-10-4z"/></svg>'
)


@contextmanager
def frame(project: Project, step: Step) -> Iterator[None]:
    """Draw the frame of a step; the page itself is drawn inside.

    The frame holds the steps, the page, and beside it the policy: what every click writes, open
    to be edited. Errors of handlers are shown as Papilio's own texts, or without text.
    """
    ui.page_title(f"{step.title} · {project.name} · Papilio")
    on_errors()
    top(project)
    with ui.element("div").classes("changed-elsewhere").props("role=status") as notice:
        ui.label("The policy was changed in another tab.")
        ui.button("Load it", on_click=ui.navigate.reload).classes("secondary")
    notice.set_visibility(False)
    _steps(project, step)
    with ui.element("div").classes("columns-of-page"):
        main = ui.element("main").props("id=main tabindex=-1")
        panel = PolicyPanel(project, load_draft(project))
    foot()
    # Before the page is drawn, so that its parts can follow the policy.
    watch(project, panel.show, partial(notice.set_visibility, True))
    with main:
        heading(step.purpose, 1)
        yield


def top(project: Project | None) -> None:
    """The head of a page: where one is, and the way to the start."""
    _only_one_main()
    ui.link("Skip to content", "#main").classes("skip")
    with ui.element("header").classes("top"):
        with ui.link(target="/").classes("brand").props('aria-label="Papilio, all projects"'):
            ui.html(LOGO, sanitize=False)
            ui.label("Papilio")
        if project is not None:
            ui.label("/").classes("muted").props("aria-hidden=true")
            ui.label(project.name).classes("project-name")


def _only_one_main() -> None:
    """Keep the page library from calling the whole page its main part."""
    slot = ui.context.client.content.parent_slot
    if slot is not None:
        slot.parent.props("role=presentation")


def foot() -> None:
    """The foot of a page."""
    with ui.element("footer").classes("foot"):
        ui.label(f"Papilio {__version__} · on this machine only, nothing leaves it")


def _steps(project: Project, current: Step) -> None:
    with (
        ui.element("nav").classes("steps").props('aria-label="Steps"'),
        ui.element("ol"),
    ):
        for number, step in enumerate(STEPS, 1):
            with ui.element("li"), ui.link(target=address(project, step.key)) as link:
                ui.label(str(number)).classes("number").props("aria-hidden=true")
                ui.label(step.title)
            if step is current:
                link.classes("current").props("aria-current=step")


def on_errors() -> None:
    """Show errors of handlers on this page: Papilio's own texts, or no text at all."""

    def handle(error: Exception) -> None:
        tell(error)
        ui.notify(
            words_for(error),
            type="negative",
            multi_line=True,
            timeout=10_000,
            close_button="Close",
            classes="error-note",
        )

    ui.context.client.on_exception(handle)
