"""The method and its options on the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.errors import PapilioError
from papilio.families.family import Family
from papilio.families.keys import Key, key_at
from papilio.web.forms.fields import methods_of, options_for
from papilio.web.parts.complaint import complaint
from papilio.web.parts.fields import field, field_or_complaint, slot_at
from papilio.web.parts.folded import folded
from papilio.web.parts.live import Live
from papilio.web.parts.message import message
from papilio.web.parts.section import section
from papilio.web.parts.view import View
from papilio.workflow.choice import choice_of


def option_fields(view: View, live: Live, family: Family, rows: Callable[[View], int]) -> None:
    """Draw the method, with the reason for it, and the options that go with it."""
    with section("How it is reached", "Any method keeps the promise; they differ in what is lost."):
        _method(view, live, family)
        why = message(_why(view, rows(view)), "info")
        label = why.default_slot.children[-1]

        def follow(later: View) -> None:
            label.set_text(_why(later, rows(later)))  # type: ignore[attr-defined]

        live.follow(follow)
        found = options_for(view.tree, family)
        if found:
            said = any(view.said(each.path) is not None for each in found)
            with folded("More options", opened=said), ui.element("div").classes("options"):
                for key in found:
                    _option(view, live, key)


def _why(view: View, rows: int) -> str:
    if view.faults:
        return "Papilio chooses a method as soon as the policy can be run."
    try:
        choice = choice_of(view.draft.policy(), rows)
    except PapilioError:
        return "Papilio chooses a method when the policy runs."
    return f"Method: {choice.method} ({choice.why})."


def _method(view: View, live: Live, family: Family) -> None:
    key = key_at("method")
    offered = {"": key.choices["auto"], **methods_of(family)}
    slot = slot_at(live, key, "option", offered)
    as_left_out = replace(slot, read=lambda view: _named(slot.read(view)))
    field_or_complaint(view, live, as_left_out)


def _named(said: Any) -> Any:
    return None if said == "auto" else said


def _option(view: View, live: Live, key: Key) -> None:
    with ui.element("div").classes("option"):
        slot = slot_at(live, key, "option")
        field(view, live, slot)
        TextElement(tag="p", text=key.words.plain).classes("hint")
        complaint(view, live, key.path)
