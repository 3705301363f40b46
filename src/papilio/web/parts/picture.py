"""Drawings."""

from __future__ import annotations

from nicegui import ui


def drawing(svg: str, title: str) -> None:
    """Show a drawing of ours; on a narrow screen it scrolls by itself.

    Its texts were escaped when it was drawn, and it says in words what it shows.
    """
    box = ui.html(svg, sanitize=False).classes("drawing")
    box.props["tabindex"] = 0
    box.props["role"] = "group"
    box.props["aria-label"] = title
