"""Tiles with a figure each."""

from __future__ import annotations

from nicegui import ui


def figures() -> ui.element:
    """A row of tiles; use it as a context."""
    return ui.element("dl").classes("figures")


def figure(label: str, value: str, hint: str = "") -> None:
    """One tile: what it is, the figure, and a word about it."""
    with ui.element("div").classes("figure"):
        with ui.element("dt"):
            ui.label(label)
        with ui.element("dd"):
            ui.label(value).classes("value")
            if hint:
                ui.label(hint).classes("hint")
