"""The blocks pages are put together of: boxes, cards, steps, figures, tables and bars."""

from __future__ import annotations

import asyncio
import html
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from papilio.web.forms.edits import ABSENT, Edit, KeyPath
from papilio.web.jobs.run import Job
from papilio.web.pages import address, step_of
from papilio.web.parts.live import Live, View
from papilio.web.project import Project


def complaint(view: View, live: Live, path: KeyPath) -> None:
    """A line that is there as long as something is wrong at a key or below it."""
    line = TextElement(tag="p", text="").classes("complaint").props("role=status")

    def show(later: View) -> None:
        line.text = later.complaint(path)
        line.set_visibility(bool(line.text))

    live.follow(show)
    show(view)


def left_out(edits: Iterable[Edit]) -> None:
    """Say for some seconds which keys went away with what somebody chose; nothing if none did."""
    gone = sorted(".".join(each.path) for each in edits if each.value is ABSENT)
    if gone:
        ui.notify(f"Left out, as it does not go with this: {', '.join(gone)}", timeout=8000)


Kind = Literal["info", "good", "warning", "error"]
_ICON = {"info": "info", "good": "check_circle", "warning": "warning", "error": "error"}


def message(text: str, kind: Kind = "info") -> ui.element:
    """Tell something in the page; an error is read out at once by screen readers."""
    role = "alert" if kind == "error" else "status"
    with ui.element("div").classes(f"message {kind}").props(f"role={role}") as box:
        ui.icon(_ICON[kind]).props("aria-hidden=true")
        ui.label(text)
    return box


@contextmanager
def section(title: str, hint: str = "") -> Iterator[ui.element]:
    """Open a card with a heading and, under it, a line that explains."""
    with ui.element("section").classes("card") as card:
        heading(title, 2)
        if hint:
            paragraph(hint)
        yield card


def heading(text: str, level: int) -> ui.element:
    """A heading that screen readers find as one."""
    return TextElement(tag=f"h{level}", text=text).classes(f"h{level}")


def paragraph(text: str) -> ui.element:
    """A paragraph of explaining text."""
    return TextElement(tag="p", text=text).classes("hint")


def next_button(project: Project, key: str) -> None:
    """The button at the end of a page that leads on; there is one per page."""
    step = step_of(key)
    if step is None:
        return
    with ui.element("div").classes("next"):
        ui.link(f"Next: {step.title}", address(project, key)).classes("button primary")


@contextmanager
def folded(title: str, hint: str = "", *, opened: bool = False) -> Iterator[None]:
    """Open a part with its title, which stays visible, and a line that explains.

    Parameters
    ----------
    title, hint
        What it is about; the hint is folded away with the rest.
    opened
        Whether it stands open at first: the policy says something about it.
    """
    with ui.element("details").classes("words").props("open" if opened else ""):
        TextElement(tag="summary", text=title)
        if hint:
            paragraph(hint)
        yield


def figures() -> ui.element:
    """A row of tiles; use it as a context."""
    return ui.element("dl").classes("figures")


def figure(label: str, value: str, hint: str = "") -> None:
    """One tile: what it is, the figure, and a word about it."""
    with ui.element("div").classes("figure"):
        with ui.element("dt"):
            ui.label(label)
        with ui.element("dd"):
            ui.label(value).classes("value")
            if hint:
                ui.label(hint).classes("hint")


def drawing(svg: str, title: str) -> None:
    """Show a drawing of ours; on a narrow screen it scrolls by itself.

    Its texts were escaped when it was drawn, and it says in words what it shows.
    """
    box = ui.html(svg, sanitize=False).classes("drawing")
    box.props["tabindex"] = 0
    box.props["role"] = "group"
    box.props["aria-label"] = title


def sheets() -> None:
    """Add the style and the script of forms to this page."""
    ui.add_head_html('<link rel="stylesheet" href="/static/forms.css">')
    ui.add_head_html('<script src="/static/focus.js"></script>')


def plain_table(
    header: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = ""
) -> ui.element:
    """Show a table; on a narrow screen it scrolls by itself. Numbers stand right."""
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in header)
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
    said = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    label = html.escape(caption or ", ".join(header), quote=True)
    content = f"<table>{said}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    box = ui.html(content, sanitize=False).classes("plain-table")
    box.props["tabindex"] = 0
    box.props["role"] = "region"
    box.props["aria-label"] = label
    return box


def _cell(value: Any) -> str:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    text = f"{value:,}" if isinstance(value, int) and number else str(value)
    return f'<td class="number">{text}</td>' if number else f"<td>{html.escape(text)}</td>"


#: Seconds between two looks.
_LOOK = 0.1


async def wait_for(job: Job, title: str) -> Any:
    """Show how far a job is until it is over, with a button to cancel it.

    Returns
    -------
    Any
        Its result.

    Raises
    ------
    JobError
        If it failed or was cancelled.
    """
    with ui.element("div").classes("waiting").props("role=status") as box:
        label = ui.label(title)
        bar = ui.linear_progress(0.0, show_value=False).props('rounded aria-label="Progress"')
        ui.button("Cancel", on_click=job.cancel).classes("secondary")
    try:
        while job.running:
            label.text = f"{title} · {job.progress.stage}"
            bar.value = round(job.progress.share, 3)
            await asyncio.sleep(_LOOK)
    finally:
        if not box.is_deleted:
            box.delete()
    return job.result()
