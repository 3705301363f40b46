"""All settings that were tried and all releases, as a table with a button each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nicegui import ui

from papilio.document.text import percentage
from papilio.web.parts.which_release import title
from papilio.web.records import Record
from papilio.workflow.try_settings import Attempt

_HEAD = ("Setting", "Loss", "Highest chance to be found", "Seconds", "")


def settings_table(
    attempts: Sequence[Attempt],
    made: Sequence[Record],
    opener: Callable[[Attempt], Callable[[], None]],
    shower: Callable[[Record], Callable[[], None]],
) -> None:
    """Show settings by their loss, and releases after them.

    Parameters
    ----------
    attempts, made
        What was tried, and what was published.
    opener, shower
        Make what the button of an attempt, and of a release, does.
    """
    with (
        ui.element("div")
        .classes("plain-table")
        .props('tabindex=0 role=group aria-label="All settings"'),
        ui.element("table"),
    ):
        with ui.element("thead"), ui.element("tr"):
            for name in _HEAD:
                with ui.element("th").props("scope=col"):
                    ui.label(name or "Open")
        with ui.element("tbody"):
            for each in sorted(attempts, key=_order):
                _attempt(each, opener(each))
            for record in made:
                _record(record, shower(record))


def _order(attempt: Attempt) -> tuple[bool, float, float]:
    return attempt.loss is None, attempt.setting.value, attempt.loss or 0.0


def _attempt(each: Attempt, action: Callable[[], None]) -> None:
    setting = each.setting
    name = f"{setting.series}, {setting.parameter} = {setting.value:g}"
    if each.loss is None:
        with ui.element("tr"):
            _cell(name)
            with ui.element("td").props("colspan=4"):
                ui.label(f"not possible: {each.why_not}").classes("muted")
        return
    chance = f"1 in {setting.value:g}" if setting.parameter == "k" else "–"
    _row(name, percentage(each.loss), chance, f"{each.seconds or 0:.2f}", action)


def _record(record: Record, action: Callable[[], None]) -> None:
    loss = "–" if record.loss is None else percentage(record.loss)
    chance = "–" if record.k is None else f"1 in {record.k}"
    _row(title(record.number, record), loss, chance, f"{record.seconds:.2f}", action)


def _row(name: str, loss: str, chance: str, seconds: str, action: Callable[[], None]) -> None:
    with ui.element("tr"):
        _cell(name)
        for text in (loss, chance, seconds):
            _cell(text)
        with ui.element("td"):
            ui.button("Open", on_click=action).classes("secondary small").props(
                f'aria-label="Open {name}"'
            )


def _cell(text: str) -> None:
    with ui.element("td"):
        ui.label(text)
