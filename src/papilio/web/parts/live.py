"""A part of a page that follows the policy."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from nicegui import ui

from papilio.web.changes import on_change
from papilio.web.draft import Draft, load_draft
from papilio.web.parts.view import View, view_of
from papilio.web.project import Project

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
