"""What stands around every page of a project, and the policy beside it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from nicegui import ui

from papilio.errors import Fault, PolicyError
from papilio.version import __version__
from papilio.web.draft import Draft, change_by_hand, load_draft, watch
from papilio.web.pages import STEPS, Step, address
from papilio.web.parts.blocks import heading, message, paragraph
from papilio.web.parts.files import download_link
from papilio.web.project import Project
from papilio.web.quiet import tell, words_for

_LINE = re.compile(
    r"""(?P<indent>\s*(?:-\ )?)
        (?P<key>[^\s\#'"{\[][^\#]*?|'[^']*'|"[^"]*"):
        (?P<rest>(?:\s.*)?)$""",
    re.VERBOSE,
)
#: What a policy is told that does not say something yet.
_REQUIRED = "this key is required"
_COMMENT = re.compile(r"(^|\s+)#.*$")


class PolicyPanel:
    """The panel of one page; it changes with the policy.

    Parameters
    ----------
    project
        Whose policy it is.
    draft
        The policy now.
    """

    def __init__(self, project: Project, draft: Draft) -> None:
        self._project = project
        self._draft = draft
        with (
            ui.element("aside").classes("policy").props('aria-label="Policy"'),
            ui.element("details").props("open") as self._details,
        ):
            with ui.element("summary"):
                heading("Policy file", 2)
            paragraph(
                "Every choice on the page is written here, and what you write here shows on the "
                "page."
            )
            self._body = ui.element("div").classes("policy-body")
        self.show(draft)

    def show(self, draft: Draft) -> None:
        """Show a policy, with the lines that have changed marked."""
        before, self._draft = self._draft, draft
        self._body.clear()
        with self._body:
            code = ui.html(coloured(draft.text, before.text), sanitize=False).classes("yaml")
            code.props["tabindex"] = 0
            code.props["role"] = "region"
            code.props["aria-label"] = "Policy as YAML"
            show_faults(draft.faults())
            with ui.element("div").classes("buttons"):
                ui.button("Edit", icon="edit", on_click=self._edit).classes("secondary")
                download_link("Download", self._project, "policy", "policy.yaml")

    def _edit(self) -> None:
        self._body.clear()
        with self._body:
            area = ui.textarea("Policy as YAML", value=self._draft.text)
            area.classes("yaml-edit").props("outlined autofocus spellcheck=false")
            complaints = ui.element("div")

            def apply() -> None:
                complaints.clear()
                try:
                    change_by_hand(self._project, Draft(area.value or "", self._draft.base))
                except PolicyError as error:
                    with complaints:
                        show_faults(error.faults)

            with ui.element("div").classes("buttons"):
                ui.button("Apply", on_click=apply).classes("primary")
                ui.button("Cancel", on_click=lambda: self.show(self._draft)).classes("secondary")


def show_faults(faults: tuple[Fault, ...]) -> None:
    """List what is wrong with a policy, or say that nothing is."""
    if not faults:
        message("The policy can be run.", "good")
        return
    missing = [fault.where for fault in faults if fault.message == _REQUIRED]
    if len(missing) == len(faults):
        message(f"Still to come: {' and '.join(missing)}.")
        return
    with ui.element("div").classes("message warning").props("role=status"):
        ui.icon("pending").props("aria-hidden=true")
        with ui.element("ul"):
            for fault in faults:
                with ui.element("li"):
                    ui.label(fault_text(fault))


def fault_text(fault: Fault) -> str:
    """A fault without the file, which is the policy in sight."""
    line = f"line {fault.line}: " if fault.line is not None else ""
    key = f"{fault.where}: " if fault.where else ""
    return f"{line}{key}{fault.message}"


def coloured(text: str, before: str) -> str:
    """YAML as HTML: keys and comments coloured, lines marked that were not there before."""
    old = set(before.splitlines())
    lines = (_coloured_line(line, line not in old) for line in text.splitlines())
    return f"<pre>{''.join(lines)}</pre>"


def _coloured_line(line: str, new: bool) -> str:
    kind = ' class="new"' if new else ""
    return f"<span{kind}>{_parts(line) or '&nbsp;'}</span>"


def _parts(line: str) -> str:
    if line.lstrip().startswith("#"):
        return f"<i>{html.escape(line)}</i>"
    match = _LINE.match(line)
    if match is None:
        return html.escape(line)
    rest = match["rest"]
    comment = _COMMENT.search(rest)
    value, said = (rest[: comment.start()], rest[comment.start() :]) if comment else (rest, "")
    shown = f"{html.escape(match['indent'])}<b>{html.escape(match['key'])}</b>:{html.escape(value)}"
    return f"{shown}<i>{html.escape(said)}</i>" if said else shown


LOGO = (
    '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">'
    '<path fill="currentColor" d="M15 9C12 4 6 3 3 5c-1 5 1 9 6 10-3 1-5 4-4 8 4 3 8 1 10-4z"/>'
    '<path fill="currentColor" opacity=".55" '
    'd="M17 9c3-5 9-6 12-4 1 5-1 9-6 10 3 1 5 4 4 8-4 3-8 1-10-4z"/></svg>'
)


@contextmanager
def frame(project: Project, step: Step) -> Iterator[None]:
    """Draw the frame of a step; the page itself is drawn inside.

    The frame holds the steps, the page, and beside it the policy: what every click writes, open
    to be edited. Errors of handlers are shown as Papilio's own texts, or without text.
    """
    ui.page_title(f"{step.title} · {project.name} · Papilio")
    on_errors()
    top(project)
    with ui.element("div").classes("changed-elsewhere").props("role=status") as notice:
        ui.label("The policy was changed in another tab.")
        ui.button("Load it", on_click=ui.navigate.reload).classes("secondary")
    notice.set_visibility(False)
    _steps(project, step)
    with ui.element("div").classes("columns-of-page"):
        main = ui.element("main").props("id=main tabindex=-1")
        panel = PolicyPanel(project, load_draft(project))
    foot()
    # Before the page is drawn, so that its parts can follow the policy.
    watch(project, panel.show, partial(notice.set_visibility, True))
    with main:
        heading(step.purpose, 1)
        yield


def top(project: Project | None) -> None:
    """The head of a page: where one is, and the way to the start."""
    _only_one_main()
    ui.link("Skip to content", "#main").classes("skip")
    with ui.element("header").classes("top"):
        with ui.link(target="/").classes("brand").props('aria-label="Papilio, all projects"'):
            ui.html(LOGO, sanitize=False)
            ui.label("Papilio")
        if project is not None:
            ui.label("/").classes("muted").props("aria-hidden=true")
            ui.label(project.name).classes("project-name")


def _only_one_main() -> None:
    """Keep the page library from calling the whole page its main part."""
    slot = ui.context.client.content.parent_slot
    if slot is not None:
        slot.parent.props("role=presentation")


def foot() -> None:
    """The foot of a page."""
    with ui.element("footer").classes("foot"):
        ui.label(f"Papilio {__version__} · on this machine only, nothing leaves it")


def _steps(project: Project, current: Step) -> None:
    with (
        ui.element("nav").classes("steps").props('aria-label="Steps"'),
        ui.element("ol"),
    ):
        for number, step in enumerate(STEPS, 1):
            with ui.element("li"), ui.link(target=address(project, step.key)) as link:
                ui.label(str(number)).classes("number").props("aria-hidden=true")
                ui.label(step.title)
            if step is current:
                link.classes("current").props("aria-current=step")


def on_errors() -> None:
    """Show errors of handlers on this page: Papilio's own texts, or no text at all."""

    def handle(error: Exception) -> None:
        tell(error)
        ui.notify(
            words_for(error),
            type="negative",
            multi_line=True,
            timeout=10_000,
            close_button="Close",
            classes="error-note",
        )

    ui.context.client.on_exception(handle)
