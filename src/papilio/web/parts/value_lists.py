"""Lists of values in a policy: all that may occur, in order, and those that are harmless."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nicegui import ui

from papilio.web.jobs.run import start
from papilio.web.parts.folded import folded
from papilio.web.parts.live import Live
from papilio.web.parts.text_box import TextBox
from papilio.web.parts.view import View

if TYPE_CHECKING:
    from papilio.web.parts.column_details import ColumnDetails

#: Most values that are filled in.
_MOST = 500


def value_lists(details: ColumnDetails, view: View, live: Live) -> None:
    """Draw the lists that go with the column."""
    form = details.form(view)
    ordered = details.type in ("numeric", "date") and form.type is None and not form.domain
    if form.hierarchy.kind == "none" and not form.several and not ordered:
        _domain(details, view, live)
    if form.role == "sensitive" and not details.place.path:
        _harmless(details, view, live)


def _domain(details: ColumnDetails, view: View, live: Live) -> None:
    said = details.form(view).domain
    hint = (
        "All values that may occur, smallest first, one a line. Left empty: those that occur, "
        "without order."
    )
    with folded("Order of the values", hint, opened=bool(said)):
        box = TextBox(
            "Values in order",
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
    hint = (
        "Values that need no protection, one a line, such as “none”. Only many sensitive columns "
        "(projections) makes use of them."
    )
    with folded("Harmless values", hint, opened=bool(said)):
        box = TextBox(
            "Harmless values",
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
