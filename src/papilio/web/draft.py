"""The policy of a project as text, which every page reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from nicegui import Client, ui

from papilio.errors import Fault, PolicyError
from papilio.policy.edit import with_value, without
from papilio.policy.files import read_yaml
from papilio.policy.policy import Policy
from papilio.web.allowed import allowed, policy_in
from papilio.web.project import Project
from papilio.web.transfers import replace_text

#: Longest policy the panel takes, in characters.
LONGEST = 200_000
#: Keys that a policy needs even if nothing stands under them.
_KEPT = ("columns", "privacy")


@dataclass(frozen=True)
class Draft:
    """A policy as text; it may have faults.

    Attributes
    ----------
    text
        The policy file.
    base
        Folder that file names in it are relative to.
    """

    text: str
    base: Path = Path()

    @property
    def tree(self) -> dict[str, Any]:
        """The text as plain data; empty if it cannot be read."""
        try:
            return dict(read_yaml(self.text).data)
        except PolicyError:
            return {}

    def get(self, path: tuple[str, ...], default: Any = None) -> Any:
        """Value at a path of keys, or ``default``."""
        here: Any = self.tree
        for key in path:
            if not isinstance(here, dict) or key not in here:
                return default
            here = here[key]
        return here

    def with_value(self, path: tuple[str, ...], value: Any) -> Draft:
        """Set a key, see :func:`papilio.policy.edit.with_value`."""
        return Draft(with_value(self.text, path, value), self.base)

    def without(self, path: tuple[str, ...]) -> Draft:
        """Remove a key, and those above it that have nothing left but are not needed."""
        text = without(self.text, path)
        while len(path) > 1 and path[:-1] not in tuple((key,) for key in _KEPT):
            path = path[:-1]
            if Draft(text).get(path) != {}:
                break
            text = without(text, path)
        return Draft(text, self.base)

    def faults(self) -> tuple[Fault, ...]:
        """Everything wrong with it; empty if it can be run."""
        return _faults(self, allowed(self.base))

    def policy(self) -> Policy:
        """The policy it describes.

        Raises
        ------
        PolicyError
            One fault per mistake.
        """
        return policy_in(self.base, self.text)


@lru_cache(maxsize=16)
def _faults(draft: Draft, places: tuple[Path, ...]) -> tuple[Fault, ...]:
    """Faults of a draft; the panel and every part of a page ask for the same ones."""
    del places  # What may be read is part of what is remembered.
    try:
        draft.policy()
    except PolicyError as error:
        return error.faults
    return ()


def load_draft(project: Project) -> Draft:
    """Read the policy of a project."""
    try:
        text = project.policy_file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        text = ""
    return Draft(text, project.folder)


def save_draft(project: Project, draft: Draft) -> None:
    """Write the policy of a project, whole or not at all.

    Raises
    ------
    PolicyError
        If the text is too long, or not a YAML mapping, so that no page could show it.
    OutputError
        If the disk refuses.
    """
    if len(draft.text) > LONGEST:
        raise PolicyError([Fault(f"longer than {LONGEST:,} characters, which is the limit here")])
    read_yaml(draft.text)
    replace_text(project.policy_file, draft.text, "policy")


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
