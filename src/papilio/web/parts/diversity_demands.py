"""l-diversity on the page: one line per demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.draft import load_draft
from papilio.web.forms.demands_form import (
    DIVERSITIES,
    EVERY,
    STRANGE,
    DiversityForm,
    diversity_edits,
    read_diversity,
)
from papilio.web.parts.choice import Choice
from papilio.web.parts.complaint import complaint
from papilio.web.parts.explained import explained
from papilio.web.parts.live import Live
from papilio.web.parts.number_box import NumberBox
from papilio.web.parts.view import View, edit
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
        TextElement(tag="h3", text="l: the sensitive values are mixed").classes("h3")
        forms = read_diversity(view.tree)
        for number, form in enumerate(forms):
            _demand(live, number, form, columns)
        complaint(view, live, ("privacy", "l"))
        if columns:
            ui.button("Demand diversity", icon="add", on_click=lambda: _add(live, columns)).classes(
                "secondary small"
            ).props("no-caps id=add-l")
        else:
            TextElement(tag="p", text="No column is sensitive.").classes("hint")
        kinds = {f"{form.kind}-l-diversity" for form in forms if form.kind in DIVERSITIES}
        names = ["entity-l-diversity"] if linked else sorted(kinds) or ["distinct-l-diversity"]
        for name in names:
            explained(WORDS[name])


def _demand(live: Live, number: int, form: DiversityForm, columns: Sequence[str]) -> None:
    def change(how: Callable[[DiversityForm], DiversityForm]) -> None:
        _write(live, lambda forms: [*forms[:number], how(forms[number]), *forms[number + 1 :]])

    with ui.element("div").classes("demand-fields"):
        offered = {name: name for name in columns} | {EVERY: "every sensitive column"}
        Choice(
            "Column",
            offered,
            form.column,
            lambda name: change(lambda old: replace(old, column=name)),
            name=f"l-column-{number}",
        )
        if form.kind == STRANGE:
            TextElement(tag="p", text="Only the policy file can show this demand.").classes("hint")
        else:
            _numbers(live, number, form, change)
        remove = ui.button(
            icon="close", on_click=lambda: _write(live, lambda f: [*f[:number], *f[number + 1 :]])
        ).props(f"flat round id=l-remove-{number}")
        remove.props["aria-label"] = f"Remove the demand on {form.column}"


def _numbers(
    live: Live,
    number: int,
    form: DiversityForm,
    change: Callable[[Callable[[DiversityForm], DiversityForm]], None],
) -> None:
    def kind(chosen: str) -> None:
        first = _FIRST[chosen]
        change(lambda old: replace(old, kind=chosen, l=first[0], c=first[1]))

    Choice("Kind", _KINDS, form.kind, kind, name=f"l-kind-{number}")
    step = 0.5 if form.kind == "entropy" else 1
    least = NumberBox(
        "l",
        form.l,
        lambda value: change(lambda old: replace(old, l=_real(value, old.kind))),
        name=f"l-number-{number}",
        step=step,
    )
    live.follow(lambda later: least.show(_at(later, number).l))
    if form.kind == "recursive":
        most = NumberBox(
            "c",
            form.c,
            lambda value: change(lambda old: replace(old, c=value)),
            name=f"l-c-{number}",
            step=0.5,
        )
        live.follow(lambda later: most.show(_at(later, number).c))


def _real(value: float, kind: str) -> float:
    """Entropy takes a floating number; a whole one is written as such all the same."""
    return float(value) if kind == "entropy" else value


def _at(view: View, number: int) -> DiversityForm:
    return read_diversity(view.tree)[number]


def _add(live: Live, columns: Sequence[str]) -> None:
    def more(forms: list[DiversityForm]) -> list[DiversityForm]:
        taken = {form.column for form in forms}
        free = next((name for name in columns if name not in taken), columns[0])
        return [*forms, DiversityForm(free)]

    _write(live, more)


def _write(live: Live, how: Callable[[list[DiversityForm]], list[DiversityForm]]) -> None:
    tree = load_draft(live.project).tree
    edit(live.project, *diversity_edits(how(list(read_diversity(tree)))))
