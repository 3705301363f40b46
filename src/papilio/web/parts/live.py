"""A part of a page that follows the policy."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from nicegui import ui

from papilio.errors import Fault
from papilio.web.draft import Draft, change, load_draft, on_change
from papilio.web.forms.edits import Edit, KeyPath, on_draft, value_at
from papilio.web.project import Project


@dataclass(frozen=True)
class View:
    """A draft, read once.

    Attributes
    ----------
    draft
        The draft.
    tree
        Its content.
    faults
        What is wrong with it.
    """

    draft: Draft
    tree: Mapping[str, Any]
    faults: tuple[Fault, ...]

    def said(self, path: KeyPath, default: Any = None) -> Any:
        """What a key says."""
        return value_at(self.tree, path, default)

    def complaint(self, path: KeyPath) -> str:
        """What is wrong at a key or below it, on one line; empty if nothing is."""
        where = ".".join(path)
        found = [each for each in self.faults if _at(each.where, where)]
        return "; ".join(dict.fromkeys(each.message for each in found))


def _at(place: str, where: str) -> bool:
    return place == where or place.startswith(f"{where}.")


@lru_cache(maxsize=16)
def view_of(draft: Draft) -> View:
    """Read a draft; every part of a page asks, so the last ones are remembered."""
    return View(draft, draft.tree, draft.faults())


def edit(project: Project, *edits: Edit) -> None:
    """Make edits to the policy of a project; it is saved, and every part of the page told."""
    if edits:
        change(project, on_draft(load_draft(project), edits))


Follower = Callable[[View], None]


class Live:
    """Draws itself from the policy, and again when the policy has got another shape.

    As long as the shape is the same, only values have changed: those who follow are told, and
    nothing is drawn anew under the hands of somebody who types.

    Parameters
    ----------
    project
        Whose policy.
    shape
        What decides which controls there are.
    draw
        Draws them; it may ask to be told of later policies with :meth:`follow`.
    """

    def __init__(
        self,
        project: Project,
        shape: Callable[[View], Hashable],
        draw: Callable[[View, Live], None],
    ) -> None:
        self.project = project
        self._shape, self._draw = shape, draw
        self._drawn: Hashable = object()
        self._followers: list[Follower] = []
        self._box = ui.element("div").classes("live")
        on_change(project, self._changed)
        self.show(view_of(load_draft(project)))

    def follow(self, follower: Follower) -> None:
        """Tell a control of every later policy, until it is drawn anew."""
        self._followers.append(follower)

    def show(self, view: View) -> None:
        """Show a policy."""
        shape = self._shape(view)
        if shape == self._drawn:
            for follower in list(self._followers):
                follower(view)
            return
        first = not self._box.default_slot.children
        self._drawn, self._followers = shape, []
        self._box.clear()
        with self._box:
            self._draw(view, self)
        if not first:
            # Whoever caused the change may just have been drawn anew, and is no place to speak of.
            self._box.client.run_javascript("window.papilioRefocus && papilioRefocus()")

    def redraw(self) -> None:
        """Draw it anew although the policy is the same."""
        self._drawn = object()
        self.show(view_of(load_draft(self.project)))

    def _changed(self, draft: Draft) -> None:
        # One that was drawn inside another, which has been drawn anew since, is gone.
        if not self._box.is_deleted:
            self.show(view_of(draft))
