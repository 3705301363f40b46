"""A card of the page with its heading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement


@contextmanager
def section(title: str, hint: str = "") -> Iterator[ui.element]:
    """Open a card with a heading and, under it, a line that explains."""
    with ui.element("section").classes("card") as card:
        heading(title, 2)
        if hint:
            paragraph(hint)
        yield card


def heading(text: str, level: int) -> ui.element:
    """A heading that screen readers find as one."""
    return TextElement(tag=f"h{level}", text=text).classes(f"h{level}")


def paragraph(text: str) -> ui.element:
    """A paragraph of explaining text."""
    return TextElement(tag="p", text=text).classes("hint")
