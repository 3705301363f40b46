"""What else a policy says of a column: its type, hierarchy, order, and values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import replace
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.families.keys import NAME, key_at
from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.words import words_of
from papilio.web.draft import load_draft
from papilio.web.forms.column_form import (
    NONE,
    ColumnForm,
    keys_with_role,
    read_column,
    with_several,
    written_column,
)
from papilio.web.forms.edits import ABSENT, Edit, Place
from papilio.web.forms.fields import ColumnFacts
from papilio.web.jobs.run import start
from papilio.web.known import facts
from papilio.web.parts.blocks import folded, message
from papilio.web.parts.fields import Slot, TextBox, field
from papilio.web.parts.live import Live, View, edit
from papilio.web.parts.value_fields import hierarchy_fields
from papilio.web.pictures import lying_bars
from papilio.web.project import Project

#: Most values that are filled in.
_MOST = 500
_LINES = "One value a line."


def value_lists(details: ColumnDetails, view: View, live: Live, takes: Collection[str]) -> None:
    """Draw the lists that go with the column, as far as it takes them."""
    form = details.form(view)
    ordered = details.type in ("numeric", "date") and form.type is None and not form.domain
    bare = form.hierarchy.kind == NONE and not form.several
    if "domain" in takes and bare and not ordered:
        _domain(details, view, live)
    if "harmless" in takes:
        _harmless(details, view, live)


def _domain(details: ColumnDetails, view: View, live: Live) -> None:
    said = details.form(view).domain
    words = words_of(ColumnPolicy, "domain")
    with folded("Order of the values", f"{words.plain} {_LINES}", opened=bool(said)):
        box = TextBox(
            words.label,
            "\n".join(map(str, said)),
            lambda text: details.change(lambda form: replace(form, domain=_lines(text))),
            name=f"domain-{details.name_in_page}",
            lines=True,
        )
        live.follow(lambda later: box.show("\n".join(map(str, details.form(later).domain))))
        ui.button("Fill in the values that occur", on_click=lambda: _fill(details)).classes(
            "secondary small"
        ).props("no-caps")


async def _fill(details: ColumnDetails) -> None:
    form = {"role": "quasi"}
    arguments = {"source": details.place.source, "column": details.name, "said": form}
    job = await start(details.project, "hierarchy_preview", arguments).over()
    paths: list[list[Any]] = job.result()["paths"]
    if len(paths) > _MOST:
        ui.notify(f"There are {len(paths):,} values, too many to be put in order by hand.")
        return
    details.change(lambda column: replace(column, domain=tuple(path[0] for path in paths)))


def _harmless(details: ColumnDetails, view: View, live: Live) -> None:
    said = details.form(view).harmless
    words = words_of(ColumnPolicy, "harmless")
    with folded(words.label, f"{words.plain} {_LINES}", opened=bool(said)):
        box = TextBox(
            words.label,
            _shown(said),
            lambda text: details.change(
                lambda form: replace(form, harmless=(*_lines(text), *_null(form.harmless)))
            ),
            name=f"harmless-{details.name_in_page}",
            lines=True,
        )
        missing = ui.checkbox(
            "A missing value is harmless",
            value=None in said,
            on_change=lambda event: details.change(
                lambda form: replace(
                    form,
                    harmless=(
                        *(each for each in form.harmless if each is not None),
                        *((None,) if event.value else ()),
                    ),
                )
            ),
        )

    def follow(later: View) -> None:
        values = details.form(later).harmless
        box.show(_shown(values))
        if missing.value != (None in values):
            missing.value = None in values

    live.follow(follow)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def _null(values: tuple[Any, ...]) -> tuple[None, ...]:
    return (None,) if None in values else ()


def _shown(values: tuple[Any, ...]) -> str:
    return "\n".join(str(each) for each in values if each is not None)


_LINKED = ("source", "key", "value")


def several_fields(details: ColumnDetails, view: View, live: Live) -> None:
    """Draw whether cells hold several values, what stands between them, or where they are."""
    form = details.form(view)
    switch = ui.switch(
        words_of(ColumnPolicy, "values").label,
        value=form.several,
        on_change=lambda event: details.change(
            lambda column: (
                column
                if column.several is bool(event.value)
                else with_several(column, bool(event.value))
            )
        ),
    )
    switch.props(f"id=several-{details.name_in_page}")
    if not form.several:
        return
    TextElement(tag="p", text=words_of(ColumnPolicy, "values").plain).classes("hint")
    if form.linked:
        _linked(details, view, live)
    else:
        _separator(details, view, live)


def _separator(details: ColumnDetails, view: View, live: Live) -> None:
    field(view, live, details.slot("separator"))
    others = [table for table in facts(details.project) if table.source != details.place.source]
    if others:
        ui.button(
            "The values stand in another table",
            on_click=lambda: details.change(
                lambda column: replace(
                    column,
                    separator=None,
                    linked={"source": others[0].source, "key": "", "value": ""},
                )
            ),
        ).classes("secondary small").props("no-caps")


def _linked(details: ColumnDetails, view: View, live: Live) -> None:
    """The three keys of a linked table."""
    tables = {str(table.source): table for table in facts(details.project)}
    said = details.form(view).linked
    table = tables.get(str(said.get("source")))
    names = {each.name: each.name for each in table.columns} if table else {}
    for key in _LINKED:
        _link(
            details, view, live, key, {name: name for name in tables} if key == "source" else names
        )


def _link(
    details: ColumnDetails, view: View, live: Live, key: str, offered: Mapping[str, str]
) -> None:
    def write(chosen: Any) -> None:
        details.change(lambda column: replace(column, linked={**column.linked, key: chosen or ""}))

    def read(view: View) -> Any:
        return details.form(view).linked.get(key)

    field(view, live, replace(details.slot(key, offered), read=read, write=write))


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
