"""The Columns step: what each column is, and how its values generalise."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.errors import PapilioError
from papilio.web.draft import load_draft
from papilio.web.forms.column_form import role_meanings
from papilio.web.forms.edits import mapping_at
from papilio.web.forms.facts import Facts, TableFacts, table_with
from papilio.web.forms.places import Place, places
from papilio.web.forms.role_edits import suggested_edits
from papilio.web.forms.suggested_columns import suggested_attributes, suggested_columns
from papilio.web.known import Counts, counted, counts_at_hand, facts, profiled
from papilio.web.parts.column_row import ColumnRow
from papilio.web.parts.live import Live
from papilio.web.parts.message import message
from papilio.web.parts.section import section
from papilio.web.parts.sheets import sheets
from papilio.web.parts.steps import next_button
from papilio.web.parts.tree_page import tree_page
from papilio.web.parts.view import View, edit
from papilio.web.parts.waiting import wait_for
from papilio.web.project import Project


async def page(project: Project) -> None:
    """Draw the page, or the tree of one column if the address asks for it."""
    sheets()
    query = ui.context.client.request.query_params
    if "tree" in query:
        await tree_page(project, query["tree"], query.get("table", ""))
        return
    _Columns(project)
    next_button(project, "requirements")


class _Columns:
    """The list of columns of every table."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._facts: Facts = facts(project)
        self._rows: dict[Place, dict[str, ColumnRow]] = {}
        self._meaning()
        self._waiting = ui.element("div")
        self._live = Live(project, self._shape, self._draw)
        ui.timer(0.05, self._look, once=True)

    def _meaning(self) -> None:
        with ui.element("details").classes("card words"):
            TextElement(tag="summary", text="What the roles mean")
            with ui.element("dl").classes("roles"):
                for role, meaning in role_meanings().items():
                    with ui.element("div").classes(f"is-{role.replace(' ', '-')}"):
                        TextElement(tag="dt", text=role)
                        TextElement(tag="dd", text=meaning)

    def _shape(self, view: View) -> Hashable:
        return tuple(
            (place.path, place.keys, self._names(view, place)) for place in places(view.tree)
        )

    def _names(self, view: View, place: Place) -> tuple[str, ...]:
        table = table_with(self._facts, place.source)
        known = [each.name for each in table.columns] if table else []
        return tuple(dict.fromkeys((*known, *mapping_at(view.tree, place.columns))))

    def _draw(self, view: View, live: Live) -> None:
        self._rows = {}
        for place in places(view.tree):
            table = table_with(self._facts, place.source)
            title = place.title or (table.name if table else "Columns")
            rows = f"{table.rows:,} rows. " if table else ""
            with section(title, f"{rows}Say what may happen to each column."):
                self._table(view, live, place, table)
        if not self._rows:
            message("The policy names no table yet; begin with Data.", "warning")

    def _table(self, view: View, live: Live, place: Place, table: TableFacts | None) -> None:
        names = self._names(view, place)
        if not names:
            message("No columns are known yet; the data is being looked at.", "info")
        if table is not None:
            ui.button(
                "Use all suggestions", icon="auto_awesome", on_click=lambda: self._suggest(place)
            ).classes("secondary small").props("no-caps")
        with ui.element("ul").classes("column-list"):
            self._rows[place] = {
                name: ColumnRow(live, view, place, name, table.column(name) if table else None)
                for name in names
            }
        self._show_counts(self._rows[place], counts_at_hand(self._project, place.source))

    def _suggest(self, place: Place) -> None:
        table = table_with(self._facts, place.source)
        if table is None:
            return
        if "quasi" in place.roles:
            roles = suggested_columns(table, place.keys)
        else:
            roles = suggested_attributes(table, *place.keys[:1] or ("",))
        tree = load_draft(self._project).tree
        edit(self._project, *suggested_edits(tree, place, roles))

    async def _look(self) -> None:
        """Profile tables nobody has looked at, then count the values of all."""
        with self._waiting:
            try:
                await self._look_at_all()
            except PapilioError as error:
                message(str(error), "error")

    async def _look_at_all(self) -> None:
        found = await profiled(self._project, wait_for)
        if found != self._facts:
            self._facts = found
            self._live.redraw()
        for place in list(self._rows):
            if place.source is not None:
                counts = await counted(self._project, place.source, wait_for)
                self._show_counts(self._rows.get(place, {}), counts)

    def _show_counts(self, rows: Mapping[str, ColumnRow], counts: Counts) -> None:
        for name, row in rows.items():
            if name in counts:
                row.show_counts(counts[name])
