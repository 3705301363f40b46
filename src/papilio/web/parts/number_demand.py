"""A requirement that is one number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.forms.edits import ABSENT, Edit, KeyPath
from papilio.web.forms.shares import percent_text, share_of
from papilio.web.parts.complaint import complaint
from papilio.web.parts.explained import explained
from papilio.web.parts.live import Live
from papilio.web.parts.number_box import NumberBox
from papilio.web.parts.view import View, edit
from papilio.web.words.words import Words


def number_demand(
    view: View,
    live: Live,
    path: KeyPath,
    words: Words,
    label: str,
    *,
    start: Any = None,
    step: float = 1,
    percent: bool = False,
) -> None:
    """Draw a requirement.

    Parameters
    ----------
    view, live
        The policy, and the part of the page this is in.
    path
        The key.
    words
        What it means.
    label
        What the number is called.
    start
        What to write when it is switched on; ``None``: it cannot be switched off.
    step
        By how much arrows change it.
    percent
        Whether it is written as a percentage.
    """
    present = view.said(path) is not None
    with demand(words, live, path, start, present):
        if present or start is None:
            _box(view, live, path, label, step, percent)


def two_numbers(
    view: View, live: Live, words: Words, one: tuple[str, str], other: tuple[str, str]
) -> None:
    """Draw a requirement of two numbers, each a key of ``privacy`` and what it is called."""
    with demand(words, live, (), None, present=True):
        for key, label in (one, other):
            _box(view, live, ("privacy", key), label, 1, percent=False)


class demand:  # noqa: N801 - a context, named like a function
    """Frame of a requirement: its title, a switch if it may be left out, and its words."""

    def __init__(self, words: Words, live: Live, path: KeyPath, start: Any, present: bool) -> None:
        self._words = words
        self._outer = ui.element("div").classes("demand")
        with self._outer:
            with ui.element("div").classes("demand-head"):
                TextElement(tag="h3", text=words.title).classes("h3")
                if start is not None:
                    switch(live, path, start, present, words.title)
            self._fields = ui.element("div").classes("demand-fields")

    def __enter__(self) -> ui.element:
        return self._fields.__enter__()

    def __exit__(self, *_: object) -> None:
        self._fields.__exit__()
        with self._outer:
            explained(self._words)


def switch(live: Live, path: KeyPath, start: Any, present: bool, title: str) -> None:
    """A switch that writes a key or takes it away."""

    def turn(event: Any) -> None:
        edit(live.project, Edit(path, start if event.value else ABSENT))

    control = ui.switch("Demanded", value=present, on_change=turn)
    control.props["id"] = "switch-" + "-".join(path)
    control.props["aria-label"] = f"{title}: demanded"


def _box(view: View, live: Live, path: KeyPath, label: str, step: float, percent: bool) -> None:
    write: Callable[[float], Any] = percent_text if percent else lambda number: number
    box = NumberBox(
        label,
        share_of(view.said(path)),
        lambda number: edit(live.project, Edit(path, write(number))),
        name="field-" + "-".join(path),
        step=step,
        percent=percent,
    )

    live.follow(lambda later: box.show(share_of(later.said(path))))
    complaint(view, live, path)
