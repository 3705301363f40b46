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
from papilio.web.parts.blocks import complaint, folded
from papilio.web.parts.live import Live, View, edit


class NumberBox:
    """A labelled number.

    It takes any number: what is out of range is written to the policy, which says what is wrong.

    Parameters
    ----------
    label
        What it is.
    value
        The number now.
    on_change
        Told the number, whole ones as such; not told of an empty box.
    name
        Name of the control in the page.
    step
        By how much arrows change it.
    percent
        Whether it is shown as a percentage of what the policy says.
    on_empty
        Called when the box is left empty; without it, the number comes back.
    """

    def __init__(
        self,
        label: str,
        value: Any,
        on_change: Callable[[int | float], None],
        *,
        name: str,
        step: float = 1,
        percent: bool = False,
        on_empty: Callable[[], None] | None = None,
    ) -> None:
        self._told, self._emptied = on_change, on_empty
        self._scale = 100 if percent else 1
        self._said = self._shown(value)
        self.input = ui.number(
            label,
            value=self._said,
            step=step,
            suffix="%" if percent else None,
            on_change=self._typed,
        )
        self.input.props(f"outlined dense for={name} no-error-icon").classes("number-box")
        self.input.on("blur", self._settle)

    def show(self, value: Any) -> None:
        """Show what the policy says; what is being typed is left alone."""
        shown = self._shown(value)
        if shown != self._said:
            self._said = shown
            self.input.value = shown

    def _shown(self, value: Any) -> float | None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return _tidy(value * self._scale)

    def _typed(self, event: Any) -> None:
        if event.value is None or event.value == self._said:
            return
        self._said = event.value
        self._told(_tidy(event.value / self._scale))

    def _settle(self) -> None:
        if self.input.value is not None or self._said is None:
            return
        if self._emptied is None:
            self.input.value = self._said
        else:
            self._said = None
            self._emptied()


def _tidy(number: float) -> int | float:
    rounded = float(f"{number:.12g}")
    return int(rounded) if rounded.is_integer() else rounded


class TextBox:
    """A labelled text, of one line or several.

    Parameters
    ----------
    label
        What it is.
    value
        The text now.
    on_change
        Told the text as it is typed.
    name
        Name of the control in the page.
    lines
        Whether it has several lines.
    """

    def __init__(
        self,
        label: str,
        value: str,
        on_change: Callable[[str], None],
        *,
        name: str,
        lines: bool = False,
    ) -> None:
        self._told, self._said = on_change, value
        make = ui.textarea if lines else ui.input
        self.input = make(label, value=value, on_change=self._typed)
        self.input.props(f"outlined dense for={name} debounce=250").classes("text-box")

    def show(self, value: str) -> None:
        """Show what the policy says; what means the same and is being typed is left alone."""
        if _squeezed(value) != _squeezed(self._said):
            self._said = value
            self.input.value = value

    def _typed(self, event: Any) -> None:
        text = event.value or ""
        if text != self._said:
            self._said = text
            self._told(text)


def _squeezed(text: str) -> str:
    return " ".join(text.replace(",", " ").replace(";", " ").split())


_VALUE = "(event) => emit(event.target.value)"


class Choice:
    """A labelled list to choose from; keyboards, phones and screen readers know it.

    Parameters
    ----------
    label
        What is chosen.
    options
        What can be chosen, and the text for each.
    value
        What is chosen now; something that is no option is shown as it is.
    on_change
        Told what was chosen.
    name
        Name of the control in the page, by which it gets the focus back.
    quiet
        Whether the label is for screen readers only.
    """

    def __init__(
        self,
        label: str,
        options: Mapping[str, str],
        value: str,
        on_change: Callable[[str], None],
        *,
        name: str,
        quiet: bool = False,
    ) -> None:
        self._options = dict(options)
        with ui.element("div").classes("choice quiet" if quiet else "choice"):
            heading = TextElement(tag="label", text=label).classes("choice-label")
            heading.props["for"] = name
            self._select = ui.element("select")
            self._select.props["id"] = name
            self._select.on("change", self._chosen, js_handler=_VALUE)
        self._told = on_change
        self._fill(value)

    def _chosen(self, event: Any) -> None:
        self._select.props["value"] = str(event.args)
        self._told(str(event.args))

    @property
    def value(self) -> str:
        """What is chosen now."""
        return str(self._select.props["value"])

    def show(self, value: str) -> None:
        """Show another value, without telling anybody."""
        if value == self._select.props.get("value"):
            return
        if value in self._options:
            self._select.props["value"] = value
            self._select.update()
        else:
            self._fill(value)

    def offer(self, options: Mapping[str, str], value: str) -> None:
        """Offer other things to choose from."""
        if options != self._options:
            self._options = dict(options)
            self._fill(value)

    def _fill(self, value: str) -> None:
        self._select.clear()
        strange = {} if value in self._options else {value: value or "choose…"}
        with self._select:
            for key, text in (strange | self._options).items():
                option = TextElement(tag="option", text=text)
                option.props["value"] = key
        self._select.props["value"] = value
        self._select.update()


def text_of(value: Any) -> str:
    """What a policy says, as a key of options; nothing is an empty text."""
    return "" if value is None else str(value)


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


def _yes_no(view: View, slot: Slot) -> Show:
    box = ui.switch(
        slot.key.words.label,
        value=slot.read(view) is True,
        on_change=lambda event: turn(bool(event.value)),
    )
    box.props(f"id={slot.name}")
    said = box.value

    def turn(value: bool) -> None:
        nonlocal said
        if value != said:
            said = value
            slot.write(value or None)

    def show(later: Any) -> None:
        nonlocal said
        said = later is True
        box.value = said

    return show


_DRAW: Mapping[Widget, Callable[[View, Slot], Show]] = {
    "number": _number,
    "share": _number,
    "percent": _number,
    "choice": _choice,
    "yes/no": _yes_no,
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
