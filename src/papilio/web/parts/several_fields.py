"""Sensitive columns whose cells hold several values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.words import words_of
from papilio.web.forms.column_form import with_several
from papilio.web.known import facts
from papilio.web.parts.fields import field
from papilio.web.parts.live import Live
from papilio.web.parts.view import View

if TYPE_CHECKING:
    from papilio.web.parts.column_details import ColumnDetails

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
