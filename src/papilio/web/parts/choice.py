"""A choice among a few things, as the browser itself offers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

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
