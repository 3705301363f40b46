"""Sensitive columns whose cells hold several values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.forms.column_form import with_several
from papilio.web.known import facts
from papilio.web.parts.choice import Choice, text_of
from papilio.web.parts.live import Live
from papilio.web.parts.view import View

if TYPE_CHECKING:
    from papilio.web.parts.column_details import ColumnDetails

_SEPARATORS = {"": "; (usual)", ",": ",", "|": "|", "/": "/", " ": "blank"}


def several_fields(details: ColumnDetails, view: View, live: Live) -> None:
    """Draw whether cells hold several values, what stands between them, or where they are."""
    form = details.form(view)
    switch = ui.switch(
        "A person may have several values",
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
    TextElement(
        tag="p",
        text="Many sensitive columns (projections) publishes one column per value, true or false.",
    ).classes("hint")
    if form.linked:
        _linked(details, view, live)
    else:
        _separator(details, view, live)


def _separator(details: ColumnDetails, view: View, live: Live) -> None:
    choice = Choice(
        "What stands between values of a cell",
        _SEPARATORS,
        text_of(details.form(view).separator),
        lambda sign: details.change(lambda column: replace(column, separator=sign or None)),
        name=f"separator-{details.name_in_page}",
    )
    live.follow(lambda later: choice.show(text_of(details.form(later).separator)))
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
    options = {
        "source": ("Table with the values", {name: name for name in tables}),
        "key": ("Column that tells the person, in both tables", names),
        "value": ("Column that holds the value", names),
    }
    for key, (label, offered) in options.items():
        box = Choice(
            label,
            offered,
            text_of(said.get(key)),
            lambda chosen, key=key: details.change(  # type: ignore[misc]
                lambda column: replace(column, linked={**column.linked, key: chosen})
            ),
            name=f"{key}-{details.name_in_page}",
        )
        live.follow(
            lambda later, key=key, box=box: box.show(  # type: ignore[misc]
                text_of(details.form(later).linked.get(key))
            )
        )
