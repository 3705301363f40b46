"""Variants of a policy: the boxes to choose them, and the table of what came of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from papilio.document.comparison import Comparison, Trial
from papilio.document.text import percentage
from papilio.families.choices import Choices
from papilio.web.parts.which_release import title
from papilio.web.records import Record


class VariantsForm:
    """Boxes for the methods, and for the values of everything that may vary."""

    def __init__(self, choices: Choices) -> None:
        possible = tuple(line.name for line in choices.lines if line.why_not is None)
        with ui.element("div").classes("settings-form"):
            self._methods = _boxes("Methods", possible, choices.usual)
            self._values = {
                each.key: _boxes(each.title, each.values, each.usual)
                for each in choices.varied
                if each.values
            }

    @property
    def methods(self) -> list[str]:
        """Methods that are chosen."""
        return _chosen(self._methods)

    @property
    def variants(self) -> dict[str, list[Any]]:
        """Values that are chosen, by key; keys without any stay as the policy has them."""
        chosen = {key: _chosen(boxes) for key, boxes in self._values.items()}
        return {key: values for key, values in chosen.items() if values}


def _boxes(
    name: str, options: Sequence[Any], usual: Sequence[Any]
) -> list[tuple[Any, ui.checkbox]]:
    with ui.element("fieldset").classes("boxes"):
        with ui.element("legend"):
            ui.label(name)
        return [(each, ui.checkbox(_said(each), value=each in usual)) for each in options]


def _chosen(boxes: list[tuple[Any, ui.checkbox]]) -> list[Any]:
    return [value for value, box in boxes if box.value]


def _said(option: Any) -> str:
    return option if isinstance(option, str) else f"{option:g}"


def variants_table(
    comparison: Comparison | None,
    made: Sequence[Record],
    opener: Callable[[Trial], Callable[[], None]],
    shower: Callable[[Record], Callable[[], None]],
) -> None:
    """Show variants by their loss, and releases after them.

    Parameters
    ----------
    comparison, made
        What was tried, and what was published.
    opener, shower
        Make what the button of a variant, and of a release, does.
    """
    risk = "Risk" if comparison is None else comparison.risk.title
    with (
        ui.element("div")
        .classes("plain-table")
        .props('tabindex=0 role=group aria-label="All settings"'),
        ui.element("table"),
    ):
        with ui.element("thead"), ui.element("tr"):
            for name in ("Setting", "Loss", risk, "People", "Seconds", "Open"):
                with ui.element("th").props("scope=col"):
                    ui.label(name)
        with ui.element("tbody"):
            if comparison is not None:
                for trial in sorted(comparison.trials, key=lambda each: _order(comparison, each)):
                    _trial(trial, opener(trial), starred=trial in comparison.starred)
            for record in made:
                _record(record, shower(record))
    if comparison is not None:
        for each in (comparison.loss, comparison.risk):
            ui.label(f"{each.title}: {each.words}").classes("muted")


def _order(comparison: Comparison, trial: Trial) -> tuple[bool, float, float]:
    loss = 0.0 if trial.outcome is None else trial.outcome.loss
    return trial.outcome is None, comparison.place(trial), loss


def _trial(trial: Trial, action: Callable[[], None], *, starred: bool) -> None:
    if trial.outcome is None:
        with ui.element("tr"):
            _cell(trial.words)
            with ui.element("td").props("colspan=5"):
                ui.label(f"not possible: {trial.why_not}").classes("muted")
        return
    found = trial.outcome
    figures = (percentage(found.loss), percentage(found.risk), f"{found.people:,}")
    _row(trial.words, (*figures, f"{found.seconds:.2f}"), action, " ★" * starred)


def _record(record: Record, action: Callable[[], None]) -> None:
    loss = "–" if record.loss is None else percentage(record.loss)
    _row(title(record.number, record), (loss, "–", "–", f"{record.seconds:.2f}"), action)


def _row(name: str, figures: Sequence[str], action: Callable[[], None], star: str = "") -> None:
    with ui.element("tr"):
        for text in (name + star, *figures):
            _cell(text)
        with ui.element("td"):
            ui.button("Open", on_click=action).classes("secondary small").props(
                f'aria-label="Open {name}"'
            )


def _cell(text: str) -> None:
    with ui.element("td"):
        ui.label(text)
