"""l-diversity on the page: one line per demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nicegui import ui

from papilio.web.forms.demands_form import (
    DIVERSITIES,
    DiversityForm,
    diversity_edits,
    read_diversity,
)
from papilio.web.parts.choice import Choice
from papilio.web.parts.column_demands import ColumnDemands, Line, column_demands
from papilio.web.parts.explained import explained
from papilio.web.parts.live import Live
from papilio.web.parts.number_box import NumberBox
from papilio.web.parts.view import View
from papilio.web.words import WORDS

_KINDS = {
    "distinct": "distinct: count values",
    "entropy": "entropy: evenly mixed",
    "recursive": "recursive: none stands out",
}
_FIRST = {"distinct": (2, 3), "entropy": (2, 3), "recursive": (2, 3)}


def diversity_demands(view: View, live: Live, columns: Sequence[str], *, linked: bool) -> None:
    """Draw all demands under ``privacy.l`` and the way to add one.

    Parameters
    ----------
    view, live
        The policy, and the part of the page this is in.
    columns
        Sensitive columns, as the policy names them.
    linked
        Whether columns are those of linked tables.
    """
    with ui.element("div").classes("demand"):
        column_demands(view, live, columns, _DIVERSITY)
        forms = read_diversity(view.tree)
        kinds = {f"{form.kind}-l-diversity" for form in forms if form.kind in DIVERSITIES}
        names = ["entity-l-diversity"] if linked else sorted(kinds) or ["distinct-l-diversity"]
        for name in names:
            explained(WORDS[name])


def _fields(line: Line[DiversityForm]) -> None:
    def kind(chosen: str) -> None:
        first = _FIRST[chosen]
        line.change(lambda old: replace(old, kind=chosen, l=first[0], c=first[1]))

    Choice("Kind", _KINDS, line.form.kind, kind, name=line.name("kind"))
    least = NumberBox(
        "l",
        line.form.l,
        lambda value: line.change(lambda old: replace(old, l=_real(value, old.kind))),
        name=line.name("number"),
        step=0.5 if line.form.kind == "entropy" else 1,
    )
    line.follow(lambda form: least.show(form.l))
    if line.form.kind == "recursive":
        most = NumberBox(
            "c",
            line.form.c,
            lambda value: line.change(lambda old: replace(old, c=value)),
            name=line.name("c"),
            step=0.5,
        )
        line.follow(lambda form: most.show(form.c))


def _real(value: float, kind: str) -> float:
    """Entropy takes a floating number; a whole one is written as such all the same."""
    return float(value) if kind == "entropy" else value


_DIVERSITY = ColumnDemands(
    key="l",
    title="l: the sensitive values are mixed",
    button="Demand diversity",
    form=DiversityForm,
    read=read_diversity,
    edits=diversity_edits,
    fields=_fields,
)
