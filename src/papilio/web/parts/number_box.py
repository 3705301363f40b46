"""A number of the policy that can be typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui


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
