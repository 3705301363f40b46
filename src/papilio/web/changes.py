"""A page changes the policy: it is saved, shown in the panel, and other tabs are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from nicegui import Client, ui

from papilio.web.draft import Draft, save_draft
from papilio.web.project import Project

Watcher = Callable[[Draft], None]


@dataclass
class _Tab:
    """One open page of a project."""

    client: Client
    show: Watcher
    warn: Callable[[], object]
    watchers: list[Watcher] = field(default_factory=list)


#: Open pages by the folder of their project.
_TABS: dict[str, list[_Tab]] = {}


def watch(project: Project, show: Watcher, warn: Callable[[], object]) -> None:
    """Take part in changes until this page is gone.

    Parameters
    ----------
    project
        The project of this page.
    show
        Called with the new policy after this page changed it.
    warn
        Called after another page changed it.
    """
    client = ui.context.client
    tab = _Tab(client, show, warn)
    tabs = _TABS.setdefault(str(project.folder), [])
    tabs.append(tab)

    def leave() -> None:
        tabs.remove(tab)

    client.on_delete(leave)


def on_change(project: Project, callback: Watcher) -> None:
    """Call back whenever this page, or the panel beside it, has changed the policy.

    A page with no such callback is loaded anew after the panel was edited.
    """
    tab = _own(project)
    if tab is not None:
        tab.watchers.append(callback)


def change(project: Project, draft: Draft) -> None:
    """Save a policy, show it in the panel of this page, and tell the other pages.

    Raises
    ------
    PolicyError, OutputError
        If it cannot be saved; then nothing changes anywhere.
    """
    save_draft(project, draft)
    mine = _own(project)
    for tab in list(_TABS.get(str(project.folder), ())):
        if tab is mine:
            # What is drawn anew may hold the very control that asked for the change.
            with tab.client:
                tab.show(draft)
                for watcher in list(tab.watchers):
                    watcher(draft)
        else:
            with tab.client:
                tab.warn()


def change_by_hand(project: Project, draft: Draft) -> None:
    """Save what was typed into the panel, and bring the page beside it up to date."""
    mine = _own(project)
    change(project, draft)
    if mine is not None and not mine.watchers:
        with mine.client:
            ui.navigate.reload()


def _own(project: Project) -> _Tab | None:
    client = ui.context.client
    tabs = _TABS.get(str(project.folder), ())
    return next((tab for tab in tabs if tab.client is client), None)
