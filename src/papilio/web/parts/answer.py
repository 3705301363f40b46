"""The answer to a question: bounds as numbers and as error bars."""

from __future__ import annotations

from nicegui import ui

from papilio.web.parts.message import message
from papilio.web.parts.picture import drawing
from papilio.web.parts.plain_table import plain_table
from papilio.web.parts.section import heading, paragraph
from papilio.web.verbs.ask import Asked


def answer(asked: Asked) -> None:
    """Show an answer, how it looks, and the query that gave it."""
    heading("Answer", 3)
    if not asked.lines:
        message("No group of the release meets the condition.")
    else:
        plain_table(asked.head, asked.lines, "Bounds")
    if asked.left:
        paragraph(f"{asked.left:,} more lines are not shown; ask with LIMIT.")
    for note in asked.notes:
        message(note)
    for name, svg in asked.pictures.items():
        drawing(svg, f"Bounds of {name}")
    if asked.pictures:
        truth = ", a diamond is the truth" if asked.head[-1] == "the truth" else ""
        paragraph(f"A line runs from bound to bound, a dot is the estimate{truth}.")
    with ui.element("details").classes("numbers"):
        with ui.element("summary"):
            ui.label("The query as it runs over the published tables")
        ui.code(asked.rewritten, language="sql")
