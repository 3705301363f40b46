"""Lists of values in a policy: all that may occur, in order, and those that are harmless."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nicegui import ui

from papilio.policy.column_policy import ColumnPolicy
from papilio.policy.words import words_of
from papilio.web.forms.hierarchy_form import NONE
from papilio.web.jobs.run import start
from papilio.web.parts.folded import folded
from papilio.web.parts.live import Live
from papilio.web.parts.text_box import TextBox
from papilio.web.parts.view import View

if TYPE_CHECKING:
    from papilio.web.parts.column_details import ColumnDetails

#: Most values that are filled in.
_MOST = 500
_LINES = "One value a line."


def value_lists(details: ColumnDetails, view: View, live: Live, takes: Collection[str]) -> None:
    """Draw the lists that go with the column, as far as it takes them."""
    form = details.form(view)
    ordered = details.type in ("numeric", "date") and form.type is None and not form.domain
    bare = form.hierarchy.kind == NONE and not form.several
    if "domain" in takes and bare and not ordered:
        _domain(details, view, live)
    if "harmless" in takes:
        _harmless(details, view, live)


def _domain(details: ColumnDetails, view: View, live: Live) -> None:
    said = details.form(view).domain
    words = words_of(ColumnPolicy, "domain")
    with folded("Order of the values", f"{words.plain} {_LINES}", opened=bool(said)):
        box = TextBox(
            words.label,
            "\n".join(map(str, said)),
            lambda text: details.change(lambda form: replace(form, domain=_lines(text))),
            name=f"domain-{details.name_in_page}",
            lines=True,
        )
        live.follow(lambda later: box.show("\n".join(map(str, details.form(later).domain))))
        ui.button("Fill in the values that occur", on_click=lambda: _fill(details)).classes(
            "secondary small"
        ).props("no-caps")


async def _fill(details: ColumnDetails) -> None:
    form = {"role": "quasi"}
    arguments = {"source": details.place.source, "column": details.name, "said": form}
    job = await start(details.project, "hierarchy_preview", arguments).over()
    paths: list[list[Any]] = job.result()["paths"]
    if len(paths) > _MOST:
        ui.notify(f"There are {len(paths):,} values, too many to be put in order by hand.")
        return
    details.change(lambda column: replace(column, domain=tuple(path[0] for path in paths)))


def _harmless(details: ColumnDetails, view: View, live: Live) -> None:
    said = details.form(view).harmless
    words = words_of(ColumnPolicy, "harmless")
    with folded(words.label, f"{words.plain} {_LINES}", opened=bool(said)):
        box = TextBox(
            words.label,
            _shown(said),
            lambda text: details.change(
                lambda form: replace(form, harmless=(*_lines(text), *_null(form.harmless)))
            ),
            name=f"harmless-{details.name_in_page}",
            lines=True,
        )
        missing = ui.checkbox(
            "A missing value is harmless",
            value=None in said,
            on_change=lambda event: details.change(
                lambda form: replace(
                    form,
                    harmless=(
                        *(each for each in form.harmless if each is not None),
                        *((None,) if event.value else ()),
                    ),
                )
            ),
        )

    def follow(later: View) -> None:
        values = details.form(later).harmless
        box.show(_shown(values))
        if missing.value != (None in values):
            missing.value = None in values

    live.follow(follow)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def _null(values: tuple[Any, ...]) -> tuple[None, ...]:
    return (None,) if None in values else ()


def _shown(values: tuple[Any, ...]) -> str:
    return "\n".join(str(each) for each in values if each is not None)
