"""What is wrong with a key of the policy, in Papilio's own words."""

from __future__ import annotations

from nicegui.elements.mixins.text_element import TextElement

from papilio.web.forms.edits import KeyPath
from papilio.web.parts.live import Live
from papilio.web.parts.view import View


def complaint(view: View, live: Live, path: KeyPath) -> None:
    """A line that is there as long as something is wrong at a key or below it."""
    line = TextElement(tag="p", text="").classes("complaint").props("role=status")

    def show(later: View) -> None:
        line.text = later.complaint(path)
        line.set_visibility(bool(line.text))

    live.follow(show)
    show(view)
