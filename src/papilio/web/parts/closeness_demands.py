"""t-closeness on the page: one line per demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.draft import load_draft
from papilio.web.forms.demands_form import (
    EVERY,
    ClosenessForm,
    closeness_edits,
    read_closeness,
)
from papilio.web.parts.choice import Choice, text_of
from papilio.web.parts.complaint import complaint
from papilio.web.parts.explained import explained
from papilio.web.parts.live import Live
from papilio.web.parts.number_box import NumberBox
from papilio.web.parts.view import View, edit
from papilio.web.words import WORDS

_DISTANCES = {
    "": "left out: by the type of the column",
    "equal": "equal: all values are alike far apart",
    "ordered": "ordered: by their order",
    "hierarchical": "hierarchical: by its hierarchy",
}
_MANY = 1000

_Change = Callable[[Callable[[ClosenessForm], ClosenessForm]], None]


def closeness_demands(view: View, live: Live, columns: Sequence[str]) -> None:
    """Draw all demands under ``privacy.t`` and the way to add one."""
    with ui.element("div").classes("demand"):
        TextElement(tag="h3", text=WORDS["t-closeness"].title).classes("h3")
        forms = read_closeness(view.tree)
        for number, form in enumerate(forms):
            _demand(live, number, form, columns)
        complaint(view, live, ("privacy", "t"))
        if columns:
            ui.button("Demand closeness", icon="add", on_click=lambda: _add(live, columns)).classes(
                "secondary small"
            ).props("no-caps id=add-t")
        else:
            TextElement(tag="p", text="No column is sensitive.").classes("hint")
        explained(WORDS["t-closeness"])
        if any(form.n is not None for form in forms):
            explained(WORDS["nt-closeness"])


def _demand(live: Live, number: int, form: ClosenessForm, columns: Sequence[str]) -> None:
    def change(how: Callable[[ClosenessForm], ClosenessForm]) -> None:
        _write(live, lambda forms: [*forms[:number], how(forms[number]), *forms[number + 1 :]])

    with ui.element("div").classes("demand-fields"):
        offered = {name: name for name in columns} | {EVERY: "every sensitive column"}
        Choice(
            "Column",
            offered,
            form.column,
            lambda name: change(lambda old: replace(old, column=name)),
            name=f"t-column-{number}",
        )
        if form.strange:
            TextElement(tag="p", text="Only the policy file can show this demand.").classes("hint")
        else:
            _numbers(live, number, form, change)
        remove = ui.button(
            icon="close", on_click=lambda: _write(live, lambda f: [*f[:number], *f[number + 1 :]])
        ).props(f"flat round id=t-remove-{number}")
        remove.props["aria-label"] = f"Remove the demand on {form.column}"


def _numbers(live: Live, number: int, form: ClosenessForm, change: _Change) -> None:
    most = NumberBox(
        "t, from 0 to 1",
        form.t,
        lambda value: change(lambda old: replace(old, t=value)),
        name=f"t-number-{number}",
        step=0.05,
    )
    live.follow(lambda later: most.show(_at(later, number).t))
    if form.column != EVERY:
        distance = Choice(
            "Distance",
            _DISTANCES,
            text_of(form.distance),
            lambda chosen: change(lambda old: replace(old, distance=chosen or None)),
            name=f"t-distance-{number}",
        )
        live.follow(lambda later: distance.show(text_of(_at(later, number).distance)))
        _large(live, number, form, change)


def _large(live: Live, number: int, form: ClosenessForm, change: _Change) -> None:
    ui.checkbox(
        "Large classes need not be close",
        value=form.n is not None,
        on_change=lambda event: change(
            lambda old: replace(old, n=(old.n or _MANY) if event.value else None)
        ),
    ).props(f"id=t-large-{number}")
    if form.n is not None:
        many = NumberBox(
            "n, rows of a large class",
            form.n,
            lambda value: change(lambda old: replace(old, n=value)),
            name=f"t-n-{number}",
        )
        live.follow(lambda later: many.show(_at(later, number).n))


def _at(view: View, number: int) -> ClosenessForm:
    return read_closeness(view.tree)[number]


def _add(live: Live, columns: Sequence[str]) -> None:
    def more(forms: list[ClosenessForm]) -> list[ClosenessForm]:
        taken = {form.column for form in forms}
        free = next((name for name in columns if name not in taken), columns[0])
        return [*forms, ClosenessForm(free)]

    _write(live, more)


def _write(live: Live, how: Callable[[list[ClosenessForm]], list[ClosenessForm]]) -> None:
    tree = load_draft(live.project).tree
    edit(live.project, *closeness_edits(how(list(read_closeness(tree)))))
