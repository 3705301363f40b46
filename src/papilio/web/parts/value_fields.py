"""The hierarchy of a column, with its levels, and the target distribution with its picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.data.hierarchy.rules import DATE_LEVELS
from papilio.families.keys import NAME, Key, keys_of
from papilio.policy.column_policy import ColumnPolicy, HierarchyPolicy
from papilio.policy.words import words_of
from papilio.web.draft import load_draft
from papilio.web.forms.column_form import (
    STRANGE,
    ColumnForm,
    HierarchyForm,
    kinds_for,
    meaning_of,
    parse_levels,
    with_hierarchy,
)
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
from papilio.web.forms.proposals import proposed_prefixes, proposed_widths
from papilio.web.forms.recipients_form import columns_with_role, quasi_columns
from papilio.web.jobs.run import start
from papilio.web.pages import address
from papilio.web.parts.blocks import complaint, folded, message
from papilio.web.parts.fields import Choice, Slot, TextBox, explained, field
from papilio.web.parts.live import Live, View, edit
from papilio.web.pictures import target_picture

if TYPE_CHECKING:
    from papilio.web.parts.column_details import ColumnDetails

#: What the numbers of a kind of levels are.
_LEVELS = {"prefix": "Characters kept on each level", "intervals": "Width on each level"}


def hierarchy_fields(details: ColumnDetails, view: View, live: Live) -> None:
    """Draw the choice of a hierarchy, its levels, and the way to its tree."""
    form = details.form(view).hierarchy
    if form.kind == STRANGE:
        message("This hierarchy is written in a way that only the policy file can show.", "info")
        return
    Choice(
        words_of(ColumnPolicy, "hierarchy").label,
        kinds_for(details.type, form.kind),
        form.kind,
        lambda kind: _choose(details, kind),
        name=f"hierarchy-{details.name_in_page}",
    )
    TextElement(tag="p", text=meaning_of(form.kind)).classes("hint")
    if form.kind in _LEVELS:
        _typed_levels(details, form, live)
    elif form.kind == "dates":
        _units(details, live, view)
    if form.kind == "file":
        TextElement(tag="p", text=f"File: {form.file}").classes("known")
    _way_to_the_tree(details, form)


def _choose(details: ColumnDetails, kind: str) -> None:
    if kind == "file":
        # Which groups there are is for the tree editor to say; it writes the file.
        ui.navigate.to(tree_address(details))
        return
    details.change(lambda form: with_hierarchy(form, _first(details, kind)))


def _first(details: ColumnDetails, kind: str) -> HierarchyForm:
    counts = details.counts
    match kind:
        case "prefix":
            return HierarchyForm(kind, proposed_prefixes(int(counts.get("longest") or 5)))
        case "intervals":
            low, high = counts.get("lowest"), counts.get("highest")
            if low is None or high is None:
                return HierarchyForm(kind, (5, 20, 100))
            return HierarchyForm(kind, proposed_widths(low, high))
        case "dates":
            return HierarchyForm(kind, ("month", "year", "decade"))
    return HierarchyForm(kind)


def _typed_levels(details: ColumnDetails, form: HierarchyForm, live: Live) -> None:
    def levels(text: str) -> None:
        found = parse_levels(form.kind, text)
        details.change(lambda column: _with(column, levels=found))

    example = words_of(HierarchyPolicy, form.kind).example.strip("[]")
    label = f"{_LEVELS[form.kind]}, such as {example}"
    box = TextBox(label, _shown(form), levels, name=f"levels-{details.name_in_page}")
    live.follow(lambda later: box.show(_shown(details.form(later).hierarchy)))
    if form.kind == "intervals":
        _origin(details, form, live)


def _origin(details: ColumnDetails, form: HierarchyForm, live: Live) -> None:
    def origin(text: str) -> None:
        found = parse_levels("intervals", text)
        details.change(lambda column: _with(column, origin=found[0] if found else None))

    def shown(hierarchy: HierarchyForm) -> str:
        return "" if hierarchy.origin is None else str(hierarchy.origin)

    box = TextBox(
        f"{words_of(HierarchyPolicy, 'origin').label} (0 if empty)",
        shown(form),
        origin,
        name=f"origin-{details.name_in_page}",
    )
    live.follow(lambda later: box.show(shown(details.form(later).hierarchy)))


def _units(details: ColumnDetails, live: Live, view: View) -> None:
    def choose(unit: str, wanted: bool) -> None:
        def how(column: ColumnForm) -> ColumnForm:
            kept = (
                {*column.hierarchy.levels, unit} if wanted else {*column.hierarchy.levels} - {unit}
            )
            return _with(column, levels=tuple(each for each in DATE_LEVELS if each in kept))

        details.change(how)

    boxes = {}
    with ui.element("fieldset").classes("units"):
        TextElement(tag="legend", text="Levels")
        for unit in DATE_LEVELS:
            chosen = unit in details.form(view).hierarchy.levels
            boxes[unit] = ui.checkbox(
                unit, value=chosen, on_change=lambda event, unit=unit: choose(unit, event.value)
            )

    def follow(later: View) -> None:
        for unit, box in boxes.items():
            chosen = unit in details.form(later).hierarchy.levels
            if box.value != chosen:
                box.value = chosen

    live.follow(follow)


def _way_to_the_tree(details: ColumnDetails, form: HierarchyForm) -> None:
    text = {"file": "Edit the tree", "none": "Make a tree by hand"}.get(form.kind, "See the tree")
    ui.link(text, tree_address(details)).classes("button secondary small")


def tree_address(details: ColumnDetails) -> str:
    """Address of the page that shows the tree of a column."""
    table = {"table": details.place.path[1]} if details.place.path else {}
    return address(details.project, "columns", tree=details.name, **table)


def _with(column: ColumnForm, **changes: Any) -> ColumnForm:
    return replace(column, hierarchy=replace(column.hierarchy, **changes))


def _shown(form: HierarchyForm) -> str:
    return ", ".join(str(level) for level in form.levels)


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
