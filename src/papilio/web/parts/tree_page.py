"""The tree of one column: how its values generalise, and editing it by hand."""

from __future__ import annotations

from nicegui import ui

from papilio.errors import DataError
from papilio.web.draft import load_draft
from papilio.web.forms.places import Place, places
from papilio.web.pages import address
from papilio.web.parts.tree_editor import TreeEditor
from papilio.web.project import Project


async def tree_page(project: Project, column: str, table: str) -> None:
    """Draw the page of a column's tree."""
    place = _place(project, table)
    with ui.element("p"):
        ui.link("← All columns", address(project, "columns")).classes("back")
    editor = TreeEditor(project, place, column)
    ui.timer(0.05, editor.load, once=True)


def _place(project: Project, table: str) -> Place:
    found = [each for each in places(load_draft(project).tree) if table in ("", *each.path)]
    if not found:
        raise DataError("the policy has no such table", reason="no-table")
    return found[0]
