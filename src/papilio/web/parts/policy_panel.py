"""The policy beside the page: what every click writes, open to be edited."""

from __future__ import annotations

import html
import re

from nicegui import ui

from papilio.errors import Fault, PolicyError
from papilio.web.changes import change_by_hand
from papilio.web.downloads import download_link
from papilio.web.draft import Draft
from papilio.web.parts.message import message
from papilio.web.parts.section import heading, paragraph
from papilio.web.project import Project

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
