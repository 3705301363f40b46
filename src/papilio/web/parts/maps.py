"""Maps of what is published: linked tables and their links, and the two sides of a graph."""

from __future__ import annotations

from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.families.keys import key_at
from papilio.policy.tables_policy import TablePolicy
from papilio.policy.words import words_of
from papilio.web.draft import load_draft
from papilio.web.forms.edits import ABSENT, Edit, KeyPath, mapping_at
from papilio.web.forms.fields import Facts, table_with
from papilio.web.forms.proposals import suggested_attributes, suggested_columns
from papilio.web.parts.blocks import complaint, section
from papilio.web.parts.fields import Choice, NumberBox, text_of
from papilio.web.parts.live import Live, View, edit, view_of

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


def tables_map(view: View, live: Live, facts: Facts) -> None:
    """Draw which table has people, and for each other one which it hangs off."""
    hint = "One table has a row per person. Every other one says whose rows its own belong to."
    with section("How the tables hang together", hint):
        tables = mapping_at(view.tree, ("tables",))
        _person(view, live, list(tables))
        with ui.element("div").classes("tables-map"):
            for name in tables:
                _table(view, live, facts, name)
        _unused(live, facts, [mapping_at(view.tree, ("tables", name)) for name in tables])


def _person(view: View, live: Live, names: list[str]) -> None:
    def choose(name: str) -> None:
        # The person table hangs off no other.
        edit(live.project, Edit(("person",), name), Edit(("tables", name, "parent")))

    options = {name: name for name in names}
    box = Choice(
        key_at("person").words.label,
        options,
        text_of(view.said(("person",))),
        choose,
        name="person",
    )
    live.follow(lambda later: box.show(text_of(later.said(("person",)))))
    complaint(view, live, ("person",))


def _table(view: View, live: Live, facts: Facts, name: str) -> None:
    table = table_with(facts, view.said(("tables", name, "source")))
    columns = {each.name: each.name for each in table.columns} if table else {}
    is_person = view.said(("person",)) == name
    with ui.element("div").classes("table-card"):
        TextElement(tag="h3", text=name).classes("h3")
        source = text_of(view.said(("tables", name, "source")))
        TextElement(tag="p", text=source).classes("known")
        with ui.element("div").classes("fields"):
            _chosen_from(
                view,
                live,
                ("tables", name, "key"),
                words_of(TablePolicy, "key").label,
                {"": "none", **columns},
            )
            if not is_person:
                _parent(view, live, name, columns)
                _at_most(view, live, name)
        complaint(view, live, ("tables", name))
        ui.button(
            "Leave this table out", on_click=lambda: edit(live.project, Edit(("tables", name)))
        ).classes("secondary small").props("no-caps")


def _parent(view: View, live: Live, name: str, columns: dict[str, str]) -> None:
    path = ("tables", name, "parent")

    def said(later: View) -> tuple[str, str]:
        pairs = list(mapping_at(later.tree, path).items()) or [("", "")]
        return text_of(pairs[0][0]), text_of(pairs[0][1])

    others = [each for each in mapping_at(view.tree, ("tables",)) if each != name]
    above, reference = said(view)

    def write(parent: str, column: str) -> None:
        edit(live.project, Edit(path, {parent: column} if parent else ABSENT))

    first = next(iter(columns), "")
    parent_box = Choice(
        words_of(TablePolicy, "parent").label,
        {"": "nothing", **{each: each for each in others}},
        above,
        lambda parent: write(parent, said(_now(live))[1] or first),
        name=f"parent-{name}",
    )
    column_box = Choice(
        "By the column",
        columns,
        reference,
        lambda column: write(said(_now(live))[0], column),
        name=f"reference-{name}",
    )

    def follow(later: View) -> None:
        parent, column = said(later)
        parent_box.show(parent)
        column_box.show(column)

    live.follow(follow)


def _now(live: Live) -> View:
    return view_of(load_draft(live.project))


def _at_most(view: View, live: Live, name: str) -> None:
    path = ("tables", name, "at_most")
    box = NumberBox(
        words_of(TablePolicy, "at_most").label,
        view.said(path),
        lambda number: edit(live.project, Edit(path, number)),
        name=f"at-most-{name}",
        on_empty=lambda: edit(live.project, Edit(path)),
    )
    live.follow(lambda later: box.show(later.said(path)))


def _unused(live: Live, facts: Facts, used: list[Any]) -> None:
    """Tables at hand that the policy does not name."""
    sources = [each.get("source") for each in used]
    for table in facts:
        if table.source in sources:
            continue
        said = {"source": table.source, "columns": suggested_columns(table)}

        def add(name: str = table.name, said: dict[str, Any] = said) -> None:
            edit(live.project, Edit(("tables", name), said))

        ui.button(f"Add {table.name}", icon="add", on_click=lambda add=add: add()).classes(
            "secondary small"
        ).props("no-caps")


def _chosen_from(
    view: View, live: Live, path: tuple[str, ...], label: str, options: dict[str, str]
) -> None:
    box = Choice(
        label,
        options,
        text_of(view.said(path)),
        lambda value: edit(live.project, Edit(path, value or ABSENT)),
        name="-".join(path),
    )
    live.follow(lambda later: box.show(text_of(later.said(path))))
