"""The target distribution on the page, with its picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.families.keys import NAME, Key, keys_of
from papilio.web.draft import load_draft
from papilio.web.forms.demands_form import (
    FILE,
    TargetForm,
    keys_with,
    read_target,
    with_column,
    with_distribution,
    with_key,
    with_tree_key,
)
from papilio.web.forms.edits import Edits
from papilio.web.forms.recipients_form import columns_with_role, quasi_columns
from papilio.web.jobs.run import start
from papilio.web.parts.blocks import complaint, folded
from papilio.web.parts.fields import Choice, Slot, explained, field
from papilio.web.parts.live import Live, View, edit
from papilio.web.pictures import target_picture

#: Seconds to wait for further changes.
_PAUSE = 0.4


class TargetPreview:
    """Follows the policy; what is shown always belongs to the last one that could be drawn."""

    def __init__(self, live: Live) -> None:
        self._project = live.project
        self._drawn = ""
        self._picture = ui.html("", sanitize=False)
        with ui.element("p").classes("legend"):
            TextElement(tag="span", text="the data")
            TextElement(tag="span", text="the target").classes("line-of")
        self._said = TextElement(tag="p", text="").classes("hint").props("role=status")
        self._timer = ui.timer(_PAUSE, self._draw, once=True)
        live.follow(self._changed)

    def _changed(self, view: View) -> None:
        del view
        self._timer.cancel()
        with self._picture:
            self._timer = ui.timer(_PAUSE, self._draw, once=True)

    async def _draw(self) -> None:
        draft = load_draft(self._project)
        if draft.text == self._drawn:
            return
        if draft.faults():
            self._said.text = "The picture follows when the policy can be run."
            return
        self._drawn = draft.text
        job = await start(self._project, "target_preview", {"text": draft.text}).over()
        if job.failure is not None:
            self._picture.content = ""
            self._said.text = job.failure.message
            return
        found = job.result()
        self._picture.content = target_picture(
            found["labels"], found["data"], found["target"], found["distance"]
        )
        parts = " Parts of the rows have targets of their own." if found["parts"] else ""
        self._said.text = (
            f"Data and target are {found['distance']:.0%} apart: the farther, the wider the "
            f"published ranges.{parts}"
        )


_PATH = ("privacy", "target", NAME)
#: Where a file is looked for when one is asked for first.
_FIRST_FILE = "data/target.csv"


def target_fields(view: View, live: Live, key: Key) -> None:
    """Draw everything about the target."""
    with ui.element("div").classes("demand"):
        title = key.words.meaning.title if key.words.meaning else key.words.label
        TextElement(tag="h3", text=title).classes("h3")
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
                _distribution(view, live, form)
        complaint(view, live, key.path)
        if form.column:
            TargetPreview(live)
            _more(view, live, form)
        explained(key.words)


def _keys() -> dict[str, Key]:
    return {key.path[-1]: key for key in keys_of(*_PATH)}


def _distribution(view: View, live: Live, form: TargetForm) -> None:
    """Which distribution, and the keys that go with it alone."""
    keys = _keys()
    Choice(
        keys["distribution"].words.label,
        {**keys["distribution"].choices, FILE: "from a file"},
        form.distribution,
        lambda chosen: _do(live, lambda now: with_distribution(now, chosen, _FIRST_FILE)),
        name="target-distribution",
    )
    for name in keys_with(form.distribution):
        _field(view, live, keys[name], offered=_files(live) if name == FILE else None)


def _files(live: Live) -> dict[str, str]:
    names = [f"data/{path.name}" for path in sorted(live.project.data.iterdir())]
    return {name: name for name in names if not name.startswith("data/.")}


def _more(view: View, live: Live, form: TargetForm) -> None:
    """All other keys, folded away unless the policy has one of them."""
    keys = _keys()
    everywhere = [keys[name] for name in keys_with("")]
    opened = any(key.path[-1] in form.said for key in everywhere)
    with folded("Ranges, parts and weights", keys["tree"].words.plain, opened=opened):
        with ui.element("div").classes("demand-fields"):
            for key in keys_of(*_PATH, "tree"):
                _field(view, live, key, in_tree=True)
        for key in everywhere:
            if key.widget == "columns":
                _parts(view, live, form, key)
        with ui.element("div").classes("demand-fields"):
            for key in everywhere:
                if key.widget not in (None, "columns"):
                    _field(view, live, key)


def _field(
    view: View,
    live: Live,
    key: Key,
    *,
    in_tree: bool = False,
    offered: Mapping[str, str] | None = None,
) -> None:
    name = key.path[-1]

    def read(view: View) -> Any:
        form = read_target(view.tree)
        return (form.tree if in_tree else form.said).get(name)

    def write(value: Any) -> None:
        _do(live, lambda now: (with_tree_key if in_tree else with_key)(now, name, value))

    field(view, live, Slot(key, f"target-{name}", read, write, offered))


def _parts(view: View, live: Live, form: TargetForm, key: Key) -> None:
    name = key.path[-1]

    def choose(column: str, wanted: bool) -> None:
        def how(now: TargetForm) -> Edits:
            kept = [each for each in now.said.get(name, ()) if each != column]
            return with_key(now, name, [*kept, column] if wanted else kept)

        _do(live, how)

    with ui.element("fieldset").classes("units"):
        TextElement(tag="legend", text=key.words.label)
        for column in quasi_columns(view.tree):
            ui.checkbox(
                column,
                value=column in form.said.get(name, ()),
                on_change=lambda event, column=column: choose(column, event.value),
            )


def _do(live: Live, how: Callable[[TargetForm], Edits]) -> None:
    edit(live.project, *how(read_target(load_draft(live.project).tree)))
