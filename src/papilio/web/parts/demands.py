"""The requirements of a family on the page, made from its table and the words of their keys."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.families.family import Family
from papilio.families.keys import Key
from papilio.policy.words import Widget
from papilio.web.forms.demands_form import read_closeness, read_diversity
from papilio.web.forms.edits import ABSENT, Edit, mapping_at
from papilio.web.forms.fields import asked_together, demand_keys
from papilio.web.forms.recipients_form import columns_with_role
from papilio.web.forms.target_form import read_target
from papilio.web.parts.column_demands import column_demands
from papilio.web.parts.fields import explained, field_or_complaint, slot_at
from papilio.web.parts.live import Live
from papilio.web.parts.section import section
from papilio.web.parts.target_fields import target_fields
from papilio.web.parts.view import View, edit


def demand_shape(view: View, family: Family) -> Hashable:
    """What decides which controls there are."""
    target = read_target(view.tree)
    return (
        family,
        tuple(sorted(mapping_at(view.tree, ("privacy",)))),
        tuple((form.column, form.kind) for form in read_diversity(view.tree)),
        tuple((f.column, f.strange, f.n is None) for f in read_closeness(view.tree)),
        (target.column, target.distribution, tuple(sorted(map(str, target.said.get("by", ()))))),
    )


def family_demands(view: View, live: Live, family: Family) -> None:
    """Draw what can be demanded of a release of this family."""
    with section("What must hold", "Papilio checks all of it before anything is written."):
        for keys in asked_together(demand_keys(family)):
            by_hand = _BY_HAND.get(keys[0].widget or "text")
            if by_hand is None:
                demand(view, live, *keys)
            else:
                by_hand(view, live, keys[0])


#: Requirements with controls of their own.
_BY_HAND: Mapping[Widget, Callable[[View, Live, Key], None]] = {
    "demands": column_demands,
    "target": target_fields,
}


def demand(view: View, live: Live, *keys: Key) -> None:
    """Draw a requirement: its title, a switch if it may be left out, its controls and words."""
    words = keys[0].words
    title = words.meaning.title if words.meaning else words.label
    with ui.element("div").classes("demand"):
        with ui.element("div").classes("demand-head"):
            TextElement(tag="h3", text=title).classes("h3")
            if not words.needed:
                _switch(view, live, keys[0], title)
        with ui.element("div").classes("demand-fields"):
            for key in keys:
                if key.words.needed or view.said(key.path) is not None:
                    offered = _columns(view) if key.widget == "column" else None
                    field_or_complaint(view, live, slot_at(live, key, "field", offered))
        explained(words)


def _switch(view: View, live: Live, key: Key, title: str) -> None:
    """A switch that writes a key or takes it away."""
    start = next(iter(_columns(view)), key.words.start)
    start = start if key.widget == "column" else key.words.start

    def turn(event: Any) -> None:
        edit(live.project, Edit(key.path, start if event.value else ABSENT))

    control = ui.switch("Demanded", value=view.said(key.path) is not None, on_change=turn)
    control.props["id"] = "switch-" + "-".join(key.path)
    control.props["aria-label"] = f"{title}: demanded"


def _columns(view: View) -> dict[str, str]:
    """Columns that are read and never published, which may hold what people demand."""
    return {name: name for name in columns_with_role(view.tree, "identifier")}
