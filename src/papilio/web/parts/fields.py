"""Controls for keys of the policy, made from what the models say of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.families.keys import Key
from papilio.policy.demands import without_percent
from papilio.policy.words import Widget, Words
from papilio.web.forms.edits import ABSENT, Edit
from papilio.web.forms.fields import option_text, percent_text
from papilio.web.parts.choice import Choice
from papilio.web.parts.complaint import complaint
from papilio.web.parts.folded import folded
from papilio.web.parts.live import Live
from papilio.web.parts.number_box import NumberBox
from papilio.web.parts.text_box import TextBox
from papilio.web.parts.view import View, edit

#: Shows what a later policy says.
Show = Callable[[Any], None]


@dataclass(frozen=True)
class Slot:
    """Where a key gets its value from, and where it goes.

    Attributes
    ----------
    key
        The key.
    name
        Name of its control in the page.
    read
        What the policy says of it.
    write
        Says something else; ``None`` takes the key away.
    offered
        What may be chosen, where that depends on the data or the family.
    """

    key: Key
    name: str
    read: Callable[[View], Any]
    write: Callable[[Any], None]
    offered: Mapping[str, str] | None = None


def slot_at(live: Live, key: Key, kind: str, offered: Mapping[str, str] | None = None) -> Slot:
    """A key that stands in the policy under its own path; names of controls begin with ``kind``."""

    def write(value: Any) -> None:
        edit(live.project, Edit(key.path, ABSENT if value is None else value))

    name = "-".join((kind, *key.path))
    return Slot(key, name, lambda view: view.said(key.path), write, offered)


def field(view: View, live: Live, slot: Slot) -> None:
    """Draw the control of a key and keep it as the policy is."""
    show = _DRAW[slot.key.widget or "text"](view, slot)
    live.follow(lambda later: show(slot.read(later)))


def field_or_complaint(view: View, live: Live, slot: Slot) -> None:
    """Draw the control of a key, and what is wrong with it as long as something is."""
    field(view, live, slot)
    complaint(view, live, slot.key.path)


def _number(view: View, slot: Slot) -> Show:
    key = slot.key
    percent = key.widget == "percent"
    kept = key.words.needed or key.words.start is not None
    told = "" if kept or not key.words.usual else f" (empty: {key.words.usual})"
    box = NumberBox(
        key.label + told,
        without_percent(slot.read(view)),
        lambda number: slot.write(percent_text(number) if percent else number),
        name=slot.name,
        step=key.step,
        percent=percent,
        on_empty=None if kept else lambda: slot.write(None),
    )
    if told:
        box.input.classes("wide")
    return lambda said: box.show(without_percent(said))


def _choice(view: View, slot: Slot) -> Show:
    words = slot.key.words
    offered = slot.offered
    if offered is None:
        left_out = {} if slot.key.field.is_required() else {"": f"left out: {words.usual}"}
        offered = left_out | slot.key.choices
    box = Choice(
        words.label,
        offered,
        option_text(slot.read(view)),
        lambda value: slot.write(value or None),
        name=slot.name,
    )
    return lambda said: box.show(option_text(said))


def _text(view: View, slot: Slot) -> Show:
    box = TextBox(
        slot.key.words.label,
        option_text(slot.read(view)),
        lambda text: slot.write(text or None),
        name=slot.name,
    )
    return lambda said: box.show(option_text(said))


_DRAW: Mapping[Widget, Callable[[View, Slot], Show]] = {
    "number": _number,
    "share": _number,
    "percent": _number,
    "choice": _choice,
    "method": _choice,
    "duration": _choice,
    "column": _choice,
    "file": _choice,
    "text": _text,
}


def explained(words: Words) -> None:
    """What it demands, and behind a line that opens: whom it stops, whom not, and what to take."""
    TextElement(tag="p", text=words.plain).classes("demands")
    if words.meaning is None:
        return
    told = {
        "Stops": words.meaning.stops,
        "Does not stop": words.meaning.does_not_stop,
        "For example": words.meaning.example,
        "What to take": words.meaning.usual,
    }
    with folded("Which attacker it stops, and which not"), ui.element("dl"):
        for title, text in told.items():
            TextElement(tag="dt", text=title)
            TextElement(tag="dd", text=text)
