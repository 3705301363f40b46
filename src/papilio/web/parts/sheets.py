"""What pages with forms need of the browser: their style, and memory of what had the focus."""

from __future__ import annotations

from nicegui import ui


def sheets() -> None:
    """Add the style and the script of forms to this page."""
    ui.add_head_html('<link rel="stylesheet" href="/static/forms.css">')
    ui.add_head_html('<script src="/static/focus.js"></script>')
