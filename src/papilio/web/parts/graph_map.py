"""The two sides and the links of a graph, on the page."""

from __future__ import annotations

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.families.keys import key_at
from papilio.web.forms.edits import Edit, KeyPath
from papilio.web.forms.facts import Facts, table_with
from papilio.web.forms.suggested_columns import suggested_attributes
from papilio.web.parts.choice import Choice, text_of
from papilio.web.parts.complaint import complaint
from papilio.web.parts.live import Live
from papilio.web.parts.section import section
from papilio.web.parts.view import View, edit

#: Parts of a graph, and which of their keys are columns.
_PARTS = {"left": ("key",), "right": ("key",), "edges": ("left", "right")}


def graph_map(view: View, live: Live, facts: Facts) -> None:
    """Draw which tables are the two sides and the links, and by which columns they meet."""
    hint = "Two kinds of entities, and a table that says who is linked to what."
    with section("What the graph is made of", hint), ui.element("div").classes("tables-map"):
        for part, keys in _PARTS.items():
            _part(view, live, facts, part, keys)


def _part(view: View, live: Live, facts: Facts, part: str, keys: tuple[str, ...]) -> None:
    path = ("graph", part)
    table = table_with(facts, view.said((*path, "source")))
    columns = {each.name: each.name for each in table.columns} if table else {}
    sources = {text_of(each.source): text_of(each.source) for each in facts}
    with ui.element("div").classes("table-card"):
        TextElement(tag="h3", text=key_at(*path).words.label).classes("h3")
        with ui.element("div").classes("fields"):
            _choice(view, live, (*path, "source"), sources)
            for key in keys:
                _choice(view, live, (*path, key), columns)
        if part != "edges" and table is not None and not view.said((*path, "columns")):
            said = suggested_attributes(table, text_of(view.said((*path, "key"))))
            ui.button(
                "Publish its attributes",
                on_click=lambda: edit(live.project, Edit((*path, "columns"), said)),
            ).classes("secondary small").props("no-caps")
        complaint(view, live, path)


def _choice(view: View, live: Live, path: KeyPath, options: dict[str, str]) -> None:
    box = Choice(
        key_at(*path).words.label,
        options,
        text_of(view.said(path)),
        lambda value: edit(live.project, Edit(path, value)),
        name="-".join(path),
    )
    live.follow(lambda later: box.show(text_of(later.said(path))))
