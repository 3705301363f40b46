"""A text of the policy that can be typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui


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
