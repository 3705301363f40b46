"""A part of a card that is folded away until somebody opens it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.parts.section import paragraph


@contextmanager
def folded(title: str, hint: str = "", *, opened: bool = False) -> Iterator[None]:
    """Open a part with its title, which stays visible, and a line that explains.

    Parameters
    ----------
    title, hint
        What it is about; the hint is folded away with the rest.
    opened
        Whether it stands open at first: the policy says something about it.
    """
    with ui.element("details").classes("words").props("open" if opened else ""):
        TextElement(tag="summary", text=title)
        if hint:
            paragraph(hint)
        yield
