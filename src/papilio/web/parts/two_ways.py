"""A choice between two ways, each with a sentence."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

#: Title of a way, and a sentence about it.
Way = tuple[str, str]


def two_ways(one: Way, other: Way, *, second: bool, on_choose: Callable[[bool], None]) -> None:
    """Draw two cards; ``second`` says which is chosen, and ``on_choose`` is told the same."""
    with (
        ui.element("fieldset")
        .classes("families two-ways")
        .props(f'aria-label="{one[0]} or {other[0]}"')
    ):
        for number, (title, sentence) in enumerate((one, other)):
            with ui.element("label").classes("family"):
                radio = ui.element("input").props(f"type=radio name=way id=way-{number}")
                if bool(number) is second:
                    radio.props["checked"] = True
                radio.on("change", lambda number=number: on_choose(bool(number)))
                TextElement(tag="div", text=title).classes("title")
                TextElement(tag="div", text=sentence).classes("when")
