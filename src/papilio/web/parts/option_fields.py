"""The method and its options on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.errors import PapilioError
from papilio.policy.family import Family
from papilio.web.forms.edits import ABSENT, Edit, KeyPath
from papilio.web.forms.options import METHODS, Option, option_text, options_for
from papilio.web.parts.choice import Choice
from papilio.web.parts.complaint import complaint
from papilio.web.parts.folded import folded
from papilio.web.parts.live import Live
from papilio.web.parts.message import message
from papilio.web.parts.section import section
from papilio.web.parts.view import View, edit
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
                for option in found:
                    _option(view, live, option)


def _why(view: View, rows: int) -> str:
    if view.faults:
        return "Papilio chooses a method as soon as the policy can be run."
    try:
        choice = choice_of(view.draft.policy(), rows)
    except PapilioError:
        return "Papilio chooses a method when the policy runs."
    return f"Method: {choice.method} ({choice.why})."


def _method(view: View, live: Live, family: Family) -> None:
    path = ("method",)
    options = {"": "auto: Papilio chooses", **METHODS[family]}
    choice = Choice(
        "Method", options, _shown(view, path), _setter(live, path), name="option-method"
    )
    _complaining(view, live, path, choice)


def _option(view: View, live: Live, option: Option) -> None:
    with ui.element("div").classes("option"):
        options = {"": f"left out: {option.usual}", **option.choices}
        name = "option-" + "-".join(option.path)
        choice = Choice(
            option.label, options, _shown(view, option.path), _setter(live, option.path), name=name
        )
        TextElement(tag="p", text=option.hint).classes("hint")
        _complaining(view, live, option.path, choice)


def _complaining(view: View, live: Live, path: KeyPath, choice: Choice) -> None:
    live.follow(lambda later: choice.show(_shown(later, path)))
    complaint(view, live, path)


def _shown(view: View, path: KeyPath) -> str:
    said = option_text(view.said(path))
    return "" if path == ("method",) and said == "auto" else said


def _setter(live: Live, path: KeyPath) -> Callable[[str], Any]:
    return lambda value: edit(live.project, Edit(path, value or ABSENT))
