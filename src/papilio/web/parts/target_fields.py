"""The target distribution on the page, with its picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.draft import load_draft
from papilio.web.forms.edits import Edits
from papilio.web.forms.recipients_form import columns_with_role, quasi_columns
from papilio.web.forms.target_form import (
    TargetForm,
    read_target,
    with_column,
    with_distribution,
    with_key,
    with_tree_key,
)
from papilio.web.parts.choice import Choice, text_of
from papilio.web.parts.complaint import complaint
from papilio.web.parts.explained import explained
from papilio.web.parts.folded import folded
from papilio.web.parts.live import Live
from papilio.web.parts.number_box import NumberBox
from papilio.web.parts.target_preview import TargetPreview
from papilio.web.parts.text_box import TextBox
from papilio.web.parts.view import View, edit
from papilio.web.words import WORDS

_DISTRIBUTIONS = {
    "uniform": "uniform: every value alike",
    "normal": "normal: most in the middle",
    "zipf": "zipf: few values, often",
    "same": "same: as in the data",
    "file": "from a file",
}
#: Numbers that belong to a distribution, and what leaving them out means.
_NUMBERS = {
    "normal": (("mean", "Mean"), ("std", "Standard deviation")),
    "zipf": (("exponent", "Exponent"),),
}
_OF_FILE = (("column", "Its column"), ("weight", "Column of weights"))
_TREE = (
    ("lowest", "Smallest value"),
    ("highest", "Largest value"),
    ("width", "Width of a cell"),
    ("arity", "Parts of a range"),
)


def target_fields(view: View, live: Live) -> None:
    """Draw everything about the target."""
    with ui.element("div").classes("demand"):
        TextElement(tag="h3", text=WORDS["target-distribution"].title).classes("h3")
        form = read_target(view.tree)
        with ui.element("div").classes("demand-fields"):
            names = columns_with_role(view.tree, "sensitive")
            Choice(
                "Column",
                {name: name for name in names},
                form.column,
                lambda name: _do(live, lambda now: with_column(now, name)),
                name="target-column",
            )
            if form.column:
                _distribution(live, form)
        complaint(view, live, ("privacy", "target"))
        if form.column:
            TargetPreview(live)
            _more(view, live, form)
        explained(WORDS["target-distribution"])


def _distribution(live: Live, form: TargetForm) -> None:
    Choice(
        "Distribution",
        _DISTRIBUTIONS,
        form.distribution,
        lambda chosen: _do(live, lambda now: with_distribution(now, chosen, "data/target.csv")),
        name="target-distribution",
    )
    for key, label in _NUMBERS.get(form.distribution, ()):
        _number(live, label, key, form.said.get(key), with_key)
    if form.distribution == "file":
        _file(live, form)
        for key, label in _OF_FILE:
            _text(live, key, label, form)


def _more(view: View, live: Live, form: TargetForm) -> None:
    opened = bool(form.tree) or any(key in form.said for key in ("by", "mode", "allocation"))
    hint = (
        "Declare the ends of the domain, so that the release does not show which values occur. "
        "Parts of the rows may have targets of their own."
    )
    with folded("Ranges, parts and weights", hint, opened=opened):
        with ui.element("div").classes("demand-fields"):
            for key, label in _TREE:
                _number(live, label, key, form.tree.get(key), with_tree_key)
            weight = form.said.get("largest_weight")
            _number(live, "Largest weight", "largest_weight", weight, with_key)
        _parts(view, live, form)
        with ui.element("div").classes("demand-fields"):
            _choice(live, form, "mode", "Groups", {"per-class": "one per class of people"}, "whole")
            _choice(
                live,
                form,
                "allocation",
                "Allocation",
                {"randomised": "randomised: less to learn"},
                "maximal",
            )


def _parts(view: View, live: Live, form: TargetForm) -> None:
    def choose(column: str, wanted: bool) -> None:
        def how(now: TargetForm) -> Edits:
            said = list(now.said.get("by", ()))
            kept = [each for each in said if each != column]
            return with_key(now, "by", [*kept, column] if wanted else kept)

        _do(live, how)

    with ui.element("fieldset").classes("units"):
        TextElement(tag="legend", text="A target of its own for each")
        for column in quasi_columns(view.tree):
            ui.checkbox(
                column,
                value=column in form.said.get("by", ()),
                on_change=lambda event, column=column: choose(column, event.value),
            )


def _choice(
    live: Live, form: TargetForm, key: str, label: str, choices: dict[str, str], usual: str
) -> None:
    box = Choice(
        label,
        {"": f"left out: {usual}", **choices},
        text_of(form.said.get(key)),
        lambda value: _do(live, lambda now: with_key(now, key, value or None)),
        name=f"target-{key}",
    )
    live.follow(lambda later: box.show(text_of(read_target(later.tree).said.get(key))))


def _number(
    live: Live,
    label: str,
    key: str,
    value: Any,
    write: Callable[[TargetForm, str, Any], Edits],
) -> None:
    box = NumberBox(
        label,
        value,
        lambda number: _do(live, lambda now: write(now, key, number)),
        name=f"target-{key}",
        on_empty=lambda: _do(live, lambda now: write(now, key, None)),
    )

    def follow(later: View) -> None:
        form = read_target(later.tree)
        box.show((form.said if write is with_key else form.tree).get(key))

    live.follow(follow)


def _file(live: Live, form: TargetForm) -> None:
    """Which of the files at hand; one that is named is offered, also if it is not there."""
    names = [f"data/{path.name}" for path in sorted(live.project.data.iterdir())]
    box = Choice(
        "File of values and weights",
        {name: name for name in names if not name.startswith("data/.")},
        text_of(form.said.get("file")),
        lambda name: _do(live, lambda now: with_key(now, "file", name)),
        name="target-file",
    )
    live.follow(lambda later: box.show(text_of(read_target(later.tree).said.get("file"))))


def _text(live: Live, key: str, label: str, form: TargetForm) -> None:
    box = TextBox(
        label,
        text_of(form.said.get(key)),
        lambda text: _do(live, lambda now: with_key(now, key, text or None)),
        name=f"target-{key}",
    )
    live.follow(lambda later: box.show(text_of(read_target(later.tree).said.get(key))))


def _do(live: Live, how: Callable[[TargetForm], Edits]) -> None:
    edit(live.project, *how(read_target(load_draft(live.project).tree)))
