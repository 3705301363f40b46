"""Drawings, and the numbers behind them."""

from __future__ import annotations

from nicegui import ui

from papilio.report.overview.overview import Numbers, Picture
from papilio.web.parts.plain_table import plain_table
from papilio.web.parts.section import heading


def drawing(svg: str, title: str) -> None:
    """Show a drawing of ours; on a narrow screen it scrolls by itself.

    Its texts were escaped when it was drawn, and it says in words what it shows.
    """
    box = ui.html(svg, sanitize=False).classes("drawing")
    box.props["tabindex"] = 0
    box.props["role"] = "group"
    box.props["aria-label"] = title


def picture(each: Picture, *, titled: bool) -> None:
    """Show a drawing with the numbers behind it, with its title if there are several."""
    with ui.element("figure").classes("picture"):
        if titled:
            heading(each.title, 3)
        drawing(each.svg, each.title)
        if each.numbers is not None:
            numbers(each.numbers, each.title)


def numbers(each: Numbers, title: str) -> None:
    """Show numbers on demand."""
    with ui.element("details").classes("numbers"):
        with ui.element("summary"):
            ui.label("The numbers")
        plain_table(each.head, each.rows, f"The numbers of: {title}")
