"""A box in the page that tells something."""

from __future__ import annotations

from typing import Literal

from nicegui import ui

Kind = Literal["info", "good", "warning", "error"]
_ICON = {"info": "info", "good": "check_circle", "warning": "warning", "error": "error"}


def message(text: str, kind: Kind = "info") -> ui.element:
    """Tell something in the page; an error is read out at once by screen readers."""
    role = "alert" if kind == "error" else "status"
    with ui.element("div").classes(f"message {kind}").props(f"role={role}") as box:
        ui.icon(_ICON[kind]).props("aria-hidden=true")
        ui.label(text)
    return box
