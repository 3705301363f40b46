"""The choice of settings to compare."""

from __future__ import annotations

from nicegui import ui

from papilio.families.keys import key_at
from papilio.workflow.settings import Choices


class SettingsForm:
    """Boxes for the lines and for the values of a comparison."""

    def __init__(self, choices: Choices) -> None:
        with ui.element("div").classes("settings-form"):
            self._series = _boxes("Methods", choices.series, choices.usual_series)
            words = key_at("privacy", choices.parameter).words
            title = words.meaning.title if words.meaning else words.label
            self._values = _boxes(title, choices.values, choices.usual_values)

    @property
    def series(self) -> list[str]:
        """Lines that are chosen."""
        return [str(name) for name, box in self._series.items() if box.value]

    @property
    def values(self) -> list[float]:
        """Values that are chosen."""
        return [float(value) for value, box in self._values.items() if box.value]


def _boxes(
    title: str, options: tuple[str, ...] | tuple[float, ...], usual: tuple[object, ...]
) -> dict[str | float, ui.checkbox]:
    with ui.element("fieldset").classes("boxes"):
        with ui.element("legend"):
            ui.label(title)
        return {each: ui.checkbox(_said(each), value=each in usual) for each in options}


def _said(option: str | float) -> str:
    return option if isinstance(option, str) else f"{option:g}"
