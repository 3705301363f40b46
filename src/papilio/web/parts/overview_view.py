"""A release at a glance: figures, what it promises, and drawings."""

from __future__ import annotations

import html

from nicegui import ui

from papilio.report.overview.overview import Overview, Part
from papilio.web.parts.before_after import before_after
from papilio.web.parts.message import message
from papilio.web.parts.picture import picture
from papilio.web.parts.plain_table import plain_table
from papilio.web.parts.section import heading, section
from papilio.web.parts.verdict import findings


def head_of_release(found: Overview) -> None:
    """Show the promises and the figures that sum up."""
    if found.seeded:
        message("Made with a seed: for tests only, do not publish it.", "warning")
    tiles = "".join(
        f"<div><dd>{html.escape(tile.value)}</dd><dt>{html.escape(tile.name)}</dt></div>"
        for tile in found.tiles
    )
    ui.html(f"<dl>{tiles}</dl>", sanitize=False).classes("tiles")
    with section("What is promised"):
        with ui.element("ul").classes("promises"):
            for recipient, sentence in found.promises:
                with ui.element("li"):
                    ui.label(sentence)
                    if len(found.promises) > 1:
                        ui.label(f"for {recipient}").classes("muted")
        with ui.element("details").classes("numbers"):
            with ui.element("summary"):
                ui.label(f"All {len(found.verdict.findings)} checks of the verifier")
            findings(found.verdict)


def parts_of_release(found: Overview) -> None:
    """Show everything else, rows before and after first."""
    if found.examples:
        with section(
            "Rows before and after",
            "Rows of the original, struck out where they were changed, and a published row that "
            "covers each. Within a class nobody can tell which published row was made from which.",
        ):
            before_after(found.examples)
    for part in found.parts:
        _part(part)
    _limits(found)


def _part(part: Part) -> None:
    with section(part.title, part.text):
        if part.numbers is not None:
            plain_table(part.numbers.head, part.numbers.rows, part.title)
        several = len(part.pictures) > 1
        with ui.element("div").classes("pictures" if several else "one-picture"):
            for each in part.pictures:
                picture(each, titled=several)


def _limits(found: Overview) -> None:
    with section("What is not promised", "Nobody is protected against everything. Know this:"):
        for name, explanation in found.limits:
            heading(name, 3)
            ui.label(explanation).classes("hint")
        if found.assumptions:
            heading("Assumed", 3)
            with ui.element("ul").classes("plain-list"):
                for each in found.assumptions:
                    with ui.element("li"):
                        ui.label(each)
