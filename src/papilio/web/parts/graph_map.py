"""The two sides and the links of a graph, on the page."""

from __future__ import annotations

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.forms.edits import Edit, KeyPath
from papilio.web.forms.facts import Facts, table_with
from papilio.web.forms.suggested_columns import suggested_attributes
from papilio.web.parts.choice import Choice, text_of
from papilio.web.parts.complaint import complaint
from papilio.web.parts.live import Live
from papilio.web.parts.number_box import NumberBox
from papilio.web.parts.section import section
from papilio.web.parts.view import View, edit

_PARTS = (
    ("left", "Left entities, which k is about", (("key", "Key"),)),
    ("right", "Right entities, which l is about", (("key", "Key"),)),
    (
        "edges",
        "Links, one a row",
        (
            ("left", "Column with the key of the left"),
            ("right", "Column with the key of the right"),
        ),
    ),
)


def graph_map(view: View, live: Live, facts: Facts) -> None:
    """Draw which tables are the two sides and the links, and by which columns they meet."""
    hint = "Two kinds of entities, and a table that says who is linked to what."
    with section("What the graph is made of", hint):
        with ui.element("div").classes("tables-map"):
            for part, title, keys in _PARTS:
                _part(view, live, facts, part, title, keys)
        path = ("graph", "retries")
        box = NumberBox(
            "Further orders to try (empty: 5)",
            view.said(path),
            lambda number: edit(live.project, Edit(path, number)),
            name="graph-retries",
            on_empty=lambda: edit(live.project, Edit(path)),
        )
        box.input.classes("wide")
        live.follow(lambda later: box.show(later.said(path)))
        complaint(view, live, path)


def _part(
    view: View,
    live: Live,
    facts: Facts,
    part: str,
    title: str,
    keys: tuple[tuple[str, str], ...],
) -> None:
    path = ("graph", part)
    table = table_with(facts, view.said((*path, "source")))
    columns = {each.name: each.name for each in table.columns} if table else {}
    sources = {text_of(each.source): text_of(each.source) for each in facts}
    with ui.element("div").classes("table-card"):
        TextElement(tag="h3", text=title).classes("h3")
        with ui.element("div").classes("fields"):
            _choice(view, live, (*path, "source"), "Table", sources)
            for key, label in keys:
                _choice(view, live, (*path, key), label, columns)
        if part != "edges" and table is not None and not view.said((*path, "columns")):
            key = text_of(view.said((*path, "key")))
            said = suggested_attributes(table, key)
            ui.button(
                "Publish its attributes",
                on_click=lambda: edit(live.project, Edit((*path, "columns"), said)),
            ).classes("secondary small").props("no-caps")
        complaint(view, live, path)


def _choice(view: View, live: Live, path: KeyPath, label: str, options: dict[str, str]) -> None:
    box = Choice(
        label,
        options,
        text_of(view.said(path)),
        lambda value: edit(live.project, Edit(path, value)),
        name="-".join(path),
    )
    live.follow(lambda later: box.show(text_of(later.said(path))))
