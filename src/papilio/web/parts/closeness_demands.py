"""t-closeness on the page: one line per demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nicegui import ui

from papilio.web.forms.demands_form import (
    EVERY,
    ClosenessForm,
    closeness_edits,
    read_closeness,
)
from papilio.web.parts.choice import Choice, text_of
from papilio.web.parts.column_demands import ColumnDemands, Line, column_demands
from papilio.web.parts.explained import explained
from papilio.web.parts.live import Live
from papilio.web.parts.number_box import NumberBox
from papilio.web.parts.view import View
from papilio.web.words import WORDS

_DISTANCES = {
    "": "left out: by the type of the column",
    "equal": "equal: all values are alike far apart",
    "ordered": "ordered: by their order",
    "hierarchical": "hierarchical: by its hierarchy",
}
_MANY = 1000


def closeness_demands(view: View, live: Live, columns: Sequence[str]) -> None:
    """Draw all demands under ``privacy.t`` and the way to add one."""
    with ui.element("div").classes("demand"):
        column_demands(view, live, columns, _CLOSENESS)
        explained(WORDS["t-closeness"])
        if any(form.n is not None for form in read_closeness(view.tree)):
            explained(WORDS["nt-closeness"])


def _fields(line: Line[ClosenessForm]) -> None:
    most = NumberBox(
        "t, from 0 to 1",
        line.form.t,
        lambda value: line.change(lambda old: replace(old, t=value)),
        name=line.name("number"),
        step=0.05,
    )
    line.follow(lambda form: most.show(form.t))
    if line.form.column != EVERY:
        distance = Choice(
            "Distance",
            _DISTANCES,
            text_of(line.form.distance),
            lambda chosen: line.change(lambda old: replace(old, distance=chosen or None)),
            name=line.name("distance"),
        )
        line.follow(lambda form: distance.show(text_of(form.distance)))
        _large(line)


def _large(line: Line[ClosenessForm]) -> None:
    ui.checkbox(
        "Large classes need not be close",
        value=line.form.n is not None,
        on_change=lambda event: line.change(
            lambda old: replace(old, n=(old.n or _MANY) if event.value else None)
        ),
    ).props(f"id={line.name('large')}")
    if line.form.n is not None:
        many = NumberBox(
            "n, rows of a large class",
            line.form.n,
            lambda value: line.change(lambda old: replace(old, n=value)),
            name=line.name("n"),
        )
        line.follow(lambda form: many.show(form.n))


_CLOSENESS = ColumnDemands(
    key="t",
    title=WORDS["t-closeness"].title,
    button="Demand closeness",
    form=ClosenessForm,
    read=read_closeness,
    edits=closeness_edits,
    fields=_fields,
)
