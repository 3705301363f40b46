"""What else a policy says of a column: its type, hierarchy, order, and values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any

from nicegui import ui

from papilio.families.keys import NAME, key_at
from papilio.web.draft import load_draft
from papilio.web.forms.column_form import (
    ColumnForm,
    keys_with_role,
    read_column,
    written_column,
)
from papilio.web.forms.edits import ABSENT, Edit
from papilio.web.forms.facts import ColumnFacts
from papilio.web.forms.places import Place
from papilio.web.parts.fields import Slot, field
from papilio.web.parts.hierarchy_fields import hierarchy_fields
from papilio.web.parts.live import Live
from papilio.web.parts.message import message
from papilio.web.parts.several_fields import several_fields
from papilio.web.parts.value_lists import value_lists
from papilio.web.parts.view import View, edit
from papilio.web.pictures.bars import lying_bars
from papilio.web.project import Project

Change = Callable[[Callable[[ColumnForm], ColumnForm]], None]


class ColumnDetails:
    """Draws the details of a column and follows the policy.

    Parameters
    ----------
    project
        Whose policy.
    place, name
        The column.
    facts, counts
        What is known of it.
    """

    def __init__(
        self,
        project: Project,
        place: Place,
        name: str,
        facts: ColumnFacts | None,
        counts: Mapping[str, Any],
    ) -> None:
        self.project, self.place, self.name, self.facts = project, place, name, facts
        self.counts = counts
        with ui.element("div").classes("details-grid"):
            with ui.element("div"):
                self._live = Live(project, self._shape, self._draw)
            self._values = ui.html("", sanitize=False).classes("values")
            self._values.props["tabindex"] = 0
            self._values.props["role"] = "region"
            self._values.props["aria-label"] = f"How often values of {name} occur"
        self.show_counts(counts)

    @property
    def type(self) -> str:
        """Type of its values as far as it is known."""
        found = self.counts.get("type") or (self.facts.type if self.facts else None)
        return str(found or "category")

    def form(self, view: View) -> ColumnForm:
        """The column as the policy has it."""
        return read_column(self.name, view.said(self.place.column(self.name), ABSENT))

    def change(self, how: Callable[[ColumnForm], ColumnForm]) -> None:
        """Change the column."""
        path = self.place.column(self.name)
        form = read_column(self.name, load_draft(self.project).get(path, ABSENT))
        edit(self.project, Edit(path, written_column(how(form))))

    def show_counts(self, counts: Mapping[str, Any]) -> None:
        """Show how often values occur."""
        if not counts:
            return
        fresh, self.counts = not self.counts, counts
        labels = [*counts["labels"], *(["all others"] if counts["others"] else [])]
        rows = [*counts["rows"], *([counts["others"]] if counts["others"] else [])]
        if counts["missing"]:
            labels, rows = [*labels, "missing"], [*rows, counts["missing"]]
        self._values.content = lying_bars(labels, rows, sum(rows))
        if fresh:
            self._live.redraw()

    def _shape(self, view: View) -> Hashable:
        form = self.form(view)
        return form.role, form.strange, form.several, form.hierarchy.kind, bool(form.linked)

    def _draw(self, view: View, live: Live) -> None:
        form = self.form(view)
        if form.strange:
            message("This column is written in a way that only the policy file can show.", "info")
            return
        if form.role is None:
            message("The column is not published. Give it a role to say more about it.", "info")
            return
        home = self.place.path[0] if self.place.path else "columns"
        takes = keys_with_role(form.role, home)
        if not form.several and ("type" in takes or home == "graph"):
            field(view, live, self.slot("type"))
        if "hierarchy" in takes and not form.several:
            hierarchy_fields(self, view, live)
        if "values" in takes:
            several_fields(self, view, live)
        value_lists(self, view, live, takes)

    def slot(self, key: str, offered: Mapping[str, str] | None = None) -> Slot:
        """A key of the column that is one choice."""
        name = f"{key}-{self.name_in_page}"

        def write(value: Any) -> None:
            self.change(lambda form: replace(form, **{key: value}))

        def read(view: View) -> Any:
            return getattr(self.form(view), key)

        return Slot(key_at("columns", NAME, key), name, read, write, offered)

    @property
    def name_in_page(self) -> str:
        """Name of the column that can stand in an attribute of the page."""
        return self.place.in_page(self.name)
