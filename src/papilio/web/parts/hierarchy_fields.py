"""Which hierarchy a column has, and its levels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.data.hierarchy.rules import DATE_LEVELS
from papilio.policy.column_policy import ColumnPolicy, HierarchyPolicy
from papilio.policy.words import words_of
from papilio.web.forms.column_form import (
    STRANGE,
    ColumnForm,
    HierarchyForm,
    kinds_for,
    meaning_of,
    parse_levels,
    with_hierarchy,
)
from papilio.web.forms.proposals import proposed_prefixes, proposed_widths
from papilio.web.pages import address
from papilio.web.parts.blocks import message
from papilio.web.parts.fields import Choice, TextBox
from papilio.web.parts.live import Live, View

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
