"""A document on a page: what sums it up, and its parts."""

from __future__ import annotations

import html
from collections.abc import Sequence

from nicegui import ui

from papilio.document import Document, Part, Tile
from papilio.document.html import part_markup
from papilio.document.text import legible
from papilio.web.parts.message import message
from papilio.web.parts.section import heading, paragraph, section


def head_of_document(document: Document) -> None:
    """Show the figures that sum up, and what is to be read first."""
    for warning in document.warnings:
        message(warning, "warning")
    tiles = "".join(
        f"<div><dd>{html.escape(tile.value)}</dd><dt>{html.escape(_name(tile))}</dt></div>"
        for tile in document.tiles
    )
    ui.html(f"<dl>{tiles}</dl>", sanitize=False).classes("tiles")
    show_parts(document.head)


def _name(tile: Tile) -> str:
    return legible(f"{tile.name}. {tile.note}" if tile.note else tile.name)


def show_parts(parts: Sequence[Part]) -> None:
    """Show parts that are for pages; those that are folded open on demand."""
    for part in parts:
        if part.where == "report":
            continue
        if part.folded:
            _folded(part)
        else:
            with section(part.title, part.lead):
                _contents(part)


def _folded(part: Part) -> None:
    with (
        ui.element("section").classes("card"),
        ui.element("details").classes("folded"),
    ):
        with ui.element("summary"):
            heading(part.title, 2)
        if part.lead:
            paragraph(part.lead)
        _contents(part)


def _contents(part: Part) -> None:
    """What a part shows: markup of the template that writes reports, which escapes all text."""
    if part.contents:
        ui.html(str(part_markup(part)), sanitize=False).classes("part")
