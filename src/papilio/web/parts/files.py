"""A place to drop files at or to choose them, and links to files of a project."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

from nicegui import ui

from papilio.web.project import Project
from papilio.web.transfers import download_address

Begin = Callable[[list[str]], tuple[Project, str]]


Done = Callable[[Project, list[str], str], None]


def upload_zone(
    label: str, begin: Begin, done: Done, *, hint: str = "", endings: Sequence[str] = ()
) -> ui.element:
    """A drop zone with a button, for one or several files.

    Parameters
    ----------
    label
        What the button says.
    begin
        Called with the names of the chosen files; says which project they go to, and which
        folder of it.
    done
        Called with the project, the names the files have got, and why the rest was refused, if
        it was.
    hint
        A line under the button.
    endings
        What the browser offers at first; others can be chosen all the same.
    """
    with ui.element("div").classes("upload") as zone:
        ui.html(_inner(f"{zone.html_id}-file", label, hint, endings), sanitize=False)
    into: list[Project] = []

    def picked(event: Any) -> None:
        project, kind = begin([str(name) for name in event.args["detail"]])
        into[:] = [project]
        address = f"/upload/{quote(project.name, safe='')}/{kind}/"
        ui.run_javascript(f"papilioUpload({json.dumps(zone.html_id)}, {json.dumps(address)})")

    def uploaded(event: Any) -> None:
        detail = event.args["detail"]
        if into:
            done(into.pop(), [str(name) for name in detail["names"]], str(detail["message"]))

    zone.on("picked", picked, ["detail"])
    zone.on("uploaded", uploaded, ["detail"])
    return zone


def upload(
    project: Project,
    kind: str,
    label: str,
    on_done: Callable[[str], None],
    *,
    hint: str = "",
    endings: Sequence[str] = (),
) -> ui.element:
    """A drop zone for a folder of a project; ``on_done`` is called for each file that came in."""

    def done(where: Project, names: list[str], message: str) -> None:
        del where, message
        for name in names:
            on_done(name)

    return upload_zone(label, lambda _: (project, kind), done, hint=hint, endings=endings)


def _inner(identity: str, label: str, hint: str, endings: Sequence[str]) -> str:
    accept = f' accept="{html.escape(",".join(endings))}"' if endings else ""
    said = f"<p>{html.escape(hint)}</p>" if hint else ""
    return (
        f'<input type="file" id="{identity}" multiple{accept}>'
        f'<label for="{identity}">{html.escape(label)}</label>'
        f'{said}<p class="upload-state" role="status"></p>'
    )


def download_link(text: str, project: Project, kind: str, name: str) -> ui.link:
    """A link that saves a file of a project."""
    link = ui.link(text, download_address(project, kind, name)).classes("button secondary")
    link.props["download"] = True
    return link
